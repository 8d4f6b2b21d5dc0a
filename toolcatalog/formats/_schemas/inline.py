"""`$ref` written out in place, within a budget."""

from __future__ import annotations

from .._notes import Notes
from .keywords import Schema, iterate_children, iterate_schemas, map_children, without
from .merge import conjoin
from .pointers import resolve_ref

NODE_BUDGET = 2_000
"""How many schemas may be added by writing references out; then the rest is cut."""
UNROLLED = 3
"""How often one reference may stand inside itself before it is cut."""
DEPTH_LIMIT = 64
"""How many schemas may stand inside one another once references are written out: what recursive functions bear."""

_ONLY_FOR_REFS = ("$ref", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$dynamicRef", "$id")


def has_refs(schema: Schema) -> bool:
    """Whether `$ref` stands anywhere in the schema."""
    return any("$ref" in node for node in iterate_schemas(schema))


def inline_refs(schema: Schema, path: str, notes: Notes) -> tuple[Schema, bool]:
    """The schema without references, and whether all of them could be written out whole.

    Keywords beside a `$ref` hold as well, and a description there goes before the target's. What is recursive or too
    big is cut to an object (or whatever type it has) of which nothing more is said; what leads nowhere becomes `{}`.
    """
    inliner = _Inliner(schema, notes)
    inlined = inliner.expand(schema, path, ())
    return inlined, inliner.is_whole


def drop_unknown_refs(schema: Schema, path: str, notes: Notes) -> Schema:
    """The schema without the references that lead nowhere or out of this document; the others stay."""

    def visit(node: Schema, where: str) -> Schema:
        node = map_children(node, where, visit)
        if "$ref" not in node or resolve_ref(schema, node["$ref"]) is not None:
            return node
        _note_unknown(node["$ref"], where, notes)
        return without(node, "$ref")

    return visit(schema, path)


class _Inliner:
    def __init__(self, root: Schema, notes: Notes) -> None:
        self.is_whole = True
        self._root = root
        self._notes = notes
        self._budget = NODE_BUDGET

    def expand(self, node: Schema, path: str, trail: tuple[str, ...], depth: int = 0) -> Schema:
        if depth > DEPTH_LIMIT:
            return self._cut(node, "What stands here", path)
        beside = map_children(
            without(node, *_ONLY_FOR_REFS), path, lambda child, where: self.expand(child, where, trail, depth + 1)
        )
        ref = node.get("$ref")
        if ref is None:
            return beside
        target = resolve_ref(self._root, ref)
        if target is None:
            self.is_whole = False
            _note_unknown(ref, path, self._notes)
            return beside
        if not self._affords(ref, target, trail):
            return conjoin(self._cut(target, ref, path), beside)
        return conjoin(self.expand(target, path, (*trail, ref), depth + 1), beside)

    def _affords(self, ref: str, target: Schema, trail: tuple[str, ...]) -> bool:
        if trail.count(ref) >= UNROLLED:
            return False
        size = _count_schemas(target, self._budget + 1)
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
