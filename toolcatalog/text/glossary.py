"""A small Chinese and English glossary, so that `查询天气` finds a tool described as "weather forecast", and back.

It knows the everyday words of tools (see `glossary_zh_en.txt`, one line a word), no grammar and no context. Keywords
that curators give in the other language do the same for the words of their trade, and better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from .tokens import is_single_character, split_unspaced, tokenize

_FILE = "glossary_zh_en.txt"
_MAX_READINGS = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """A written word, as its lexemes, and the other language's lexemes it may stand for, the most usual first."""

    written: tuple[str, ...]
    others: tuple[str, ...]


def find_readings(text: str) -> list[Reading]:
    """The words of `text` that the glossary has, distinct, in order; of overlapping Chinese words the longest."""
    glossary = _load()
    chinese = [reading for run in split_unspaced(text) for reading in glossary.read_chinese(run)]
    english = [glossary.english[lexeme] for lexeme in tokenize(text) if lexeme in glossary.english]
    return list(dict.fromkeys(chinese + english))


@dataclass(frozen=True, slots=True)
class _Glossary:
    chinese: Mapping[str, Reading]
    english: Mapping[str, Reading]
    longest: int

    def read_chinese(self, run: str) -> Iterator[Reading]:
        """The known words of a run of characters, the longest at each place."""
        start = 0
        while start < len(run):
            ends = range(min(len(run), start + self.longest), start, -1)
            end = next((end for end in ends if run[start:end] in self.chinese), None)
            if end is not None:
                yield self.chinese[run[start:end]]
            start = start + 1 if end is None else end


@cache
def _load() -> _Glossary:
    entries = dict(_read_entries(files(__package__).joinpath(_FILE).read_text(encoding="utf-8")))
    chinese = {
        word: Reading(
            tuple(tokenize(word)), tuple(dict.fromkeys(lexeme for other in others for lexeme in tokenize(other)))
        )
        for word, others in entries.items()
    }
    return _Glossary(chinese, _turn_around(chinese), max(map(len, chinese)))


def _read_entries(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        word, *others = line.split() or ["#"]
        if not word.startswith("#"):
            yield word, others


def _turn_around(chinese: Mapping[str, Reading]) -> dict[str, Reading]:
    """The Chinese readings of English lexemes, those first of which the English word is the most usual reading.

    They are pairs of characters: single ones stand for too much when no whole word was asked for.
    """
    ranked: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for word, reading in chinese.items():
        for rank, other in enumerate(reading.others):
            ranked[other].append((rank, word))
    return {
        other: Reading((other,), _list_pairs(sorted(words, key=lambda item: item[0])))
        for other, words in ranked.items()
    }


def _list_pairs(words: list[tuple[int, str]]) -> tuple[str, ...]:
    pairs = (
        lexeme for _, word in words[:_MAX_READINGS] for lexeme in tokenize(word) if not is_single_character(lexeme)
    )
    return tuple(dict.fromkeys(pairs))
