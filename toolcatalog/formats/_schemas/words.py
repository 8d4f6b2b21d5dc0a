"""What a schema can no longer say, said in its description."""

from __future__ import annotations

from typing import Any

from toolcatalog.contract.json import dump_json

from .keywords import Schema

_LONGEST_VALUE = 300


def add_sentence(schema: Schema, sentence: str) -> Schema:
    """A copy of `schema` whose description ends with one more sentence."""
    description = schema.get("description", "").rstrip()
    return {**schema, "description": f"{description} {sentence}" if description else sentence}


def put_in_words(schema: Schema, keyword: str) -> Schema:
    """A copy of `schema` without `keyword`, whose description says what the keyword said."""
    sentence = _describe(keyword, schema[keyword])
    rest = {key: value for key, value in schema.items() if key != keyword}
    return add_sentence(rest, sentence) if sentence else rest


def write_value(value: Any) -> str:
    """A value as compact JSON, cut where it is long."""
    return shorten(dump_json(value).decode(), _LONGEST_VALUE)


def list_values(values: list[Any]) -> str:
    """Values as JSON, one after the other, cut where they are many."""
    return shorten(", ".join(dump_json(value).decode() for value in values[:_LONGEST_VALUE]), _LONGEST_VALUE)


def shorten(text: str, most: int) -> str:
    """The text, cut with a mark where it has more than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _describe(keyword: str, value: Any) -> str:
    if keyword == "enum":
        return f"One of: {list_values(value)}."
    if keyword == "default" and value is None:
        return ""
    template = _SENTENCES.get(keyword)
    if template is None:
        return f"{keyword}: {write_value(value)}."
    return template.format(value if isinstance(value, str) and value.strip() else write_value(value))


_SENTENCES = {
    "const": "Always {}.",
    "default": "Default: {}.",
    "exclusiveMaximum": "Less than {}.",
    "exclusiveMinimum": "More than {}.",
    "format": "Format: {}.",
    "maxItems": "At most {} items.",
    "maxLength": "At most {} characters.",
    "maximum": "At most {}.",
    "minItems": "At least {} items.",
    "minLength": "At least {} characters.",
    "minimum": "At least {}.",
    "multipleOf": "A multiple of {}.",
    "pattern": "Matches the pattern {}.",
}
