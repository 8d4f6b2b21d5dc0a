"""What a query asks for, before any index is looked at."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.json import describe_bad_text
from toolcatalog.text.glossary import Reading, find_readings
from toolcatalog.text.names import MAX_NAME_LENGTH, name_key
from toolcatalog.text.tokens import Word, split_words, tokenize

MAX_EXPANDED_WORDS = 32
"""So many words of a query are also looked up by their beginning; a model's query has a handful."""

MAX_TRANSLATED_WORDS = 64
"""So many words of a query are also looked up in the other language."""

_AROUND_NAMES = " \t\r\n\"'`“”‘’「」《》"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as the index sees it.

    `lexemes` are distinct, in order. `words` may be continued or mistyped, `readings` are words that the glossary has.
    `name` is the whole query as it may be the exact name of a tool, with its `key`; None when it is too long or holds
    what no name can.
    """

    lexemes: tuple[str, ...]
    words: tuple[Word, ...]
    readings: tuple[Reading, ...]
    name: str | None
    key: str

    @property
    def all_lexemes(self) -> list[str]:
        """The lexemes as written and those of the other language, distinct."""
        others = (lexeme for reading in self.readings for lexeme in reading.others)
        return list(dict.fromkeys((*self.lexemes, *others)))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it that any tool could meet."""
        return not self.lexemes and self.name is None


def read_query(text: str) -> Asked:
    """Read any text as a query: nothing in it is an operator (S7)."""
    name = _read_name(text)
    return Asked(
        lexemes=tuple(dict.fromkeys(tokenize(text))),
        words=tuple(split_words(text)[:MAX_EXPANDED_WORDS]),
        readings=tuple(find_readings(text)[:MAX_TRANSLATED_WORDS]),
        name=name,
        key=name_key(name) if name else "",
    )


def _read_name(text: str) -> str | None:
    name = text.strip(_AROUND_NAMES)
    if not name or len(name) > 2 * MAX_NAME_LENGTH or describe_bad_text(name):
        return None
    return name
