"""A small thesaurus of English and of Chinese, so that "delete reservation" finds what cancels a booking.

It knows everyday words only (see `thesaurus_en.txt` and `thesaurus_zh.txt`), and no senses: a word found through it
counts far less than the word itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from .tokens import tokenize
from .word_lists import Reading, WordList, list_pairs, read_word_list


def find_related(text: str) -> list[Reading]:
    """The words of `text` that the thesaurus has, distinct, in order, with what else may be said for them."""
    return _load().find(text)


@cache
def _load() -> WordList:
    chinese = {
        word: Reading(tuple(tokenize(word)), list_pairs(others)) for word, others in read_word_list("thesaurus_zh.txt")
    }
    return WordList(chinese, _load_english())


def _load_english() -> Mapping[str, Reading]:
    related: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for word, others in read_word_list("thesaurus_en.txt"):
        for head in tokenize(word):
            lexemes = (lexeme for other in others for lexeme in tokenize(other))
            related[head].update((lexeme, None) for lexeme in lexemes if lexeme != head)
    return {head: Reading((head,), tuple(others)) for head, others in related.items()}
