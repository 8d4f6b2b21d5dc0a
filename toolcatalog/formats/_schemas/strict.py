"""Strict mode: the vendor guarantees that arguments fit the schema, if the schema keeps to a narrow dialect.

A schema that cannot be written there without refusing arguments that the canonical schema allows is not written at all.
What the dialect cannot say but the canonical schema still checks (formats, lengths, defaults) goes into descriptions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .keywords import HOLDS_LIST, HOLDS_NAMED, HOLDS_ONE, Schema, iterate_schemas, without
from .merge import flatten_all_of
from .nullable import add_null, allows_null, find_common_type, is_of_type, spread_type_lists
from .words import put_in_words


class NotStrictError(Exception):
    """A schema that cannot be written strictly: `path` says where, `reason` completes the sentence "It …"."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class StrictDialect:
    """What one vendor takes in strict mode."""

    formats: frozenset[str]
    bounds: frozenset[str] = frozenset()
    """Keywords besides the common ones that are taken as they stand."""
    optional_is_null: bool = False
    """Whether what is optional has to be required, with null for "not given"."""


_FORMATS = frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"})
_SAID = frozenset({"additionalProperties", "anyOf", "const", "description", "enum", "items", "properties"})
_SAID |= {"required", "title", "type"}
_BOUNDS = frozenset(
    {"exclusiveMaximum", "exclusiveMinimum", "maxItems", "maximum", "minItems", "minimum", "multipleOf"}
)
_BOUNDS |= {"pattern"}
_TOLD = _BOUNDS | {"contentEncoding", "contentMediaType", "default", "format", "maxLength", "minLength", "uniqueItems"}
"""What goes into the description where a dialect does not take it. The arguments are checked for it all the same."""
_REFUSED = HOLDS_ONE | HOLDS_LIST | HOLDS_NAMED | {"$dynamicRef", "$ref", "dependencies", "dependentRequired"}
_REFUSED |= {"maxContains", "maxProperties", "minContains", "minProperties"}
"""What has no place in strict mode and cannot just be told. Keywords in none of the lists are left out."""

_FOR_ARRAYS = ("items", "maxItems", "minItems")
_FOR_OBJECTS = ("additionalProperties", "properties", "required")

OPENAI_STRICT = StrictDialect(formats=_FORMATS, bounds=_BOUNDS, optional_is_null=True)
ANTHROPIC_STRICT = StrictDialect(formats=_FORMATS | {"uri"})

_MOST_PROPERTIES = 5_000
_MOST_LEVELS = 10
_MOST_ENUM_VALUES = 1_000
_MOST_CHARACTERS = 120_000
_LONG_ENUM = 250
_MOST_LONG_ENUM_CHARACTERS = 15_000


def make_strict(schema: Schema, path: str, dialect: StrictDialect) -> tuple[Schema, tuple[str, ...]]:
    """Write an inlined root schema strictly. The second result names the properties whose null means "not given".

    Raises NotStrictError.
    """
    if not dialect.optional_is_null:
        schema = spread_type_lists(schema, path)
    writer = _StrictWriter(dialect)
    strict = writer.write_root(schema, path)
    if dialect.optional_is_null:
        _check_limits(strict, path)
    return strict, tuple(writer.null_means_absent)


