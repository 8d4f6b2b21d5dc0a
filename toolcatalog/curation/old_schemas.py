"""Reads schemas that were written for JSON Schema drafts 4 to 7 and brings them to draft 2020-12. For imports only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.contract.json import JsonValue

from .schemas import DATA_KEYWORDS, NAMED_SCHEMAS

MAX_DEPTH = 64


def modernise_schema(schema: JsonValue) -> tuple[JsonValue, tuple[str, ...]]:
    """The schema in draft 2020-12, and a sentence for each form that was changed. The argument stays as it is.

    Changed are: boolean `exclusiveMinimum` and `exclusiveMaximum` (draft 4), `items` as a list and `additionalItems`
    (to draft 2019-09), and `required: true` in a property (draft 3).
    """
    notes: dict[str, None] = {}
    return _convert(schema, notes, 0), tuple(notes)


def _convert(node: JsonValue, notes: dict[str, None], depth: int) -> Any:
    if depth > MAX_DEPTH:
        return node
    if isinstance(node, Mapping):
        converted = {key: _convert_value(key, value, notes, depth + 1) for key, value in node.items()}
        _convert_bounds(converted, notes)
        _convert_items(converted, notes)
        _convert_required(converted, notes)
        return converted
    if isinstance(node, Sequence) and not isinstance(node, str):
        return [_convert(child, notes, depth + 1) for child in node]
    return node


def _convert_value(keyword: str, value: JsonValue, notes: dict[str, None], depth: int) -> Any:
    if keyword in NAMED_SCHEMAS and isinstance(value, Mapping):
        return {name: _convert(child, notes, depth + 1) for name, child in value.items()}
    return value if keyword in DATA_KEYWORDS else _convert(value, notes, depth)


def _convert_bounds(node: dict[str, Any], notes: dict[str, None]) -> None:
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        flag = node.get(exclusive)
        if isinstance(flag, bool):
            del node[exclusive]
            if flag and bound in node:
                node[exclusive] = node.pop(bound)
            notes[
                f"“{exclusive}: {str(flag).lower()}” is the form of an old draft; it was brought to the present one."
            ] = None


def _convert_items(node: dict[str, Any], notes: dict[str, None]) -> None:
    if isinstance(node.get("items"), list):
        node["prefixItems"] = node.pop("items")
        if "additionalItems" in node:
            node["items"] = node.pop("additionalItems")
        notes["“items” as a list is the form of an old draft; it became “prefixItems”."] = None


def _convert_required(node: dict[str, Any], notes: dict[str, None]) -> None:
    properties = node.get("properties")
    if not isinstance(properties, dict):
        return
    needed = [name for name, child in properties.items() if isinstance(child, dict) and child.get("required") is True]
    for child in properties.values():
        if isinstance(child, dict) and isinstance(child.get("required"), bool):
            del child["required"]
            notes["“required: true” in a property is the form of an old draft; the name went to the object's list."] = (
                None
            )
    if needed:
        listed = node.get("required")
        node["required"] = list(dict.fromkeys([*(listed if isinstance(listed, list) else []), *needed]))
