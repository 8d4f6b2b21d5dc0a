"""Descriptions of imported tools, brought within the catalog's limit."""

from __future__ import annotations

MAX_DESCRIPTION = 4096
MAX_TITLE = 200
_MARK = " […]"


def fit_description(text: str) -> tuple[str, tuple[str, ...]]:
    """The text, cut with a mark where it is longer than the catalog keeps, and a note that says so."""
    if len(text) <= MAX_DESCRIPTION:
        return text, ()
    note = f"The description has {len(text):,} characters; it was cut to {MAX_DESCRIPTION:,}."
    return text[: MAX_DESCRIPTION - len(_MARK)] + _MARK, (note,)


def fit_title(text: str) -> str:
    """The title in one line of at most 200 characters."""
    title = " ".join(text.split())
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - len(_MARK)] + _MARK
