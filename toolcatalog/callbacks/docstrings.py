"""Reads docstrings in the styles of Google, NumPy and reStructuredText, whichever is used."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field

from docstring_parser import ParseError, parse


@dataclass(frozen=True, slots=True)
class DocumentedFunction:
    """The text before the sections, and the text of each parameter by name."""

    description: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> DocumentedFunction:
    """The parts of a docstring; one that cannot be read is taken whole as the description."""
    if not text:
        return DocumentedFunction()
    try:
        parsed = parse(text)
    except ParseError:
        return DocumentedFunction(inspect.cleandoc(text))
    description = "\n\n".join(filter(None, [parsed.short_description, parsed.long_description]))
    parameters = {one.arg_name: one.description for one in parsed.params if one.description}
    return DocumentedFunction(description, parameters)
