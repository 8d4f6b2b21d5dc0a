"""What Gemini's two interfaces have in common: tool names, property names, and how many tools a request may have."""

from __future__ import annotations

from ._names import LETTERS, WORD, NameRule

MAX_TOOLS = 512

_FIRST = LETTERS | {"_"}
NAME_RULE = NameRule(WORD | frozenset(".:-"), first=_FIRST, prefix="t", stem="tool")
"""The vendor's documents say 128 characters; servers have refused more than 64."""
KEY_RULE = NameRule(WORD, first=_FIRST, prefix="p", stem="p")
