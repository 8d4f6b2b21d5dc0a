"""The wanted value of a condition, as form parts that fit its operator, and back.

Which parts a condition shows depends on what it looks at and how it compares; `shape_of` says so, and the page's
script reads the same table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from toolcatalog.contract.json import JsonValue, find_unstorable
from toolcatalog.contract.matching import Operator, Source
from toolcatalog.matchers import OPERATORS

from .fields import format_json
from .widgets import split_lines


class Shape(StrEnum):
    """What a wanted value looks like."""

    WORDS = "words"
    TEXT = "text"
    TYPED = "typed"
    TYPED_LINES = "typed_lines"
    NUMBER = "number"
    NUMBER_OR_DATE = "number_or_date"
    TIMES = "times"
    GROUPS = "groups"
    NOTHING = "nothing"


class Kind(StrEnum):
    """What a typed value is: attributes are compared with their type, "5" is not 5."""

    TEXT = "text"
    NUMBER = "number"
    TRUTH = "truth"
    JSON = "json"


_SHAPES = {
    Operator.CONTAINS_ANY: Shape.WORDS,
    Operator.CONTAINS_ALL: Shape.WORDS,
    Operator.GREATER_THAN: Shape.NUMBER_OR_DATE,
    Operator.LESS_THAN: Shape.NUMBER_OR_DATE,
    Operator.IS_TRUE: Shape.NOTHING,
    Operator.IS_FALSE: Shape.NOTHING,
    Operator.EXISTS: Shape.NOTHING,
    Operator.PERCENTAGE: Shape.NUMBER,
    Operator.BETWEEN_TIMES: Shape.TIMES,
    Operator.IN: Shape.WORDS,
    Operator.NOT_IN: Shape.WORDS,
}
_TYPED_SHAPES = {
    Operator.EQUALS: Shape.TYPED,
    Operator.NOT_EQUALS: Shape.TYPED,
    Operator.IN: Shape.TYPED_LINES,
    Operator.NOT_IN: Shape.TYPED_LINES,
}


def shape_of(source: str, operator: str) -> Shape:
    """What the value of such a condition looks like."""
    if source == Source.GROUP:
        return Shape.GROUPS
    if operator not in set(Operator):
        return Shape.TEXT
    known = Operator(operator)
    if source == Source.ATTRIBUTE and known in _TYPED_SHAPES:
        return _TYPED_SHAPES[known]
    return _SHAPES.get(known, Shape.TEXT)


def shape_table() -> dict[str, dict[str, str]]:
    """For every source, the operators that fit it with the shape of their value: for the page's script."""
    return {
        source: {
            operator: shape_of(source, operator) for operator, known in OPERATORS.items() if source in known.sources
        }
        for source in Source
    }


@dataclass(frozen=True, slots=True)
class ValueParts:
    """A value as the form shows it: `text` with its `kind`, or times."""

    text: str = ""
    kind: str = Kind.TEXT
    start: str = ""
    end: str = ""
    zone: str = ""
    days: tuple[str, ...] = ()


def split_value(value: JsonValue, shape: Shape) -> ValueParts:
    """The parts of a stored value; one that does not fit the shape is shown as JSON."""
    if value is None or shape is Shape.NOTHING:
        return ValueParts()
    if shape is Shape.TIMES:
        return _split_times(value)
    if shape in {Shape.TYPED_LINES, Shape.WORDS, Shape.GROUPS} and isinstance(value, list | tuple):
        return _split_lines(value, typed=shape is Shape.TYPED_LINES)
    kind = _kind_of(value)
    if kind is Kind.TEXT or (kind is not Kind.JSON and shape in {Shape.TYPED, Shape.NUMBER, Shape.NUMBER_OR_DATE}):
        return ValueParts(value if isinstance(value, str) else json.dumps(value), kind)
    return ValueParts(format_json(value), Kind.JSON)


def _split_times(value: JsonValue) -> ValueParts:
    if not isinstance(value, Mapping):
        return ValueParts(format_json(value), Kind.JSON)
    days = value.get("days")
    return ValueParts(
        start=str(value.get("from") or ""),
        end=str(value.get("to") or ""),
        zone=str(value.get("zone") or ""),
        days=tuple(str(day) for day in days) if isinstance(days, list | tuple) else (),
    )


def _split_lines(values: Any, *, typed: bool) -> ValueParts:
    kinds = {_kind_of(value) for value in values}
    if kinds <= {Kind.TEXT}:
        return ValueParts("\n".join(values))
    if typed and len(kinds) == 1 and Kind.JSON not in kinds:
        return ValueParts("\n".join(json.dumps(value) for value in values), kinds.pop())
    return ValueParts(format_json(values), Kind.JSON)


def _kind_of(value: JsonValue) -> Kind:
    if isinstance(value, bool):
        return Kind.TRUTH
    if isinstance(value, int | float):
        return Kind.NUMBER
    return Kind.TEXT if isinstance(value, str) else Kind.JSON


def join_value(parts: ValueParts, shape: Shape) -> JsonValue:
    """The value that the parts stand for. What cannot be read stays text, and the rules say what is wrong with it."""
    if shape is not Shape.NOTHING and parts.kind == Kind.JSON and parts.text.strip():
        return _read_json(parts.text)
    return _JOINERS[shape](parts)


def _join_times(parts: ValueParts) -> JsonValue:
    value: dict[str, JsonValue] = {"from": parts.start, "to": parts.end}
    if parts.zone:
        value["zone"] = parts.zone
    if parts.days:
        value["days"] = [int(day) for day in parts.days]
    return value


def _read_typed(text: str, kind: str) -> JsonValue:
    if kind == Kind.TEXT:
        return text
    value = _read_json(text.strip())
    wanted = bool if kind == Kind.TRUTH else int | float
    fits = isinstance(value, wanted) and isinstance(value, bool) == (kind == Kind.TRUTH)
    return value if fits else text


def _read_json(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if any(find_unstorable(value)) else value


_JOINERS: dict[Shape, Callable[[ValueParts], JsonValue]] = {
    Shape.NOTHING: lambda _: None,
    Shape.TIMES: _join_times,
    Shape.WORDS: lambda parts: list(split_lines(parts.text)),
    Shape.GROUPS: lambda parts: list(split_lines(parts.text)),
    Shape.TYPED_LINES: lambda parts: [_read_typed(line, parts.kind) for line in split_lines(parts.text)],
    Shape.NUMBER: lambda parts: _read_typed(parts.text.strip(), Kind.NUMBER),
    Shape.NUMBER_OR_DATE: lambda parts: _read_typed(parts.text.strip(), Kind.NUMBER),
    Shape.TYPED: lambda parts: _read_typed(parts.text, parts.kind),
    Shape.TEXT: lambda parts: parts.text,
}
