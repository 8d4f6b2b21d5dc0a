"""Conditions of groups."""

from __future__ import annotations

from typing import Any

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import MatcherRow


def row(source: str, operator: str, value: JsonValue = None, **parts: Any) -> MatcherRow:
    """One condition."""
    return MatcherRow(source=source, operator=operator, value=value, **parts)


def says(*keywords: str, **parts: Any) -> MatcherRow:
    """The last user message holds one of the keywords."""
    return row("message", "contains_any", list(keywords), **parts)


def fact(attribute: str, operator: str, value: JsonValue = None, **parts: Any) -> MatcherRow:
    """A condition on an attribute of the context."""
    return row("attribute", operator, value, attribute=attribute, **parts)