class _StrictWriter:
    def __init__(self, dialect: StrictDialect) -> None:
        self._dialect = dialect
        self.null_means_absent: list[str] = []

    def write_root(self, schema: Schema, path: str) -> Schema:
        root = without(self._tell(schema, path), *_FOR_ARRAYS)
        if not root.get("properties") and "additionalProperties" not in root:
            return {**root, "properties": {}, "required": [], "additionalProperties": False}
        return self._write_object(root, path, is_root=True)

    def write(self, schema: Schema, path: str) -> Schema:
        node = self._name_type(self._tell(flatten_all_of(schema), path))
        if not node.keys() & {"type", "enum", "const", "anyOf"}:
            raise NotStrictError(path, "allows any value")
        if "anyOf" in node:
            branches = [self.write(branch, f"{path}.anyOf[{index}]") for index, branch in enumerate(node["anyOf"])]
            node = {**node, "anyOf": branches}
        if "type" not in node and node.keys() & {*_FOR_ARRAYS, *_FOR_OBJECTS}:
            raise NotStrictError(path, "does not name its type")
        node = self._write_array(node, path) if _may_be(node, "array") else without(node, *_FOR_ARRAYS)
        return self._write_object(node, path) if _may_be(node, "object") else without(node, *_FOR_OBJECTS)

    def _name_type(self, node: Schema) -> Schema:
        """The schema with the type of its values, which the vendors ask for, where it lists values only."""
        if node.keys() & {"anyOf", "type"} or not node.keys() & {"const", "enum"}:
            return node
        values = node["enum"] if "enum" in node else [node["const"]]
        kind = find_common_type([value for value in values if value is not None])
        if not kind or (None in values and not self._dialect.optional_is_null):
            return node
        return {"type": [kind, "null"] if None in values else kind, **node}

    def _write_array(self, node: Schema, path: str) -> Schema:
        if "items" not in node:
            raise NotStrictError(path, "does not say what the array holds")
        return {**node, "items": self.write(node["items"], f"{path}.items")}

    def _write_object(self, node: Schema, path: str, *, is_root: bool = False) -> Schema:
        properties, required = node.get("properties", {}), node.get("required", [])
        if node.get("additionalProperties") is not False and not (properties and "additionalProperties" not in node):
            raise NotStrictError(path, "takes properties that are not named")
        written: dict[str, Schema] = {}
        for name, child in properties.items():
            where = f"{path}.properties.{name}"
            optional = self._dialect.optional_is_null and name not in required
            if optional and not is_root:
                raise NotStrictError(where, "is optional inside an object")
            written[name] = self._write_optional(name, child, where) if optional else self.write(child, where)
        demanded = list(properties) if self._dialect.optional_is_null else required
        closed = {**without(node, "required"), "properties": written, "additionalProperties": False}
        return {**closed, "required": demanded} if demanded or self._dialect.optional_is_null else closed

    def _write_optional(self, name: str, child: Schema, path: str) -> Schema:
        written = self.write(child, path)
        if not allows_null(written):
            self.null_means_absent.append(name)
            return add_null(written)
        if child.get("default", "") is not None:
            raise NotStrictError(path, "may be left out and may be null, which would become one")
        return written

    def _tell(self, schema: Schema, path: str) -> Schema:
        node = schema
        for keyword, value in schema.items():
            if keyword in _SAID or self._takes(keyword, value):
                continue
            if keyword in _REFUSED:
                raise NotStrictError(path, f'uses "{keyword}"')
            node = put_in_words(node, keyword) if keyword in _TOLD else without(node, keyword)
        return node

    def _takes(self, keyword: str, value: Any) -> bool:
        if keyword == "format":
            return value in self._dialect.formats
        if keyword == "pattern" and "(?" in value.replace("(?:", ""):
            return False  # looking around, and flags
        return keyword in self._dialect.bounds or (keyword == "minItems" and value in (0, 1))


def _may_be(schema: Schema, kind: str) -> bool:
    kinds = schema.get("type")
    return kinds == kind or (isinstance(kinds, list) and kind in kinds)


def _check_limits(schema: Schema, path: str) -> None:
    properties = enum_values = characters = 0
    for node in iterate_schemas(schema):
        properties += len(node.get("properties", ()))
        characters += sum(map(len, node.get("properties", ())))
        texts = [value for value in node.get("enum", ()) if is_of_type(value, "string")]
        enum_values += len(node.get("enum", ()))
        characters += sum(map(len, texts))
        if len(texts) > _LONG_ENUM and sum(map(len, texts)) > _MOST_LONG_ENUM_CHARACTERS:
            raise NotStrictError(path, f"has an enum of more than {_MOST_LONG_ENUM_CHARACTERS} characters")
    for count, most, what in (
        (properties, _MOST_PROPERTIES, "properties"),
        (enum_values, _MOST_ENUM_VALUES, "enum values"),
        (characters, _MOST_CHARACTERS, "characters in names and enums"),
        (_count_levels(schema), _MOST_LEVELS, "levels of nesting"),
    ):
        if count > most:
            raise NotStrictError(path, f"has more than {most} {what}")


def _count_levels(schema: Schema) -> int:
    """How many objects and arrays stand inside one another."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    own = 1 if "properties" in schema or "items" in schema else 0
    return own + max(map(_count_levels, inner), default=0)


def count_optional_and_unions(schema: Schema) -> tuple[int, int]:
    """How many properties a schema leaves optional, and how many schemas in it are unions, at all levels."""
    optional = unions = 0
    for node in iterate_schemas(schema):
        optional += sum(name not in node.get("required", ()) for name in node.get("properties", ()))
        unions += "anyOf" in node or isinstance(node.get("type"), list)
    return optional, unions
