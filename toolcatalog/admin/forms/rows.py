"""The conditions of a group as rows of a form, each read like a sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.translating import translate_sentence
from toolcatalog.admin.words import DAYS, OPERATORS, SOURCES, Words
from toolcatalog.contract.json import JsonValue, dump_json, find_unstorable
from toolcatalog.contract.matching import MatcherRow, Operator, Source

from .fields import SwitchField, TextField, WordField
from .values import Kind, ValueParts, join_value, shape_of, split_value
from .widgets import CheckboxListWidget, CheckboxWidget, LineWidget, NumberWidget, SelectWidget, TextWidget

PREFIX = "matchers"
MOST_ROWS = 200

KINDS: Words = {
    Kind.TEXT: _("text"),
    Kind.NUMBER: _("number"),
    Kind.TRUTH: _("true/false"),
    Kind.JSON: _("JSON"),
}


def _named(label: Any, **attributes: str) -> dict[str, str]:
    return {"aria-label": label, "title": label, **attributes}


class RowForm(forms.Form):
    """One condition. `original` is the stored value, kept where its parts were left alone."""

    condition_set = forms.IntegerField(
        initial=1, min_value=1, max_value=32_767, widget=NumberWidget(_named(_("set"))), label=_("set"),
        help_text=_("Conditions with the same number must all hold. One number that holds is enough."),
    )  # fmt: skip
    negate = forms.BooleanField(required=False, label=_("not"))
    source = WordField(SOURCES, initial=Source.MESSAGE, label=_("looks at"), widget=SelectWidget(_named(_("looks at"))))
    attribute = forms.CharField(
        required=False, max_length=200, label=_("attribute"),
        widget=LineWidget(_named(_("attribute"), placeholder="plan, cart.total")),
    )  # fmt: skip
    operator = WordField(
        OPERATORS, initial=Operator.CONTAINS_ANY, label=_("operator"), widget=SelectWidget(_named(_("operator")))
    )
    text = TextField(label=_("value"), widget=TextWidget({**_named(_("value")), "rows": 1}))
    kind = WordField(
        KINDS, initial=Kind.TEXT, required=False, label=_("kind"), widget=SelectWidget(_named(_("kind of value")))
    )
    start = forms.CharField(
        required=False, max_length=5, label=_("from"), widget=LineWidget(_named(_("from"), placeholder="09:00"))
    )
    end = forms.CharField(
        required=False, max_length=5, label=_("to"), widget=LineWidget(_named(_("to"), placeholder="18:00"))
    )
    zone = forms.CharField(
        required=False, max_length=64, label=_("time zone"),
        widget=LineWidget(_named(_("time zone"), placeholder="Asia/Shanghai", list="tc-zones")),
    )  # fmt: skip
    days = forms.MultipleChoiceField(
        choices=list(DAYS.items()), required=False, label=_("days"), widget=CheckboxListWidget({"class": "tc-in-line"})
    )
    ignore_case = SwitchField(
        open_words=_("Automatic"),
        label=_("ignore case"),
        help_text=_("Automatic: yes for messages, no for everything else."),
    )
    whole_word = forms.BooleanField(
        required=False, label=_("whole word"), widget=CheckboxWidget,
        help_text=_("For words of letters: “order” is then not found in “border”."),
    )  # fmt: skip
    normalise = SwitchField(
        open_words=_("Automatic"), label=_("normalise"),
        help_text=_("Full-width and invisible characters make no difference. Automatic: yes for keywords in messages."),
    )  # fmt: skip
    note = forms.CharField(
        required=False, max_length=300, label=_("note"), widget=LineWidget, help_text=_("Why this condition is here.")
    )
    original = forms.CharField(required=False, widget=forms.HiddenInput)

    def make_row(self) -> MatcherRow:
        """The condition that was typed."""
        data = self.cleaned_data
        return MatcherRow(
            source=data["source"],
            operator=data["operator"],
            value=self._make_value(),
            attribute=data["attribute"],
            condition_set=data["condition_set"],
            negate=data["negate"],
            ignore_case=data["ignore_case"],
            whole_word=data["whole_word"],
            normalise=data["normalise"],
            note=data["note"],
        )

    def _make_value(self) -> JsonValue:
        data = self.cleaned_data
        shape = shape_of(data["source"], data["operator"])
        parts = ValueParts(
            data["text"], data["kind"] or Kind.TEXT, data["start"], data["end"], data["zone"], tuple(data["days"])
        )
        original = _read_original(data["original"])
        typed = join_value(parts, shape)
        untouched = join_value(split_value(original, shape), shape)
        return original if dump_json(typed) == dump_json(untouched) and original is not None else typed

    @property
    def set_number(self) -> str:
        """The number of its set as typed, for the grouping on the page."""
        return str(self["condition_set"].value() or 1)

    def place_error(self, part: str, message: str) -> None:
        """Show a finding about one part of the row (`value`, `operator`, …) beside it."""
        names = {"value": "text"}
        field = names.get(part, part)
        self.add_error(field if field in self.fields else None, translate_sentence(message))


def _read_original(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
    return None if any(find_unstorable(value)) else value


def row_initial(row: MatcherRow) -> dict[str, Any]:
    """A stored condition as the form shows it."""
    parts = split_value(row.value, shape_of(row.source, row.operator))
    return {
        "condition_set": row.condition_set,
        "negate": row.negate,
        "source": row.source,
        "attribute": row.attribute,
        "operator": row.operator,
        "text": parts.text,
        "kind": parts.kind,
        "start": parts.start,
        "end": parts.end,
        "zone": parts.zone,
        "days": list(parts.days),
        "ignore_case": row.ignore_case,
        "whole_word": row.whole_word,
        "normalise": row.normalise,
        "note": row.note,
        "original": "" if row.value is None else dump_json(row.value).decode(),
    }


class BaseRowSet(forms.BaseFormSet):  # type: ignore[type-arg]  # generic in the stubs only
    """All conditions of a group, in the order of the page."""

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        """A row that was added and left as it was is a row, not nothing: its keywords are missing."""
        return {**super().get_form_kwargs(index), "empty_permitted": False}

    def kept_forms(self) -> list[RowForm]:
        """The rows that were not removed, by set; the index of a row here is its index in the document."""
        kept = (
            [form for form in self.forms if not form.cleaned_data.get("DELETE")] if self.is_bound else list(self.forms)
        )
        return sorted(kept, key=_number_of)

    def by_set(self) -> list[tuple[str, list[RowForm]]]:
        """The rows as the page shows them: each set with its rows, removed ones among them."""
        sets: dict[str, list[RowForm]] = {}
        for form in sorted(self.forms, key=_number_of):
            sets.setdefault(form.set_number, []).append(form)
        return list(sets.items())

    def make_rows(self) -> tuple[MatcherRow, ...]:
        """The conditions that were typed. Only for a set that is valid."""
        return tuple(form.make_row() for form in self.kept_forms())


def _number_of(form: Any) -> int:
    number = form.set_number
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 1


_RowSet = forms.formset_factory(
    RowForm,
    formset=BaseRowSet,
    extra=0,
    can_delete=True,
    max_num=MOST_ROWS,
    absolute_max=MOST_ROWS,
    validate_max=True,
)


def make_row_set(data: Any, initial: Sequence[dict[str, Any]] = ()) -> BaseRowSet:
    """The rows that were typed, or the stored ones. New rows are made by the page's script from the empty form."""
    rows: Any = _RowSet(data, prefix=PREFIX, initial=list(initial))
    found: BaseRowSet = rows
    return found
