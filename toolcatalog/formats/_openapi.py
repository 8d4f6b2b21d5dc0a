"""Schemas in Gemini's subset of OpenAPI, read back as JSON Schema."""

from __future__ import annotations

from typing import Any

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject

from ._plain import NotPlainError, copy_plain
from ._schemas.keywords import HOLDS_LIST, HOLDS_NAMED, HOLDS_ONE, TYPES

_GEMINI_TYPES = {kind.upper(): kind for kind in TYPES}
_SPELLINGS = {
    "anyOf": "anyOf",
    "any_of": "anyOf",
    "max_items": "maxItems",
    "max_length": "maxLength",
    "max_properties": "maxProperties",
    "min_items": "minItems",
    "min_length": "minLength",
    "min_properties": "minProperties",
}


def from_openapi(schema: JsonObject, path: str) -> JsonObject:
    """A caller's schema with Gemini's type names, `nullable` and underscored keywords written as JSON Schema has them.

    A schema that is JSON Schema already comes back as it is. Raises InvalidInput.
    """
    try:
        read: JsonObject = _read(copy_plain(schema, path))
    except NotPlainError as fault:
        raise InvalidInput.single(fault.path, "not_exportable", f"{fault.path} {fault.reason}.") from fault
    return read


def _read(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    read = {keyword: _read_value(keyword, value) for keyword, value in _respell(node).items()}
    is_nullable = read.pop("nullable", False) is True
    read.pop("propertyOrdering", None)
    if is_nullable and isinstance(read.get("type"), str):
        read["type"] = [read["type"], "null"]
        if isinstance(read.get("enum"), list):
            read["enum"] = [*read["enum"], None]
    return read


def _respell(node: dict[str, Any]) -> dict[str, Any]:
    return {_SPELLINGS.get(keyword, keyword): value for keyword, value in node.items()}


def _read_value(keyword: str, value: Any) -> Any:
    if keyword == "type" and isinstance(value, str):
        return _GEMINI_TYPES.get(value, value)
    if keyword in HOLDS_NAMED and isinstance(value, dict):
        return {name: _read(child) for name, child in value.items()}
    if keyword in HOLDS_LIST and isinstance(value, list):
        return [_read(child) for child in value]
    return _read(value) if keyword in HOLDS_ONE else value
