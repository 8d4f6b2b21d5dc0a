"""The first step of every export: a copy of the canonical schema in which each keyword holds what it should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolcatalog.contract.json import MAX_INTEGER, dump_canonical_json

from .._notes import Notes
from .._plain import NotPlainError, copy_plain
from .keywords import HOLDS_LIST, HOLDS_NAMED, HOLDS_ONE, TYPES, Schema
from .merge import declare_required

_MAY_BE_NULL = frozenset({"const", "default"})
_MAY_BE_BOOLEAN = frozenset({"additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"})

_COUNTS = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})
_COUNTS |= {"minContains", "maxContains"}


def tidy_schema(schema: object, path: str, notes: Notes) -> Schema:
    """Copy a schema, leaving out what is not well formed and noting it.

    Members that are null mean "not given" (except `const` and `default`); `true` and `false` in the place of a schema
    become `{}` and `{"not": {}}`; an empty `required` goes; a list under `items` is `prefixItems` of old; what is
    required is a property, with `{}` where nothing is said of it. No schema at all (None) is the empty one. Raises
    NotPlainError when the whole cannot be sent.
    """
    plain = {} if schema is None else copy_plain(schema, path)
    if not isinstance(plain, dict):
        raise NotPlainError(path, "is not a JSON object")
    return _tidy(plain, path, notes)


def _tidy(node: Schema, path: str, notes: Notes) -> Schema:
    tidied: Schema = {}
    for keyword, value in node.items():
        if value is None and keyword not in _MAY_BE_NULL:
            continue
        where = f"{path}.{keyword}"
        if keyword == "items" and isinstance(value, list):
            tidied["prefixItems"] = _tidy_value("prefixItems", value, where, notes)
        elif _is_well_formed(keyword, value):
            tidied[keyword] = _tidy_value(keyword, value, where, notes)
        else:
            notes.add("malformed_keyword", where, f"What stands at {where} is not valid JSON Schema; it is left out.")
    return _tidy_required(tidied)


def _tidy_value(keyword: str, value: Any, path: str, notes: Notes) -> Any:
    if keyword in HOLDS_NAMED:
        return {name: _tidy_child(child, f"{path}.{name}", notes) for name, child in value.items()}
    if keyword in HOLDS_LIST:
        return [_tidy_child(child, f"{path}[{index}]", notes) for index, child in enumerate(value)]
    if keyword in _COUNTS:
        return int(value)
    if keyword == "enum":
        return list({dump_canonical_json(one): one for one in value}.values())
    if keyword in HOLDS_ONE and not (keyword in _MAY_BE_BOOLEAN and isinstance(value, bool)):
        return _tidy_child(value, path, notes)
    return value


def _tidy_child(value: object, path: str, notes: Notes) -> Schema:
    if isinstance(value, dict):
        return _tidy(value, path, notes)
    if isinstance(value, bool):
        return {} if value else {"not": {}}
    notes.add("malformed_schema", path, f"What stands at {path} is not a schema; any value is allowed there.")
    return {}


def _tidy_required(schema: Schema) -> Schema:
    required = list(dict.fromkeys(schema.pop("required", ())))
    return declare_required({**schema, "required": required}) if required else schema


def _is_well_formed(keyword: str, value: Any) -> bool:
    check = _CHECKS.get(keyword)
    return check is None or check(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= MAX_INTEGER and value == int(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_filled_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in TYPES
    return _is_filled_list(value) and _is_list_of_text(value) and TYPES.issuperset(value)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "required": _is_list_of_text,
    "enum": _is_filled_list,
    "multipleOf": lambda value: _is_number(value) and value > 0,
    "dependentRequired": lambda value: _is_object(value) and all(map(_is_list_of_text, value.values())),
    **dict.fromkeys(HOLDS_NAMED, _is_object),
    **dict.fromkeys(HOLDS_LIST, _is_filled_list),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(_COUNTS, _is_count),
    **dict.fromkeys(("pattern", "format", "title", "description", "$comment", "$id"), _is_text),
    **dict.fromkeys(("$ref", "$dynamicRef", "$anchor", "$dynamicAnchor"), _is_text),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _is_boolean),
    "examples": lambda value: isinstance(value, list),
}
