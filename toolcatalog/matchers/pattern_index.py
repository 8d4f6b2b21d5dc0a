"""All regular expressions over one text in few passes: RE2 sets for short texts, one by one for long ones.

A set answers many patterns in one pass over a short text, many times faster than asking each. Two things speak against
it elsewhere. On a long text that names many keywords its automaton grows with every new combination, and it becomes
slower than asking each pattern; so long texts are left to the loop. And a set that runs out of memory answers "no
match", which cannot be told from the truth; so each set holds one pattern that always matches, and an answer without
it does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import re2

from .patterns import Pattern, quiet_options

SET_TEXT_LIMIT = 1_000
"""Texts of more characters than this are matched pattern by pattern."""

CHUNK_SIZE = 50
"""Patterns in one set. Larger sets are faster on ordinary text and slower on text made to name everything."""

SMALLEST_SET = 4
"""Fewer patterns than this are asked one by one: a set would gain nothing."""

_MOST_BYTES_PER_CHARACTER = 4
_ALWAYS_MATCHES = ""


@dataclass(frozen=True, slots=True)
class _Chunk:
    normalise: bool
    patterns: tuple[Pattern, ...]
    compiled: re2.Set

    def answer(self, lines: bytes) -> dict[str, bool]:
        hits = frozenset(self.compiled.Match(lines) or ())
        if 0 not in hits:
            return {}
        return {pattern.key: number in hits for number, pattern in enumerate(self.patterns, start=1)}


@dataclass(frozen=True, slots=True)
class PatternIndex:
    """The sets of one rule book. Immutable; RE2 locks its own automata, so threads may share it."""

    chunks: tuple[_Chunk, ...] = ()

    def answer(self, lines: Callable[[bool], bytes]) -> dict[str, bool]:
        """What the sets can say about a text, by the patterns' keys. One without an answer is to be asked by itself.

        `lines` gives the text as patterns see it, plain or normalised.
        """
        answers: dict[str, bool] = {}
        for chunk in self.chunks:
            text = lines(chunk.normalise)
            if is_short(text):
                answers.update(chunk.answer(text))
        return answers


EMPTY_INDEX = PatternIndex()


def is_short(lines: bytes) -> bool:
    """Whether a text is within the limit for sets; counts characters only where the byte length leaves a doubt."""
    if len(lines) <= SET_TEXT_LIMIT:
        return True
    return len(lines) <= SET_TEXT_LIMIT * _MOST_BYTES_PER_CHARACTER and len(lines.decode()) <= SET_TEXT_LIMIT


def build_index(patterns: Iterable[Pattern]) -> PatternIndex:
    """Compile sets over the given patterns, each once. Patterns whose set is too large for RE2 are left to the loop."""
    distinct = {pattern.key: pattern for pattern in patterns}.values()
    chunks: list[_Chunk] = []
    for normalise in (False, True):
        alike = [pattern for pattern in distinct if pattern.normalise is normalise]
        if len(alike) >= SMALLEST_SET:
            for start in range(0, len(alike), CHUNK_SIZE):
                chunk = _build_chunk(normalise, tuple(alike[start : start + CHUNK_SIZE]))
                chunks.extend([chunk] if chunk else [])
    return PatternIndex(tuple(chunks))


def _build_chunk(normalise: bool, patterns: tuple[Pattern, ...]) -> _Chunk | None:
    compiled = re2.Set.SearchSet(quiet_options())
    try:
        for expression in (_ALWAYS_MATCHES, *(pattern.expression for pattern in patterns)):
            compiled.Add(expression)
        compiled.Compile()
    except re2.error:
        return None
    return _Chunk(normalise, patterns, compiled)
