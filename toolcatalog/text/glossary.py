"""A small Chinese and English glossary, so that `查询天气` finds a tool described as "weather forecast", and back.

It knows the everyday words of tools (see `glossary_zh_en.txt`, one line a word), no grammar and no context. Keywords
that curators give in the other language do the same for the words of their trade, and better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from .tokens import tokenize
from .word_lists import Reading, WordList, list_pairs, read_word_list

_FILE = "glossary_zh_en.txt"
_MAX_READINGS = 4


def find_readings(text: str) -> list[Reading]:
    """The words of `text` that the glossary has, distinct, in order; of overlapping Chinese words the longest."""
    return _load().find(text)


@cache
def _load() -> WordList:
    chinese = {
        word: Reading(
            tuple(tokenize(word)), tuple(dict.fromkeys(lexeme for other in others for lexeme in tokenize(other)))
        )
        for word, others in read_word_list(_FILE)
    }
    return WordList(chinese, _turn_around(chinese))


def _turn_around(chinese: Mapping[str, Reading]) -> dict[str, Reading]:
    """The Chinese readings of English lexemes, those first of which the English word is the most usual reading."""
    ranked: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for word, reading in chinese.items():
        if len(word) == 1:
            continue  # stands for too much where no Chinese word was asked for
        for rank, other in enumerate(reading.others):
            ranked[other].append((rank, word))
    return {
        other: Reading((other,), list_pairs([word for _, word in sorted(words, key=_rank_of)[:_MAX_READINGS]]))
        for other, words in ranked.items()
    }


def _rank_of(ranked: tuple[int, str]) -> int:
    return ranked[0]
