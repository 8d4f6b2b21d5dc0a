"""One schema of an OpenAPI document, 3.0 or later, as JSON Schema 2020-12. References are named anew, not followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import jsonschema_rs

from toolcatalog.contract.errors import InvalidInput

MAX_DEPTH = 40

_ONE = frozenset(
    {
        *("additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"),
        *("unevaluatedItems", "unevaluatedProperties"),
    }
)
_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAP = frozenset({"dependentSchemas", "patternProperties", "properties"})
_PLAIN = frozenset(
    {
        *("const", "contentEncoding", "contentMediaType", "default", "dependentRequired", "deprecated", "description"),
        *("enum", "exclusiveMaximum", "exclusiveMinimum", "format", "maxContains", "maxItems", "maxLength"),
        *("maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum"),
        *("multipleOf", "title", "type", "uniqueItems"),
    }
)
_BASE64_FORMATS = frozenset({"binary", "byte"})


@dataclass(slots=True)
class Visit:
    """What one conversion finds: references as often as they stand there, notes, and how much there is."""

    references: list[str] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    nodes: int = 0
    properties: int = 0


@dataclass(frozen=True, slots=True)
class Dialect:
    """How schemas are read. `hidden` is the flag (`readOnly` or `writeOnly`) of properties that are left out.

    With `references_stand_alone` (OpenAPI 3.0) what stands beside a `$ref` counts for nothing, but for a description.
    `name_reference` gives the new text of a reference.
    """

    hidden: str
    references_stand_alone: bool
    name_reference: Callable[[object], str]

    def convert(self, schema: Any, visit: Visit, depth: int = 0) -> Any:
        """The schema converted. What no keyword of JSON Schema is falls away. Raises InvalidInput."""
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping):
            raise InvalidInput.single("schema", "not_a_schema", "A schema is neither an object nor true or false.")
        if depth > MAX_DEPTH:
            raise InvalidInput.single("schema", "too_deep", f"A schema is nested more than {MAX_DEPTH} levels deep.")
        visit.nodes += 1
        if "$ref" in schema:
            return self._convert_reference(schema, visit, depth)
        converted = dict(self._convert_keywords(schema, visit, depth))
        _convert_bounds(converted)
        _convert_bytes(converted)
        return _allow_null(converted) if schema.get("nullable") is True else converted

    def _convert_reference(self, schema: Mapping[str, Any], visit: Visit, depth: int) -> Any:
        reference = self.name_reference(schema["$ref"])
        visit.references.append(schema["$ref"])
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        if self.references_stand_alone:
            rest = {key: value for key, value in rest.items() if key == "description"}
        beside = self.convert(rest, visit, depth + 1) if rest else {}
        return {"$ref": reference, **beside}

    def _convert_keywords(self, schema: Mapping[str, Any], visit: Visit, depth: int) -> Iterator[tuple[str, Any]]:
        for key, value in schema.items():
            if key in _ONE:
                yield key, self.convert(value, visit, depth + 1)
            elif key in _LIST and isinstance(value, list):
                yield key, [self.convert(child, visit, depth + 1) for child in value]
            elif key in _MAP and isinstance(value, Mapping):
                shown = {name: child for name, child in value.items() if not self._is_hidden(child)}
                visit.properties += len(shown) if key == "properties" else 0
                yield key, {name: self.convert(child, visit, depth + 1) for name, child in shown.items()}
            elif key == "required" and isinstance(value, list):
                yield from self._convert_required(value, schema.get("properties"))
            elif key == "pattern":
                yield from _convert_pattern(value, visit)
            elif key == "examples" and isinstance(value, list):
                yield key, value
            elif key == "example" and "examples" not in schema:
                yield "examples", [value]
            elif key in _PLAIN and value is not None:
                yield key, value

    def _convert_required(self, names: list[Any], properties: Any) -> Iterator[tuple[str, Any]]:
        known = properties if isinstance(properties, Mapping) else {}
        texts = dict.fromkeys(name for name in names if isinstance(name, str))
        kept = [name for name in texts if not self._is_hidden(known.get(name))]
        if kept:
            yield "required", kept

    def _is_hidden(self, schema: Any) -> bool:
        return isinstance(schema, Mapping) and schema.get(self.hidden) is True


def _convert_bounds(schema: dict[str, Any]) -> None:
    """In 3.0 `exclusiveMinimum: true` makes the bound beside it an open one."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(exclusive), bool) and schema.pop(exclusive) and bound in schema:
            schema[exclusive] = schema.pop(bound)


def _convert_bytes(schema: dict[str, Any]) -> None:
    """Bytes are text to a model: base64. OpenAPI 3.1 leaves the encoding out where a form holds them as they are."""
    if schema.get("type") != "string" or "contentEncoding" in schema:
        return
    if str(schema.get("format")) in _BASE64_FORMATS:
        del schema["format"]
        schema["contentEncoding"] = "base64"
    elif _is_binary(schema.get("contentMediaType")):
        schema["contentEncoding"] = "base64"


def _is_binary(media_type: object) -> bool:
    return isinstance(media_type, str) and not media_type.startswith("text/") and not media_type.endswith("json")


def _allow_null(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if kind is None:
        # Without a type null was allowed from the first, unless one of these keywords says what is.
        is_open = not {"allOf", "anyOf", "const", "enum", "oneOf"} & set(schema)
        return schema if is_open else {"anyOf": [schema, {"type": "null"}]}
    kinds = [*(kind if isinstance(kind, list) else [kind])]
    schema["type"] = kinds if "null" in kinds else [*kinds, "null"]
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    return schema


def _convert_pattern(pattern: Any, visit: Visit) -> Iterator[tuple[str, Any]]:
    if isinstance(pattern, str) and _is_usable(pattern):
        yield "pattern", pattern
    else:
        visit.notes[f"The pattern “{pattern}” cannot be checked in linear time, and was left out."] = None


@lru_cache(maxsize=10_000)
def _is_usable(pattern: str) -> bool:
    """Whether the engine that checks arguments can run the pattern: no looking around, no back references."""
    try:
        jsonschema_rs.Draft202012Validator(
            {"pattern": pattern}, offline=True, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (jsonschema_rs.ValidationError, ValueError):
        return False
    return True
