"""Gemini's `parameters`: a subset of OpenAPI 3.0 with its own type names, without references and lists of types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolcatalog.contract.json import dump_json

from .._notes import Notes
from .keywords import NOTHING, Schema, without
from .merge import conjoin, drop_repeated, flatten_all_of
from .nullable import find_common_type, is_of_type
from .words import add_sentence, put_in_words

NODE_BUDGET = 5_000
"""How many schemas one tool may have; what comes after is sent as "any value"."""
REPEATED_BYTES = 200_000
"""How much of what stands beside unions may be repeated in their branches; unions beyond that are left out."""

_FORMATS = {"string": ("date-time", "enum"), "number": ("double", "float"), "integer": ("int32", "int64")}
_FOR_ALL = ("title", "description")
_FOR_TYPE: dict[str, tuple[str, ...]] = {
    "string": ("enum", "format", "minLength", "maxLength", "pattern"),
    "number": ("format", "minimum", "maximum"),
    "integer": ("format", "minimum", "maximum"),
    "array": ("items", "minItems", "maxItems"),
    "object": ("properties", "required", "minProperties", "maxProperties"),
}


def to_gemini_schema(schema: Schema, path: str, notes: Notes) -> Schema:
    """Write a schema without `$ref` as Gemini takes it.

    Null becomes `nullable`; a union becomes an `anyOf` that stands alone in its node; enums are of strings; every array
    has `items`; an object without properties has no `properties`. Formats, defaults and enums that cannot be sent are
    put in words, all other unknown keywords are left out: the arguments are checked against the canonical schema.
    """
    return _Writer(notes).write(schema, path)


class _Writer:
    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._left = NODE_BUDGET
        self._repeatable = REPEATED_BYTES

    def write(self, schema: Schema, path: str) -> Schema:
        self._left -= 1
        if self._left < 0:
            self._note_once(
                "schema_cut", path, f"has more than {NODE_BUDGET:,} parts; any value is allowed from here on"
            )
            return {}
        flat, nullable = _take_null(flatten_all_of(schema))
        branches = _find_branches(flat)
        if len(branches) > 1:
            return self._write_union(flat, branches, nullable, path)
        if branches:
            return self._mark(self.write(_push_down(flat, branches[0]), path), nullable)
        return self._mark(self._write_plain(flat, path), nullable)

    def _write_union(self, schema: Schema, branches: list[Schema], nullable: bool, path: str) -> Schema:
        beside = _find_beside(schema)
        self._repeatable -= len(dump_json(beside)) * len(branches) if beside else 0
        if self._repeatable < 0:
            self._note_once(
                "union_left_out", path, "has more alternatives than can be sent; what holds for all is sent"
            )
            return self._mark(self._write_plain(beside, path), nullable)
        written: list[Schema] = []
        for index, branch in enumerate(branches):
            one = self.write(_push_down(schema, branch), f"{path}.anyOf[{index}]")
            written.extend(one["anyOf"] if one.keys() == {"anyOf"} else [one])
        distinct = drop_repeated(written)
        if len(distinct) == 1:
            return self._mark(distinct[0], nullable)
        return {"anyOf": [self._mark(one, nullable) for one in distinct]}

    def _note_once(self, code: str, path: str, reason: str) -> None:
        if all(finding.code != code for finding in self._notes.findings):
            self._notes.add(code, path, f"What stands at {path} {reason}.")

    def _mark(self, written: Schema, nullable: bool) -> Schema:
        if not nullable:
            return written
        if "anyOf" in written:
            return {"anyOf": [self._mark(branch, nullable) for branch in written["anyOf"]]}
        return _place_after_type(written, {"nullable": True})

    def _write_plain(self, schema: Schema, path: str) -> Schema:
        kind = _infer_type(schema)
        told = self._tell(schema, kind, path)
        written: Schema = {"type": kind.upper()} if kind else {}
        for keyword in (*_FOR_ALL, *_FOR_TYPE.get(kind, ())):
            if keyword in told:
                written[keyword] = told[keyword]
        if kind == "array":
            written["items"] = self.write(_join_item_forms(told), f"{path}.items")
        if kind == "object":
            written = self._write_properties(written, path)
        return written

    def _write_properties(self, written: Schema, path: str) -> Schema:
        required = written.get("required", ())
        properties = {**written.get("properties", {})}
        properties.update({name: {} for name in required if name not in properties})
        if not properties:
            return without(written, "properties")
        inner = {name: self.write(child, f"{path}.properties.{name}") for name, child in properties.items()}
        return {**written, "properties": inner}

    def _tell(self, schema: Schema, kind: str, path: str) -> Schema:
        """Put in words what is lost: default, format, enum and const."""
        told = schema
        if "const" in told:
            is_text = isinstance(told["const"], str) and told["const"]
            told = {**without(told, "const"), "enum": [told["const"]]} if is_text else self._put(told, "const", path)
        if "enum" in told and not (kind == "string" and _can_send_enum(told["enum"])):
            told = self._put(told, "enum", path)
        if "format" in told and told["format"] not in _FORMATS.get(kind, ()):
            told = self._put(told, "format", path)
        if "default" in told:
            told = put_in_words(told, "default")
        return told

    def _put(self, schema: Schema, keyword: str, path: str) -> Schema:
        self._notes.add(
            f"{keyword}_in_words",
            f"{path}.{keyword}",
            f'Gemini does not take this "{keyword}"; it is written into the description.',
        )
        return put_in_words(schema, keyword)


def _take_null(schema: Schema) -> tuple[Schema, bool]:
    """The schema without null among its values, and whether null was among them."""
    kind = schema.get("type")
    if kind == "null":
        return without(schema, "type", "enum", "const"), True
    if isinstance(kind, list) and "null" in kind:
        others = [name for name in kind if name != "null"]
        rest = {**schema, "type": others[0] if len(others) == 1 else others} if others else without(schema, "type")
        return _drop_null_value(rest), "enum" not in schema or None in schema["enum"]
    if kind is None and "enum" in schema and None in schema["enum"]:
        return _drop_null_value(schema), True
    if kind is None and "const" in schema and schema["const"] is None:
        return without(schema, "const"), True
    for keyword in ("anyOf", "oneOf"):
        branches = schema.get(keyword, ())
        others = [branch for branch in branches if branch.get("type") != "null"]
        if others and len(others) < len(branches):
            return {**schema, keyword: others}, kind is None
    return schema, False


def _drop_null_value(schema: Schema) -> Schema:
    if "enum" not in schema:
        return schema
    values = [value for value in schema["enum"] if value is not None]
    return {**schema, "enum": values} if values else without(schema, "enum")


def _find_branches(schema: Schema) -> list[Schema]:
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            branches: list[Schema] = schema[keyword]
            # Branches that only ask for properties say nothing about the shape; the canonical check enforces them.
            return branches if any(branch.keys() - {"required", "description", "not"} for branch in branches) else []
    kind = schema.get("type")
    return [{"type": name} for name in kind] if isinstance(kind, list) else []


def _push_down(schema: Schema, branch: Schema) -> Schema:
    """One branch of a union together with what is said beside the union. Only what is said of all values of a type."""
    beside = _find_beside(schema)
    own, shared = branch.get("description"), beside.get("description")
    joined = conjoin(beside, branch)
    if own and shared and own != shared:
        joined = add_sentence({**joined, "description": shared}, own)
    return _drop_foreign_enum(joined)


def _find_beside(schema: Schema) -> Schema:
    """What is said beside a union, in whichever of the forms that `_find_branches` knows."""
    return without(schema, "anyOf", "oneOf") if "anyOf" in schema or "oneOf" in schema else without(schema, "type")


def _drop_foreign_enum(schema: Schema) -> Schema:
    kind = schema.get("type")
    if "enum" not in schema or not isinstance(kind, str):
        return schema
    values = [value for value in schema["enum"] if is_of_type(value, kind)]
    return {**schema, "enum": values} if values else without(schema, "enum")


def _infer_type(schema: Schema) -> str:
    """The type of a schema, from what it says of its values where it names none; "" when nothing tells."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind
    if isinstance(kind, list):
        return str(kind[0])
    if "properties" in schema or "required" in schema or "additionalProperties" in schema:
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return find_common_type(values)


def _can_send_enum(values: Iterable[Any]) -> bool:
    """Gemini takes strings only, and refuses the empty one."""
    return all(isinstance(value, str) and value for value in values)


def _join_item_forms(schema: Schema) -> Schema:
    """One form for all items of an array: any of those that stand in single places, or the one for the others."""
    forms = list(schema.get("prefixItems", ()))
    others: Schema = schema.get("items", {})
    if not forms:
        return others
    forms = drop_repeated(forms if others in ({}, NOTHING) else [*forms, others])
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


def _place_after_type(written: Schema, more: Schema) -> Schema:
    head = {"type": written["type"]} if "type" in written else {}
    return {**head, **more, **without(written, "type")}
