"""Two schemas that both have to hold, as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolcatalog.contract.json import dump_canonical_json

from .keywords import ANNOTATIONS, Schema, without

_KEPT_TOGETHER = (
    frozenset({"if", "then", "else"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"prefixItems", "items"}),
)
"""Keywords whose meaning depends on their neighbours: never taken from two schemas."""


def conjoin(first: Schema, second: Schema) -> Schema:
    """The schema of what both allow. Where both annotate, the second has the word.

    Keywords that cannot be joined are kept apart under `allOf`.
    """
    joined, apart = dict(first), _take_dependent(first, second)
    for keyword, value in without(second, *apart).items():
        if keyword not in joined or keyword in ANNOTATIONS:
            joined[keyword] = value
        elif joined[keyword] != value or type(joined[keyword]) is not type(value):
            joiner = _JOINERS.get(keyword)
            both = joiner(joined[keyword], value) if joiner else None
            if both is None:
                apart[keyword] = value
            else:
                joined[keyword] = both
    if apart:
        joined["allOf"] = [*joined.get("allOf", []), apart]
    return declare_required(joined)


def declare_required(schema: Schema) -> Schema:
    """The schema with a property `{}` (any value) for what is required but not described, where it has properties."""
    if "properties" not in schema:
        return schema
    missing = [name for name in schema.get("required", ()) if name not in schema["properties"]]
    return {**schema, "properties": {**schema["properties"], **{name: {} for name in missing}}} if missing else schema


def flatten_all_of(schema: Schema) -> Schema:
    """Conjoin the branches of `allOf` into the schema as far as can be. Works through `allOf` inside `allOf`."""
    if "allOf" not in schema:
        return schema
    flat = without(schema, "allOf", "required")
    required = dict.fromkeys(schema.get("required", ()))
    pending = list(schema["allOf"])
    left: list[Schema] = []
    while pending:
        branch = pending.pop(0)
        if "allOf" in branch:
            pending[:0] = [without(branch, "allOf"), *branch["allOf"]]
            continue
        required.update(dict.fromkeys(branch.get("required", ())))
        merged = conjoin(flat, without(branch, "required"))
        left.extend(merged.pop("allOf", ()))
        # What is said of the whole stands before what a branch says of itself.
        flat = {**merged, **{key: flat[key] for key in ANNOTATIONS if key in flat}}
    flat = declare_required({**flat, "required": list(required)}) if required else flat
    return {**flat, "allOf": left} if left else flat


def drop_repeated(schemas: Sequence[Schema]) -> list[Schema]:
    """The schemas without those that say the same as an earlier one."""
    distinct: dict[bytes, Schema] = {}
    for schema in schemas:
        distinct.setdefault(dump_canonical_json(schema), schema)
    return list(distinct.values())


def _take_dependent(first: Schema, second: Schema) -> Schema:
    apart: Schema = {}
    for group in _KEPT_TOGETHER:
        here, there = group & first.keys(), group & second.keys()
        if here and there and not (here == there == {"items"}):
            apart.update({keyword: second[keyword] for keyword in second if keyword in there})
    return apart


def _join_types(first: Any, second: Any) -> Any:
    here, there = _as_list(first), _as_list(second)
    both = [kind for kind in here if kind in there or (kind == "integer" and "number" in there)]
    both += ["integer"] if "number" in here and "integer" in there and "integer" not in both else []
    return both[0] if len(both) == 1 else both or None


def _as_list(kind: Any) -> list[str]:
    return kind if isinstance(kind, list) else [kind]


def _join_lists(first: list[Any], second: list[Any]) -> list[Any]:
    return [*first, *(item for item in second if item not in first)]


def _concatenate(first: list[Any], second: list[Any]) -> list[Any]:
    return [*first, *second]


def _intersect(first: list[Any], second: list[Any]) -> list[Any] | None:
    there = {dump_canonical_json(item) for item in second}
    return [item for item in first if dump_canonical_json(item) in there] or None


def _join_named(first: dict[str, Schema], second: dict[str, Schema]) -> dict[str, Schema]:
    joined = dict(first)
    for name, child in second.items():
        joined[name] = conjoin(first[name], child) if name in first else child
    return joined


def _join_additional(first: Any, second: Any) -> Any:
    if first is False or second is False:
        return False
    if first is True:
        return second
    return first if second is True else conjoin(first, second)


_JOINERS: dict[str, Callable[[Any, Any], Any]] = {
    "type": _join_types,
    "required": _join_lists,
    "enum": _intersect,
    "allOf": _concatenate,
    "items": conjoin,
    "additionalProperties": _join_additional,
    **dict.fromkeys(("properties", "$defs", "definitions"), _join_named),
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
    "uniqueItems": lambda first, second: first or second,
}
