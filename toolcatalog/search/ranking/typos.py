"""Typing errors, forgiven only where nothing else matches (S6).

A word unknown to the index is read as a known one that begins with the same letter and is a slip or two away: one
letter too many, missing, wrong or exchanged with its neighbour, up to seven letters; two such from eight on. Words of
four letters are not read as others of four letters, unless two neighbours are exchanged: too many are words themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolcatalog.text.tokens import Word, make_word

from .query import Asked
from .weights import IndexFacts

MIN_LENGTH = 4
MAX_LENGTH = 32
MAX_WORDS = 8
SCORE_FACTOR = 0.8
"""A score reached by reading a query otherwise than it was written counts so much."""

_LONG_LENGTH = 8


@dataclass(frozen=True, slots=True)
class KnownWord:
    """A word of the index, or the name of a tool without separators, and the number of tools that hold it."""

    word: Word
    tools: int


def find_doubtful_words(asked: Asked, facts: IndexFacts) -> tuple[Word, ...]:
    """The words of a query that may be mistyped: unknown to the index, of letters only, neither short nor endless.

    The whole query may be a mistyped name, too.
    """
    whole = [make_word(asked.key)] if asked.key.isalpha() else []
    unknown = [word for word in (*asked.words, *whole) if not facts.frequencies.get(word.lexeme)]
    distinct = dict.fromkeys(word for word in unknown if MIN_LENGTH <= len(word.written) <= MAX_LENGTH)
    return tuple(distinct)[:MAX_WORDS]


def allowed_slips(word: str) -> int:
    """How many slips are forgiven in a word; its readings differ from it by no more letters in length."""
    return 2 if len(word) >= _LONG_LENGTH else 1


def correct_words(asked: Asked, readings: Mapping[Word, Iterable[KnownWord]]) -> Asked | None:
    """The query with every doubtful word replaced by the nearest of its `readings`; None when none is near enough."""
    corrections = {word: _choose(word.written, known) for word, known in readings.items()}
    lexemes = {word.lexeme: chosen.lexeme for word, chosen in corrections.items() if chosen}
    if not lexemes:
        return None
    corrected = dict.fromkeys(lexemes.get(lexeme, lexeme) for lexeme in asked.lexemes)
    return asked.correct(tuple(corrected))


def may_be_slip(written: str, known: str) -> bool:
    """Whether `known` is worth a closer look: a slip changes at most two of the letters that words are made of."""
    return len(set(written) ^ set(known)) <= 2 * allowed_slips(written)


def count_slips(first: str, second: str, limit: int) -> int:
    """The optimal string alignment distance of two words, or `limit` + 1 as soon as it is beyond `limit`."""
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    before: Sequence[int] = ()
    above: Sequence[int] = range(len(second) + 1)
    for row, letter in enumerate(first, 1):
        line = [row]
        for column, other in enumerate(second, 1):
            slips = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 < column and letter == second[column - 2] and first[row - 2] == other:
                slips = min(slips, before[column - 2] + 1)
            line.append(slips)
        if min(line) > limit and min(above) >= limit:
            return limit + 1
        before, above = above, line
    return min(above[-1], limit + 1)


def _choose(written: str, known: Iterable[KnownWord]) -> Word | None:
    limit = allowed_slips(written)
    near = [
        (slips, -candidate.tools, candidate.word.written, candidate.word)
        for candidate in known
        if (slips := count_slips(written, candidate.word.written, limit)) <= limit
        and _is_plausible(written, candidate.word.written)
    ]
    return min(near)[-1] if near else None


def _is_plausible(written: str, known: str) -> bool:
    """Slips seldom hit the first letter, and four letters with one of them replaced are another word."""
    if written[0] != known[0] and written[:2] != known[1::-1]:
        return False
    return max(len(written), len(known)) > MIN_LENGTH or sorted(written) == sorted(known)
