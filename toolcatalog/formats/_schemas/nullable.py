"""Null as one of the allowed values, in the three ways in which schemas say it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .keywords import Schema, map_children, without

NULL: Schema = {"type": "null"}


def allows_null(schema: Schema) -> bool:
    """Whether the schema says of itself that null is allowed (by type, enum, const or a branch)."""
    kind = schema.get("type")
    if kind is not None and kind != "null" and not (isinstance(kind, list) and "null" in kind):
        return False
    if "enum" in schema:
        return None in schema["enum"]
    if "const" in schema:
        return schema["const"] is None
    branches = schema.get("anyOf") or schema.get("oneOf")
    if branches:
        return any(allows_null(branch) for branch in branches)
    return kind is not None


def add_null(schema: Schema) -> Schema:
    """The schema, with null allowed besides. The schema is taken to have a type, an enum, a const or branches."""
    if allows_null(schema):
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], NULL]}
    if "const" in schema:
        return add_null({**without(schema, "const"), "enum": [schema["const"]]})
    nullable = dict(schema)
    if "enum" in schema:
        nullable["enum"] = [*schema["enum"], None]
    if "type" in schema:
        nullable["type"] = list(dict.fromkeys([*_as_list(schema["type"]), "null"]))
    return nullable


def spread_type_lists(schema: Schema, path: str) -> Schema:
    """Every list of types written as `anyOf`, at every level. A schema that has `anyOf` already gets it in `allOf`."""

    def visit(node: Schema, where: str) -> Schema:
        node = map_children(node, where, visit)
        kinds = node.get("type")
        if not isinstance(kinds, list):
            return node
        if len(kinds) == 1:
            return {**node, "type": kinds[0]}
        branches = [branch for kind in kinds if (branch := _take_for_type(node, kind)) is not None]
        if not branches:
            return {**node, "type": kinds[0]}
        rest = _drop_from_whole(node)
        if "anyOf" in rest:
            return {**rest, "allOf": [*rest.get("allOf", []), {"anyOf": branches}]}
        return {**rest, "anyOf": branches}

    return visit(schema, path)


_FOR_TYPE = {
    "string": frozenset({"format", "maxLength", "minLength", "pattern", "contentEncoding", "contentMediaType"}),
    "number": frozenset({"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"}),
    "array": frozenset(
        {"contains", "items", "maxContains", "maxItems", "minContains", "minItems", "prefixItems", "uniqueItems"}
    ),
    "object": frozenset(
        {"additionalProperties", "maxProperties", "minProperties", "patternProperties", "properties", "propertyNames"}
        | {"required", "dependentRequired"}
    ),
}
_FOR_TYPE["integer"] = _FOR_TYPE["number"]
_FOR_ANY_TYPE = frozenset().union(*_FOR_TYPE.values())


def _take_for_type(schema: Schema, kind: str) -> Schema | None:
    """What a schema says of values of one type; None when its enum has none of that type."""
    own = _FOR_TYPE.get(kind, frozenset[str]())
    branch: dict[str, Any] = {"type": kind, **{key: value for key, value in schema.items() if key in own}}
    if "enum" not in schema:
        return branch
    fitting = [value for value in schema["enum"] if is_of_type(value, kind)]
    return {**branch, "enum": fitting} if fitting else None


def _drop_from_whole(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key not in _FOR_ANY_TYPE and key not in ("type", "enum")}


def is_of_type(value: Any, kind: str) -> bool:
    """Whether a JSON value is of a JSON Schema type."""
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _CLASSES[kind])


def find_common_type(values: Sequence[Any]) -> str:
    """The narrowest JSON Schema type that all of the values have; "" where there is none, or there are no values."""
    for kind in ("string", "boolean", "integer", "number", "object", "array"):
        if values and all(is_of_type(value, kind) for value in values):
            return kind
    return ""


_CLASSES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "object": dict,
    "array": list,
    "null": type(None),
}


def _as_list(kind: Any) -> list[str]:
    return kind if isinstance(kind, list) else [kind]
