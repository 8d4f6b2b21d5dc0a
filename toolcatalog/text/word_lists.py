"""The lists of words that come with this package: how they are read, and how their words are found in running text.

A line holds one word and what stands beside it, split at blanks. Lines that begin with # are remarks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from .tokens import is_single_character, split_unspaced, tokenize


@dataclass(frozen=True, slots=True)
class Reading:
    """A written word, as its lexemes, and the lexemes that a tool may have instead, the most usual first."""

    written: tuple[str, ...]
    others: tuple[str, ...]


def read_word_list(name: str) -> Iterator[tuple[str, list[str]]]:
    """The words of one file of this folder, each with what stands beside it."""
    for line in files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines():
        word, *others = line.split() or ["#"]
        if not word.startswith("#"):
            yield word, others


class WordList:
    """What words of Chinese, by themselves, and of other scripts, by their lexeme, may be read as."""

    def __init__(self, chinese: Mapping[str, Reading], others: Mapping[str, Reading]) -> None:
        self._chinese = chinese
        self._others = others
        self._longest = max(map(len, chinese))
        self._beginnings = frozenset(word[:2] for word in chinese)

    def find(self, text: str) -> list[Reading]:
        """The readings of the words of `text`, distinct, in order; of overlapping Chinese words the longest."""
        chinese = [reading for run in split_unspaced(text) for reading in self._read_run(run)]
        others = [self._others[lexeme] for lexeme in tokenize(text) if lexeme in self._others]
        return list(dict.fromkeys(chinese + others))

    def _read_run(self, run: str) -> Iterator[Reading]:
        start = 0
        while start < len(run):
            word = self._longest_at(run, start)
            if word:
                yield self._chinese[word]
            start += len(word) or 1

    def _longest_at(self, run: str, start: int) -> str:
        if run[start : start + 2] not in self._beginnings and run[start] not in self._beginnings:
            return ""
        ends = range(min(len(run), start + self._longest), start, -1)
        return next((word for end in ends if (word := run[start:end]) in self._chinese), "")


def list_pairs(words: Collection[str]) -> tuple[str, ...]:
    """The distinct pairs of characters of Chinese words; single ones are met by too much."""
    lexemes = (lexeme for word in words for lexeme in tokenize(word) if not is_single_character(lexeme))
    return tuple(dict.fromkeys(lexemes))
