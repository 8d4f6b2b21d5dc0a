"""Where JSON Schema (2020-12) holds schemas inside schemas, and how to walk them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]
"""A schema object that `tidy_schema` has checked: every keyword below holds what it should."""

NOTHING: Schema = {"not": {}}
"""What no value fits: `false` in the place of a schema."""

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})

HOLDS_ONE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
HOLDS_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
HOLDS_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})

ANNOTATIONS = frozenset(
    {"$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"}
)

Visit: TypeAlias = Callable[[Schema, str], Schema]


def map_children(schema: Schema, path: str, visit: Visit) -> Schema:
    """A new schema with every schema directly inside `schema` replaced by `visit(child, its path)`."""
    return {keyword: _map_value(keyword, value, f"{path}.{keyword}", visit) for keyword, value in schema.items()}


def _map_value(keyword: str, value: Any, path: str, visit: Visit) -> Any:
    if keyword in HOLDS_NAMED:
        return {name: visit(child, f"{path}.{name}") for name, child in value.items()}
    if keyword in HOLDS_LIST:
        return [visit(child, f"{path}[{index}]") for index, child in enumerate(value)]
    if keyword in HOLDS_ONE and isinstance(value, dict):
        return visit(value, path)
    return value


def iterate_children(schema: Schema) -> Iterator[Schema]:
    """Every schema directly inside `schema`."""
    for keyword, value in schema.items():
        if keyword in HOLDS_NAMED:
            yield from value.values()
        elif keyword in HOLDS_LIST:
            yield from value
        elif keyword in HOLDS_ONE and isinstance(value, dict):
            yield value


def iterate_schemas(schema: Schema) -> Iterator[Schema]:
    """`schema` and every schema inside it, at any depth."""
    pending = [schema]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(iterate_children(node))


def without(schema: Schema, *keywords: str) -> Schema:
    """A copy of `schema` that lacks some keywords."""
    return {keyword: value for keyword, value in schema.items() if keyword not in keywords}
