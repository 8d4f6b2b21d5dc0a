"""What of a tool is embedded: its name in words, its title, its description, and its parameters' names in words."""

from __future__ import annotations

import re

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.ranking.fields import read_parameter_names

TEXT_VERSION = 1
"""Goes up with every change of the text: vectors of another version are made anew."""

_LONGEST = 4_000
_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_./\-]+")


def describe_tool(document: SearchDocument) -> str:
    """The text whose vector stands for the tool."""
    names = " ".join(_spell(name) for name in read_parameter_names(document.parameters))
    title = f"{document.title}. " if document.title else ""
    keywords = " ".join(document.keywords)
    return f"{_spell(document.name)}. {title}{document.description} {keywords} {names}".strip()[:_LONGEST]


def _spell(name: str) -> str:
    return " ".join(word if word.isupper() else word.lower() for word in _BORDER.sub(" ", name).split())
