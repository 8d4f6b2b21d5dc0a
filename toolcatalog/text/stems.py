"""Word stems, so that `issues` meets `issue` and `портфеля` meets `портфель`.

The Snowball stemmers for English (all words of ASCII letters) and Russian (all Cyrillic words) through PyStemmer,
whose C code is twenty times as fast as the pure Python one. Words of other scripts are their own stems.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import Stemmer

_CACHED_STEMS = 20_000
_VOWELS = frozenset("aeiouy")


class _Stemmers(threading.local):
    """One pair a thread: a stemmer object may not be shared between threads."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english", 0)
        self.russian = Stemmer.Stemmer("russian", 0)


_stemmers = _Stemmers()


@lru_cache(_CACHED_STEMS)
def find_stem(word: str) -> str:
    """The stem of a case-folded `word`; the word itself when it holds digits or is of a script without a stemmer."""
    if not word.isalpha():
        return word
    if word.isascii():
        return _strip_acronym_plural(str(_stemmers.english.stemWord(word)))
    if "\u0400" <= word[0] <= "\u04ff":
        return str(_stemmers.russian.stemWord(word))
    return word


def _strip_acronym_plural(stem: str) -> str:
    """`pdfs` to `pdf`, `crms` to `crm`: the stemmer takes no plural for one where there is no vowel; `sms` stays."""
    is_plural = len(stem) > 3 and stem[-1] == "s" and stem[-2] != "s" and _VOWELS.isdisjoint(stem)
    return stem[:-1] if is_plural else stem
