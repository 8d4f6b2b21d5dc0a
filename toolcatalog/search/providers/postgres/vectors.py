"""The weighted tsvector of a tool, for PostgreSQL's own full text search beside ours.

It is a literal of our lexemes: no parser of PostgreSQL sees the text, since none splits Chinese or camelCase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from toolcatalog.search.ranking import Posting
from toolcatalog.search.ranking.fields import Field

_WEIGHTS = (
    (int(Field.NAME | Field.TITLE), "A"),
    (int(Field.CATEGORY | Field.TAGS | Field.KEYWORDS), "B"),
    (int(Field.DESCRIPTION), "C"),
)


def write_vector(postings: Mapping[str, Posting]) -> str:
    """A tsvector literal in which each lexeme has the weight of the best field it stands in (D: parameters)."""
    return " ".join(f"{_quote(lexeme)}:1{_weigh(posting.fields)}" for lexeme, posting in postings.items())


def write_tsquery(lexemes: Sequence[str]) -> str:
    """A tsquery literal that wants all of the lexemes, the last one as a beginning: for lists that filter as typed."""
    return " & ".join(map(_quote, lexemes)) + ":*" if lexemes else ""


def write_any_tsquery(lexemes: Sequence[str]) -> str:
    """A tsquery literal that wants one of the lexemes."""
    return " | ".join(map(_quote, lexemes))


@cache
def _weigh(fields: int) -> str:
    return next((weight for of, weight in _WEIGHTS if fields & of), "D")


def _quote(lexeme: str) -> str:
    if "\\" in lexeme or "'" in lexeme:
        lexeme = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{lexeme}'"
