"""Widgets in the look of the admin's theme. None needs a script in the page: behaviour is in static files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from django import forms
from django.urls import reverse_lazy
from unfold import widgets as theme

if TYPE_CHECKING:
    from toolcatalog.admin.picking import Choice

_TEXT_CLASSES = " ".join(theme.TEXTAREA_CLASSES)
_MONOSPACE = "tc-code"

FindChoices: TypeAlias = "Callable[[Sequence[str]], Sequence[Choice]]"


def split_lines(text: str) -> tuple[str, ...]:
    """The lines that are not blank, without blanks at their ends."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


class TextWidget(forms.Textarea):
    """A text area that grows with its text. Keeps a first line that is empty, which browsers swallow otherwise."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        given = attrs or {}
        classes = f"{_TEXT_CLASSES} tc-grows {given.get('class', '')}"
        super().__init__({"rows": 2, **given, "class": classes})


class LineWidget(forms.TextInput):
    """A text box of one line."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        given = attrs or {}
        super().__init__({**given, "class": f"{' '.join(theme.INPUT_CLASSES)} {given.get('class', '')}"})


class NumberWidget(forms.NumberInput):
    """A number box."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        given = attrs or {}
        super().__init__({**given, "class": f"{' '.join(theme.INPUT_CLASSES)} tc-number {given.get('class', '')}"})


class SelectWidget(forms.Select):
    """A drop-down list."""

    template_name = "unfold/widgets/select.html"

    def __init__(self, attrs: dict[str, Any] | None = None, choices: Any = ()) -> None:
        given = attrs or {}
        super().__init__({**given, "class": f"{' '.join(theme.SELECT_CLASSES)} {given.get('class', '')}"}, choices)


class SwitchWidget(forms.CheckboxInput):
    """An on/off switch."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        given = attrs or {}
        super().__init__({**given, "class": f"{' '.join(theme.SWITCH_CLASSES)} {given.get('class', '')}"})


class CheckboxWidget(forms.CheckboxInput):
    """A tick box."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        given = attrs or {}
        super().__init__({**given, "class": f"{' '.join(theme.CHECKBOX_CLASSES)} {given.get('class', '')}"})


class CheckboxListWidget(forms.CheckboxSelectMultiple):
    """Tick boxes below each other, or beside each other with the class `tc-in-line`."""

    template_name = "toolcatalog/admin/widgets/checkbox_list.html"
    option_template_name = "toolcatalog/admin/widgets/checkbox_option.html"

    def __init__(self, attrs: dict[str, Any] | None = None, choices: Any = ()) -> None:
        super().__init__(attrs, choices)
        self.tick_classes = " ".join(theme.CHECKBOX_CLASSES)

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        option["attrs"] = {**option["attrs"], "class": self.tick_classes}
        return option


class JsonWidget(TextWidget):
    """A box for JSON, in a typewriter face. `preview_url` names the address that shows what it means."""

    template_name = "toolcatalog/admin/widgets/json.html"

    def __init__(self, attrs: dict[str, Any] | None = None, *, preview_url: str = "") -> None:
        given = attrs or {}
        super().__init__({"spellcheck": "false", **given, "class": f"{_MONOSPACE} {given.get('class', '')}"})
        self.preview_url = preview_url

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["preview_url"] = reverse_lazy(self.preview_url) if self.preview_url else ""
        return context


class KeywordsWidget(forms.Widget):
    """A box of words for each language: English and Chinese always, those that are there, and one for another."""

    template_name = "toolcatalog/admin/widgets/keywords.html"
    USUAL = ("en", "zh")

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        words = value if isinstance(value, dict) else {}
        languages = [*self.USUAL, *(language for language in words if language not in self.USUAL)]
        context["widget"] |= {
            "boxes": [(language, "\n".join(words.get(language, ()))) for language in languages],
            "usual": self.USUAL,
            "text_classes": _TEXT_CLASSES,
            "input_classes": " ".join(theme.INPUT_CLASSES),
        }
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> dict[str, tuple[str, ...]]:
        languages, texts = data.getlist(f"{name}-language"), data.getlist(f"{name}-words")
        found: dict[str, tuple[str, ...]] = {}
        for language, text in zip(languages, texts, strict=False):
            words = split_lines(text)
            if words:
                found[language.strip()] = (*found.get(language.strip(), ()), *words)
        return found

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-language" not in data


def _find_nothing(names: Sequence[str]) -> Sequence[Choice]:  # noqa: ARG001 (it stands where others look)
    return ()


class PickerWidget(forms.Widget):
    """Chosen things, one a row, that can be searched for, ordered and removed.

    `find_choices` is set by the form: it says what to show for chosen names. `owner_field` is the id of the form field
    that holds the owner, whose things and shared ones can be chosen; `owner` the owner's id where it cannot change.
    """

    template_name = "toolcatalog/admin/widgets/picker.html"

    def __init__(self, kind: str, *, many: bool, may_create: bool) -> None:
        super().__init__()
        self.kind = kind
        self.many = many
        self.may_create = may_create
        self.owner_field = "id_owner"
        self.owner: int | None = None
        self.find_choices: FindChoices = _find_nothing
        self.errors: dict[int, str] = {}

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        names = [str(item) for item in value or ()]
        known = {choice.value: choice for choice in self.find_choices(names)}
        context["widget"] |= {
            "kind": self.kind,
            "many": self.many,
            "may_create": self.may_create,
            "owner_field": self.owner_field,
            "owner": "" if self.owner is None else self.owner,
            "url": reverse_lazy("admin:toolcatalog_pick", args=[self.kind]),
            "chosen": [(item, known.get(item), self.errors.get(index)) for index, item in enumerate(names)],
            "input_classes": " ".join(theme.INPUT_CLASSES),
        }
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [item for item in data.getlist(name) if item]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return False

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_search" if id_ else ""
