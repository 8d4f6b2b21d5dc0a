"""A small English thesaurus, so that "delete reservation" finds what cancels a booking (see `thesaurus_en.txt`).

It knows everyday words only, and no senses: a word found through it counts far less than the word itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from .glossary import Reading
from .tokens import tokenize

_FILE = "thesaurus_en.txt"


def find_related(text: str) -> list[Reading]:
    """The words of `text` that the thesaurus has, distinct, in order, with what else may be said for them."""
    thesaurus = _load()
    return [thesaurus[lexeme] for lexeme in dict.fromkeys(tokenize(text)) if lexeme in thesaurus]


@cache
def _load() -> Mapping[str, Reading]:
    related: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in files(__package__).joinpath(_FILE).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            head, *others = (lexeme for word in line.split() for lexeme in tokenize(word))
            related[head].update(dict.fromkeys(other for other in others if other != head))
    return {head: Reading((head,), tuple(others)) for head, others in related.items()}
