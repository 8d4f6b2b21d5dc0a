"""Reads pages as a browser does: the fields of a form with their values, and what is said beside them."""

from __future__ import annotations

from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils.html import escape

Fields = list[tuple[str, str]]


class _FormReader(HTMLParser):
    """Collects what a browser would send for one form. What is inside a `template` is not part of the page."""

    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form_id = form_id
        self.fields: Fields = []
        self._inside = False
        self._templates = 0
        self._select: str | None = None
        self._multiple = False
        self._options: list[tuple[str, bool]] = []
        self._textarea: str | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "template":
            self._templates += 1
        if tag == "form":
            self._inside = given.get("id") == self.form_id
        if not self._inside or self._templates or "disabled" in given:
            return
        if tag == "input":
            self._read_input(given)
        elif tag == "select":
            self._select, self._multiple, self._options = given.get("name"), "multiple" in given, []
        elif tag == "option" and self._select is not None:
            self._options.append((given.get("value") or "", "selected" in given))
        elif tag == "textarea":
            self._textarea, self._text = given.get("name"), ""

    def _read_input(self, given: dict[str, str | None]) -> None:
        name, kind = given.get("name"), given.get("type", "text")
        if (
            name
            and kind not in {"submit", "button", "file"}
            and (kind not in {"checkbox", "radio"} or "checked" in given)
        ):
            default = "on" if kind in {"checkbox", "radio"} else ""
            self.fields.append((name, given.get("value") or default))

    def handle_data(self, data: str) -> None:
        if self._textarea is not None:
            self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._templates -= 1
        elif tag == "form":
            self._inside = False
        elif tag == "select" and self._select is not None:
            self._close_select(self._select)
            self._select = None
        elif tag == "textarea" and self._textarea is not None:
            text = self._text.removeprefix("\n")  # a browser swallows the first line end
            self.fields.append((self._textarea, text.replace("\r\n", "\n").replace("\n", "\r\n")))
            self._textarea = None

    def _close_select(self, name: str) -> None:
        chosen = [value for value, is_selected in self._options if is_selected]
        if not chosen and not self._multiple and self._options:
            chosen = [self._options[0][0]]
        self.fields.extend((name, value) for value in chosen)


def read_form(response: Any, model: str) -> Fields:
    """The fields of the edit form of a page, as they would be sent without touching anything."""
    reader = _FormReader(f"{model}_form")
    reader.feed(response.content.decode())
    assert reader.fields, f"the page has no form {model}_form"
    return reader.fields


def add_url(model: str) -> str:
    """The address of the page that adds."""
    return reverse(f"admin:toolcatalog_{model}_add")


def change_url(thing: Any) -> str:
    """The address of a thing's page."""
    return reverse(f"admin:toolcatalog_{thing._meta.model_name}_change", args=[thing.pk])


def list_url(model: str) -> str:
    """The address of a list."""
    return reverse(f"admin:toolcatalog_{model}_changelist")


def send(client: Client, url: str, fields: Iterable[tuple[str, str]]) -> Any:
    """Send fields as a browser would, several of one name in order."""
    data: dict[str, list[str]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    return client.post(url, data)


def fill(client: Client, url: str, model: str, **changes: str | list[str] | None) -> Any:
    """Open a form, change some fields (None takes one away), and save it. `__` stands for `-` in names."""
    fields = read_form(client.get(url), model)
    return send(client, url, change_fields(fields, **changes))


def change_fields(fields: Fields, **changes: str | list[str] | None) -> Fields:
    """The fields with some of them changed. `__` stands for `-` in names."""
    wanted = {name.replace("__", "-"): value for name, value in changes.items()}
    kept = [(name, value) for name, value in fields if name not in wanted]
    for name, value in wanted.items():
        values = [] if value is None else [value] if isinstance(value, str) else value
        kept.extend((name, one) for one in values)
    return kept


def row_fields(index: int, **parts: str | list[str]) -> dict[str, str | list[str]]:
    """The fields of one condition row, as the page's script would have added it."""
    usual: dict[str, str | list[str]] = {
        "condition_set": "1",
        "source": "message",
        "operator": "contains_any",
        "text": "",
        "kind": "text",
    }
    return {f"matchers__{index}__{name}": value for name, value in {**usual, **parts}.items()}


def errors_of(response: Any) -> dict[str, list[str]]:
    """What a refused form says, by field; `__all__` is above the form."""
    assert response.status_code == 200, f"expected the form again, not {response.status_code}"
    form = response.context["adminform"].form
    found = {name: [str(text) for text in texts] for name, texts in form.errors.items()}
    for texts in found.values():
        for text in texts:
            assert _as_shown(text) in response.content.decode(), f"not on the page: {text}"
    return found


def row_errors(response: Any) -> list[dict[str, list[str]]]:
    """What a refused group form says beside each condition, in the order of the page."""
    rows = response.context["adminform"].form.rows.forms
    return [{name: [str(text) for text in texts] for name, texts in row.errors.items()} for row in rows]


def messages_of(response: Any) -> list[str]:
    """The messages on a page that was redirected to."""
    return [str(message) for message in response.context["messages"]]


def _as_shown(text: str) -> str:
    return str(escape(text))
