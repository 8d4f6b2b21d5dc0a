"""JSON Schemas (2020-12) from types, in the form that models and every vendor can read."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

_DATA_KEYWORDS = frozenset({"const", "default", "enum", "examples"})
_MAPS = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})


def write_schema(model: type[BaseModel], mode: JsonSchemaMode = "validation") -> dict[str, Any]:
    """The schema of a model. Titles that only repeat names are left out: each model call would pay for them."""
    schema = model.model_json_schema(by_alias=True, schema_generator=_Generator, mode=mode)
    _drop_titles(schema)
    return schema


class _Generator(GenerateJsonSchema):
    """A decimal is a number: the pattern for its text needs what linear-time engines lack."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        written = super().decimal_schema(schema)
        return written if self.mode == "serialization" else _number_of(written)


def _number_of(written: JsonSchemaValue) -> JsonSchemaValue:
    choices = written.get("anyOf", [])
    return next((choice for choice in choices if choice.get("type") == "number"), {"type": "number"})


def _drop_titles(schema: dict[str, Any]) -> None:
    """Take the generated titles out, in place. Schemas made here are no deeper than the types that they stand for."""
    if isinstance(schema.get("title"), str):
        del schema["title"]
    for keyword, value in schema.items():
        if keyword in _DATA_KEYWORDS:
            continue
        children = value.values() if keyword in _MAPS and isinstance(value, dict) else [value]
        for child in children:
            _drop_titles_of(child)


def _drop_titles_of(child: Any) -> None:
    if isinstance(child, dict):
        _drop_titles(child)
    elif isinstance(child, list):
        for item in child:
            _drop_titles_of(item)
