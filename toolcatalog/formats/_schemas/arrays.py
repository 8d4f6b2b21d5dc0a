"""Arrays whose items are not described."""

from __future__ import annotations

from .._notes import Notes
from .keywords import Schema, map_children


def fill_items(schema: Schema, path: str, notes: Notes) -> Schema:
    """Give every array that lacks `items` an `items: {}` (any value), at every level."""

    def visit(node: Schema, where: str) -> Schema:
        node = map_children(node, where, visit)
        if not is_array(node) or "items" in node:
            return node
        if "prefixItems" not in node:
            notes.add(
                "array_without_items",
                where,
                f"{notes.label} wants to know what an array holds, and {where} does not say; any value is allowed.",
            )
        return {**node, "items": {}}

    return visit(schema, path)


def is_array(schema: Schema) -> bool:
    """Whether the type of the schema is, or may be, array."""
    kind = schema.get("type")
    return kind == "array" or (isinstance(kind, list) and "array" in kind)
