"""The lists of words that come with this package: how they are read, and how their words are found in running text.

A line holds one word and what stands beside it, split at blanks. Lines that begin with # are remarks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
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


def find_longest(text: str, words: Collection[str], longest: int) -> Iterator[str]:
    """The words of `text` among `words` in scripts without blanks: at each place the longest; none overlaps another.

    No word has more than `longest` characters.
    """
    for run in split_unspaced(text):
        start = 0
        while start < len(run):
            ends = range(min(len(run), start + longest), start, -1)
            end = next((end for end in ends if run[start:end] in words), None)
            if end is not None:
                yield run[start:end]
            start = start + 1 if end is None else end


def list_pairs(words: Collection[str]) -> tuple[str, ...]:
    """The distinct pairs of characters of Chinese words; single ones are met by too much."""
    lexemes = (lexeme for word in words for lexeme in tokenize(word) if not is_single_character(lexeme))
    return tuple(dict.fromkeys(lexemes))
