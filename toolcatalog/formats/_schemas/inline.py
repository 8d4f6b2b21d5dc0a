"""`$ref` written out in place, within a budget."""

from __future__ import annotations

from .._notes import Notes
from .keywords import Schema, iterate_children, iterate_schemas, map_children, without
from .merge import conjoin
from .pointers import REFERENCES, Place, References, opens_resource

NODE_BUDGET = 2_000
"""How many schemas may be added by writing references out; then the rest is cut."""
UNROLLED = 3
"""How often one reference may stand inside itself before it is cut."""
DEPTH_LIMIT = 64
"""How many schemas may stand inside one another once references are written out: what recursive functions bear."""

_ONLY_FOR_REFS = ("$ref", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$dynamicRef", "$id")


def has_refs(schema: Schema) -> bool:
    """Whether a reference stands anywhere in the schema."""
    return any(keyword in node for node in iterate_schemas(schema) for keyword in REFERENCES)


def has_odd_refs(schema: Schema) -> bool:
    """Whether there are references that are more than a path from the root, which not every server understands.

    These are references to anchors, dynamic ones, and all where a part of the schema has an `$id` of its own.
    """
    return any(
        "$dynamicRef" in node
        or ("$ref" in node and node["$ref"] != "#" and not node["$ref"].startswith("#/"))
        or (node is not schema and opens_resource(node))
        for node in iterate_schemas(schema)
    )


def inline_refs(schema: Schema, path: str, notes: Notes) -> tuple[Schema, bool]:
    """The schema without references, and whether all of them could be written out whole.

    Keywords beside a `$ref` hold as well, and a description there goes before the target's. What is recursive or too
    big is cut to an object (or whatever type it has) of which nothing more is said; what leads nowhere becomes `{}`.
    """
    inliner = _Inliner(notes)
    inlined = inliner.expand(Place(schema, schema), path, ())
    return inlined, inliner.is_whole


def drop_unknown_refs(schema: Schema, path: str, notes: Notes) -> Schema:
    """The schema without the references that lead nowhere or out of this document; the others stay."""
    references = References()

    def visit(node: Schema, where: str, around: Schema) -> Schema:
        resource = node if opens_resource(node) else around
        kept = map_children(node, where, lambda child, place: visit(child, place, resource))
        for keyword in REFERENCES:
            if keyword in node and references.resolve(node[keyword], resource) is None:
                _note_unknown(node[keyword], where, notes)
                kept = without(kept, keyword)
        return kept

    return visit(schema, path, schema)


class _Inliner:
    def __init__(self, notes: Notes) -> None:
        self.is_whole = True
        self._references = References()
        self._notes = notes
        self._budget = NODE_BUDGET
        self._sizes: dict[int, int] = {}

    def expand(self, place: Place, path: str, trail: tuple[int, ...], depth: int = 0) -> Schema:
        """The schema at `place`, written out. `trail` holds the ids of the targets that it stands in."""
        node = place.schema
        if depth > DEPTH_LIMIT:
            return self._cut(node, "What stands here", path)
        resource = node if opens_resource(node) else place.resource
        written = map_children(
            without(node, *_ONLY_FOR_REFS),
            path,
            lambda child, where: self.expand(Place(child, resource), where, trail, depth + 1),
        )
        for keyword in REFERENCES:
            if keyword in node:
                target = self._write_target(node[keyword], resource, path, trail, depth)
                written = conjoin(target, written)
        return written

    def _write_target(self, ref: str, resource: Schema, path: str, trail: tuple[int, ...], depth: int) -> Schema:
        place = self._references.resolve(ref, resource)
        if place is None:
            self.is_whole = False
            _note_unknown(ref, path, self._notes)
            return {}
        if not self._affords(place.schema, trail):
            return self._cut(place.schema, ref, path)
        return self.expand(place, path, (*trail, id(place.schema)), depth + 1)

    def _affords(self, target: Schema, trail: tuple[int, ...]) -> bool:
        if trail.count(id(target)) >= UNROLLED:
            return False
        size = self._sizes.get(id(target))
        if size is None:
            size = self._sizes[id(target)] = _count_schemas(target, NODE_BUDGET + 1)
        if size > self._budget:
            return False
        self._budget -= size
        return True

    def _cut(self, target: Schema, what: str, path: str) -> Schema:
        self.is_whole = False
        self._notes.add(
            "reference_cut",
            path,
            f"{self._notes.label} gets references written out; {what} is recursive or too big for that, and is cut.",
        )
        kind = target.get("type")
        if isinstance(kind, str):
            return {"type": kind}
        return {"type": "object"} if "properties" in target else {}


def _count_schemas(schema: Schema, most: int) -> int:
    pending, count = [schema], 0
    while pending and count < most:
        count += 1
        pending.extend(iterate_children(pending.pop()))
    return count


def _note_unknown(ref: str, path: str, notes: Notes) -> None:
    notes.add("reference_unknown", path, f"{ref} leads to nothing in this schema; any value is allowed there.")
