"""The formats there are, by name, and which of them a list of messages is written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolcatalog.contract.json import JsonValue

if TYPE_CHECKING:
    from .base import Format

_formats: dict[str, Format] = {}
_dialects: list[Format] = []

FORMATS: Mapping[str, Format] = MappingProxyType(_formats)
"""All registered formats, by name."""

ASSUMED_DIALECT = "openai_chat"
"""What messages are read as when nothing tells them apart."""


def register(format_: Format, *dialects: Format) -> None:
    """Add a format. `dialects` are those of the vendor's other interfaces, told apart by `detect_format` only.

    Raises ValueError when there is a format of that name.
    """
    if format_.name in _formats:
        raise ValueError(f"There is a format called {format_.name} already.")
    _formats[format_.name] = format_
    _dialects.extend(dialects)


def get_format(name: str) -> Format:
    """The format of that name. Raises KeyError."""
    return _formats[name]


def detect_format(messages: Sequence[JsonValue], default: Format) -> Format:
    """The format whose dialect the messages are written in.

    It is `default` unless the messages are unmistakably something else; where `default` could not read messages of only
    a role and a text, those are OpenAI Chat. Never raises: what cannot be read is for `read_messages` to say.
    """
    if not messages or default.recognises(messages):
        return default
    for format_ in (*_dialects, *_formats.values()):
        if format_.recognises(messages):
            return format_
    return default if default.reads_plain_messages else _formats[ASSUMED_DIALECT]
