"""The parameters of a tool as a table: what a model is asked for, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from .differences import show_value

DEEPEST = 4
MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One parameter. `depth` counts from 0; `limits` are the values that it may have, in words."""

    name: str
    depth: int
    kind: str
    required: bool
    description: str
    limits: str


def list_parameters(schema: Any) -> list[ParameterRow]:
    """The properties of the schema and of the objects inside it, as far as they are not behind a reference."""
    rows: list[ParameterRow] = []
    for row in _walk(schema, 0):
        rows.append(row)
        if len(rows) == MOST_ROWS:
            break
    return rows


def _walk(schema: Any, depth: int) -> Iterator[ParameterRow]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping) or depth > DEEPEST:
        return
    required = schema.get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set()
    for name, child in properties.items():
        part = child if isinstance(child, Mapping) else {}
        yield ParameterRow(name, depth, _kind(part), name in needed, str(part.get("description") or ""), _limits(part))
        yield from _walk(part, depth + 1)
        yield from _walk(part.get("items"), depth + 1)


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return gettext(" or ").join(map(str, kind))
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return gettext("list of %(kind)s") % {"kind": _kind(schema["items"])}
    if isinstance(kind, str):
        return kind
    return next(
        (word for word in ("enum", "$ref", "anyOf", "oneOf", "allOf", "const") if word in schema), gettext("anything")
    )


def _limits(schema: Mapping[str, Any]) -> str:
    values = schema.get("enum")
    if isinstance(values, list):
        return gettext("one of: %(values)s") % {"values": ", ".join(show_value(value) for value in values[:20])}
    known = (
        "const",
        "default",
        "format",
        "pattern",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
    )
    return ", ".join(f"{key} {show_value(schema[key])}" for key in known if key in schema)
