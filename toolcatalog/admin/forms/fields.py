"""Form fields for what Django has none: JSON, lists of lines, lists of names, words by language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.words import Words
from toolcatalog.contract.json import dump_json, find_unstorable

from .widgets import JsonWidget, KeywordsWidget, PickerWidget, SelectWidget, TextWidget, split_lines


class TextField(forms.CharField):
    """Text of several lines. Line ends become LF, and nothing is trimmed: blanks may be meant."""

    widget = TextWidget

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"strip": False, "required": False, **kwargs})

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value) or "").replace("\r\n", "\n").replace("\r", "\n")


class LinesField(forms.Field):
    """A list with one item a line. Blank lines do not count."""

    widget = TextWidget

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> tuple[str, ...]:
        return split_lines(value) if isinstance(value, str) else tuple(value or ())


class JsonField(forms.Field):
    """JSON as text, in the order it was written. Keys that are there twice are refused: one of them would be lost.

    `place` is the path of the value, for errors about parts of it that cannot be stored.
    """

    widget = JsonWidget
    default_error_messages = {
        "invalid": _("This is not JSON: %(problem)s."),
        "twice": _("The key “%(key)s” is there twice in one object. Keep one of them."),
        "too_deep": _("This is nested too deeply. Make it simpler."),
        "object": _("Write a JSON object, like {}."),
    }

    def __init__(self, *, empty: Any = None, only_objects: bool = True, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})
        self.empty = empty
        self.only_objects = only_objects
        self.place = ""

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else format_json(value, self.empty)

    def to_python(self, value: Any) -> Any:
        if not isinstance(value, str):
            return self.empty if value is None else value
        if not value.strip():
            return self.empty
        parsed = self._parse(value)
        if self.only_objects and not isinstance(parsed, dict):
            raise ValidationError(self.error_messages["object"], code="object")
        for where, problem in find_unstorable(parsed, self.place):
            raise ValidationError(f"{where or 'The value'} {problem}. Take it out.", code="unstorable")
        return parsed

    def _parse(self, text: str) -> Any:
        try:
            return json.loads(text, object_pairs_hook=_refuse_twins, parse_constant=_refuse_constant)
        except TwinKeyError as error:
            raise ValidationError(self.error_messages["twice"], code="twice", params={"key": error.key}) from error
        except RecursionError as error:
            raise ValidationError(self.error_messages["too_deep"], code="too_deep") from error
        except ValueError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"problem": error}) from error


class TwinKeyError(ValueError):
    """A JSON object that holds a key twice."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise TwinKeyError(key)
        found[key] = value
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def format_json(value: Any, empty: Any = None) -> str:
    """JSON for people: indented, letters of every script as they are; an empty value is an empty text."""
    if value is None or (value == empty and not value):
        return ""
    return json.dumps(value, ensure_ascii=False, indent=2)


class KeywordsField(forms.Field):
    """Words by language: `{"en": ["parcel"]}`."""

    widget = KeywordsWidget

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})

    default_error_messages = {"language": _("Name the language of these words, for example de.")}

    def prepare_value(self, value: Any) -> Any:
        return arrange_keywords(value)

    def to_python(self, value: Any) -> dict[str, tuple[str, ...]]:
        return arrange_keywords(value)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if "" in value:
            raise ValidationError(self.error_messages["language"], code="language")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return dump_json(arrange_keywords(initial)) != dump_json(arrange_keywords(data))


def arrange_keywords(value: Any) -> dict[str, tuple[str, ...]]:
    """Words by language as the boxes show them: the usual languages first, without blank words and empty languages."""
    if not isinstance(value, Mapping):
        return {}
    languages = dict.fromkeys((*KeywordsWidget.USUAL, *value))
    arranged = {language: split_lines("\n".join(value.get(language, ()))) for language in languages}
    return {language: words for language, words in arranged.items() if words}


class PickField(forms.Field):
    """Names of things of the catalog, chosen with a search box, in order. With `many` off: one name or None."""

    widget: PickerWidget

    def __init__(self, kind: str, *, many: bool = True, may_create: bool = False, **kwargs: Any) -> None:
        widget = PickerWidget(kind, many=many, may_create=may_create)
        super().__init__(**{"required": False, "widget": widget, **kwargs})
        self.many = many

    def prepare_value(self, value: Any) -> Any:
        return [value] if isinstance(value, str) else list(value or ())

    def to_python(self, value: Any) -> Any:
        names = tuple(str(name) for name in value or ())
        return names if self.many else (names[0] if names else None)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return tuple(self.prepare_value(initial)) != tuple(data or ())


class WordField(forms.TypedChoiceField):
    """One value of a closed list, chosen by its words."""

    widget = SelectWidget

    def __init__(self, words: Words, *, leave_out: Sequence[str] = (), **kwargs: Any) -> None:
        choices = [(value, label) for value, label in words.items() if value not in leave_out]
        super().__init__(**{"choices": choices, **kwargs})


class SwitchField(forms.TypedChoiceField):
    """Yes, no, or left open: True, False or None."""

    widget = SelectWidget

    def __init__(self, *, open_words: Any, **kwargs: Any) -> None:
        choices = [("", open_words), ("yes", _("Yes")), ("no", _("No"))]
        super().__init__(**{"choices": choices, "required": False, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        return {None: "", True: "yes", False: "no"}.get(value, value)

    def clean(self, value: Any) -> bool | None:
        return {"yes": True, "no": False}.get(super().clean(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != (data or ""))
