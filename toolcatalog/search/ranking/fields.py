"""What of a tool takes part in search, in which field, and how much each field counts.

Weights, length normalisation and average lengths were measured once on eight public sets of tools together and are
constants since: saving one tool never changes what is stored of another. The optimum is flat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from functools import cache

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.text.names import name_key

MAX_FIELD_LENGTH = 10_000
MAX_SCHEMA_NODES = 2_000


class Field(IntFlag):
    """A part of a tool that a query may meet, best first. Values are stored: never change one."""

    NAME = 1
    TITLE = 2
    CATEGORY = 4
    TAGS = 8
    KEYWORDS = 16
    DESCRIPTION = 32
    PARAMETERS = 64


@dataclass(frozen=True, slots=True)
class FieldText:
    """The text of one field with the constants of BM25F: `weight`, `average_length` in lexemes, `normalisation` (b)."""

    field: Field
    text: str
    weight: float
    average_length: float
    normalisation: float = 0.4


@cache
def name_fields(bits: int) -> tuple[str, ...]:
    """The fields of a stored bit set, in lower case, best first."""
    return tuple(str(field.name).lower() for field in Field if bits & field)


def read_fields(document: SearchDocument) -> list[FieldText]:
    """The searchable texts of a tool (T4), empty ones left out."""
    schema = _read_schema(document.parameters)
    texts = (
        FieldText(Field.NAME, document.name, 4.0, 4.1),
        FieldText(Field.TITLE, document.title, 3.0, 4.1),
        FieldText(Field.CATEGORY, _join(document.category or ()), 2.0, 3.0),
        FieldText(Field.TAGS, _join(part for tag in document.tags for part in tag), 2.0, 4.0),
        FieldText(Field.KEYWORDS, _join(document.keywords), 2.0, 10.0, 0.2),
        FieldText(Field.DESCRIPTION, document.description, 1.0, 17.0),
        FieldText(Field.PARAMETERS, _join(schema.names), 0.5, 8.8, 0.3),
        FieldText(Field.PARAMETERS, _join(schema.descriptions), 0.6, 37.9, 0.3),
        FieldText(Field.PARAMETERS, _join(schema.choices), 0.3, 12.5, 0.3),
    )
    return [text for text in texts if text.text]


def read_parameter_names(parameters: JsonValue) -> Sequence[str]:
    """The names of a schema's properties, nested ones too."""
    return _read_schema(parameters).names


@dataclass(frozen=True, slots=True)
class _SchemaTexts:
    names: Sequence[str]
    descriptions: Sequence[str]
    choices: Sequence[str]


def _join(parts: Iterator[str] | Sequence[str]) -> str:
    """One text, in which no two parts run into each other; a slug that is its title spelt otherwise counts once."""
    distinct = {name_key(part): part for part in parts}
    return "\n".join(distinct.values())[:MAX_FIELD_LENGTH]


def _read_schema(parameters: JsonValue) -> _SchemaTexts:
    names: list[str] = []
    descriptions: list[str] = []
    choices: list[str] = []
    for schema in _walk_schemas(parameters):
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            names.extend(properties)
        descriptions.extend(text for key in ("title", "description") if isinstance(text := schema.get(key), str))
        values = schema.get("enum")
        if isinstance(values, list | tuple):
            choices.extend(value for value in values if isinstance(value, str))
    return _SchemaTexts(names, descriptions, choices)


def _walk_schemas(root: JsonValue) -> Iterator[Mapping[str, JsonValue]]:
    """The schema and those nested in it, in order of depth, at most `MAX_SCHEMA_NODES`.

    References are not followed: what they lead to stands under `$defs`, which is walked once.
    """
    level: list[JsonValue] = [root]
    seen = 0
    while level and seen < MAX_SCHEMA_NODES:
        schemas = [node for node in level if isinstance(node, Mapping)][: MAX_SCHEMA_NODES - seen]
        seen += len(schemas)
        yield from schemas
        level = [child for schema in schemas for child in _children(schema)]


def _children(schema: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    for key in ("properties", "patternProperties", "$defs", "definitions"):
        named = schema.get(key)
        if isinstance(named, Mapping):
            yield from named.values()
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        listed = schema.get(key)
        if isinstance(listed, list | tuple):
            yield from listed
    yield schema.get("items")
    yield schema.get("additionalProperties")
