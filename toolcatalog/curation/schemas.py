"""Checks JSON Schemas of tools at save: standard, local, bounded. No check here touches the network or backtracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema_rs

from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.json import JsonObject, JsonValue, dump_json, find_unstorable

MAX_BYTES = 64 * 1024
MAX_DEPTH = 32
MAX_PROPERTIES = 500
DATA_KEYWORDS = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose value is data, whatever it looks like."""
NAMED_SCHEMAS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
"""Keywords that hold schemas under names, which may be any words."""
_STANDARD = jsonschema_rs.Draft202012Validator({"$ref": "https://json-schema.org/draft/2020-12/schema"}, offline=True)


def check_parameters(schema: JsonValue, path: str = "parameters") -> tuple[FieldError, ...]:
    """Everything that is wrong with the schema of a tool's arguments, each with a JSON path and what to do."""
    if not isinstance(schema, Mapping):
        return (FieldError(path, "not_an_object", "Write a JSON object: {} stands for a tool that takes nothing."),)
    return _check(schema, path, root_must_be_object=True)


def check_output_schema(schema: JsonValue, path: str = "output_schema") -> tuple[FieldError, ...]:
    """Everything that is wrong with the schema of a tool's result; None is fine."""
    if schema is None:
        return ()
    if not isinstance(schema, Mapping):
        return (FieldError(path, "not_an_object", "Write a JSON Schema object, or leave it empty."),)
    return _check(schema, path, root_must_be_object=False)


def _check(schema: JsonObject, path: str, *, root_must_be_object: bool) -> tuple[FieldError, ...]:
    for check in (_check_storable, _check_size):
        errors = tuple(check(schema, path))
        if errors:
            return errors
    errors = tuple(_check_references(schema, path)) + tuple(_check_standard(schema, path))
    if root_must_be_object:
        errors = tuple(_check_root(schema, path)) + errors
    return errors or tuple(_check_compiles(schema, path))


def _check_storable(schema: JsonObject, path: str) -> Iterator[FieldError]:
    for where, problem in find_unstorable(schema, path, max_depth=MAX_DEPTH):
        yield FieldError(where, "unstorable", f"{where} {problem}. Make it simpler.")


def _check_size(schema: JsonObject, path: str) -> Iterator[FieldError]:
    size = len(dump_json(schema))
    if size > MAX_BYTES:
        yield FieldError(path, "too_large", f"The schema has {size:,} bytes; {MAX_BYTES:,} is the most. Shorten it.")
    maps = (node.get("properties") for _, node in walk_schema(schema, path))
    properties = sum(len(properties) for properties in maps if isinstance(properties, Mapping))
    if properties > MAX_PROPERTIES:
        yield FieldError(path, "too_many_properties", f"{properties} properties are more than {MAX_PROPERTIES}.")


def _check_root(schema: JsonObject, path: str) -> Iterator[FieldError]:
    kind = schema.get("type")
    if kind is not None and kind != "object":
        yield FieldError(
            f"{path}.type", "root_not_object", "Models pass arguments by name: the root must have the type “object”."
        )
    elif kind is None and any(key in schema for key in ("oneOf", "anyOf", "allOf", "$ref", "enum", "const")):
        yield FieldError(path, "root_not_object", 'Add "type": "object" to the root: models pass arguments by name.')


def _check_references(schema: JsonObject, path: str) -> Iterator[FieldError]:
    for where, node in walk_schema(schema, path):
        for key in ("$ref", "$dynamicRef"):
            reference = node.get(key)
            if isinstance(reference, str) and not reference.startswith("#"):
                message = f"“{reference}” points outside this schema. Copy what it names into $defs and point there."
                yield FieldError(f"{where}.{key}", "remote_reference", message)


def _check_standard(schema: JsonObject, path: str) -> Iterator[FieldError]:
    seen = set()
    for error in _STANDARD.iter_errors(schema):
        where = join_path(path, error.instance_path)
        if where not in seen:
            seen.add(where)
            yield FieldError(where, "not_json_schema", f"This is not JSON Schema 2020-12: {error.message}.")


def _check_compiles(schema: JsonObject, path: str) -> Iterator[FieldError]:
    """References that lead nowhere, and patterns that no linear-time engine can run."""
    try:
        compile_validator(schema)
    except (jsonschema_rs.ReferencingError, ValueError) as error:
        text = getattr(error, "message", str(error))
        if _is_about_references(error):
            yield FieldError(path, "broken_reference", f"A $ref leads nowhere: {text}.")
            return
        where = join_path(path, getattr(error, "instance_path", []))
        yield FieldError(where, "not_usable", f"{text}: write a pattern without looking around or back references.")


def _is_about_references(error: Exception) -> bool:
    kinds = jsonschema_rs.ValidationErrorKind.Referencing
    return isinstance(error, jsonschema_rs.ReferencingError) or isinstance(getattr(error, "kind", None), kinds)


def compile_validator(schema: JsonObject) -> Any:
    """A validator of arguments that never opens a connection and runs patterns in linear time."""
    plain = {key: value for key, value in schema.items() if key != "$schema"}
    return jsonschema_rs.Draft202012Validator(
        plain, offline=True, pattern_options=jsonschema_rs.RegexOptions(), validate_formats=False
    )


def join_path(path: str, parts: Sequence[str | int]) -> str:
    """`path` extended by property names and list indexes."""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path


def walk_schema(schema: JsonObject, path: str) -> Iterator[tuple[str, JsonObject]]:
    """Every schema inside the schema with its JSON path, by a stack of its own.

    Leaves out what is data, such as defaults. A property may have any name, that of a keyword too.
    """
    stack: list[tuple[str, JsonValue]] = [(path, schema)]
    while stack:
        where, node = stack.pop()
        if isinstance(node, Mapping):
            yield where, node
            for key, child in node.items():
                stack.extend(_list_schemas(key, child, f"{where}.{key}"))


def _list_schemas(keyword: str, value: JsonValue, path: str) -> Iterator[tuple[str, JsonValue]]:
    if keyword in NAMED_SCHEMAS and isinstance(value, Mapping):
        yield from ((f"{path}.{name}", child) for name, child in value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str) and keyword not in DATA_KEYWORDS:
        yield from ((f"{path}[{index}]", child) for index, child in enumerate(value))
    elif keyword not in DATA_KEYWORDS:
        yield path, value
