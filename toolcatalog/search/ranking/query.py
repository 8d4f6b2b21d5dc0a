"""What a query asks for, before any index is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from toolcatalog.contract.json import describe_bad_text
from toolcatalog.text.arguments import replace_arguments
from toolcatalog.text.asks import split_asks
from toolcatalog.text.glossary import find_readings
from toolcatalog.text.names import MAX_NAME_LENGTH, name_key
from toolcatalog.text.thesaurus import find_related
from toolcatalog.text.tokens import MAX_TEXT_LENGTH, Word, split_words, tokenize
from toolcatalog.text.word_lists import Reading

MAX_EXPANDED_WORDS = 32
"""So many words of a query are also looked up by their beginning; a model's query has a handful."""

MAX_TRANSLATED_WORDS = 64
"""So many words of a query are also looked up in the other language, and so many in the thesaurus."""

MAX_REQUEST_BYTES = 800
"""So much of a request is looked up, in UTF-8, so that no request holds up others: 800 letters, or 270 characters of
Chinese, which give more lexemes than these.
"""

_END_BYTES = 250
_READ_LENGTH = 2_000
_AROUND_NAMES = " \t\r\n\"'`“”‘’「」《》"


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as the index sees it.

    `lexemes` are distinct, in order. `words` may be continued or mistyped, `readings` are words that the glossary has,
    `related` those that the thesaurus has. `name` is the whole query as it may be the exact name of a tool, with its
    `key`; None when it is too long or holds what no name can. `asks` are the several things that it asks for, each a
    query without a name or asks of its own; empty where it is only one.
    """

    lexemes: tuple[str, ...]
    words: tuple[Word, ...]
    readings: tuple[Reading, ...]
    related: tuple[Reading, ...]
    name: str | None
    key: str
    asks: tuple[Asked, ...] = ()

    @property
    def all_lexemes(self) -> list[str]:
        """The lexemes as written, those of the other language and related ones, of all asks too; distinct."""
        return list(dict.fromkeys(self._list_lexemes()))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it that any tool could meet."""
        return not self.lexemes and self.name is None

    def correct(self, lexemes: tuple[str, ...]) -> Asked:
        """The same query with other lexemes, and nothing else but them."""
        return replace(self, lexemes=lexemes, words=(), readings=(), related=(), name=None, key="", asks=())

    def _list_lexemes(self) -> Iterator[str]:
        yield from self.lexemes
        for reading in (*self.readings, *self.related):
            yield from reading.others
        for ask in self.asks:
            yield from ask.all_lexemes


def read_query(text: str) -> Asked:
    """Read any text as a query: nothing in it is an operator (S7)."""
    name = _read_name(text)
    request = cut_request(replace_arguments(_leave_out_middle(text[:MAX_TEXT_LENGTH])))
    asked = _read(request)
    if asked.lexemes or not tokenize(text[:MAX_REQUEST_BYTES]):
        asks = tuple(ask for ask in map(_read, split_asks(request)) if ask.lexemes)
    else:  # nothing but arguments: then they are what is asked for
        asked, asks = _read(cut_request(text)), ()
    return replace(asked, name=name, key=name_key(name) if name else "", asks=asks if len(asks) > 1 else ())


def _read(text: str) -> Asked:
    return Asked(
        lexemes=tuple(dict.fromkeys(tokenize(text))),
        words=tuple(split_words(text)[:MAX_EXPANDED_WORDS]),
        readings=tuple(find_readings(text)[:MAX_TRANSLATED_WORDS]),
        related=tuple(find_related(text)[:MAX_TRANSLATED_WORDS]),
        name=None,
        key="",
    )


def cut_request(text: str, longest: int = MAX_REQUEST_BYTES) -> str:
    """What is looked up of a very long request: its beginning and its end, where people say what they want."""
    encoded = text.encode("utf-8", "ignore")
    if len(encoded) <= longest:
        return text
    end = min(_END_BYTES, longest // 4)
    return f"{encoded[: longest - end].decode('utf-8', 'ignore')} {encoded[-end:].decode('utf-8', 'ignore')}"


def _leave_out_middle(text: str) -> str:
    """Few enough characters to look for arguments in, and more than enough to be cut once these are out."""
    return text if len(text) <= 2 * _READ_LENGTH else f"{text[:_READ_LENGTH]} {text[-_READ_LENGTH:]}"


def _read_name(text: str) -> str | None:
    name = text.strip(_AROUND_NAMES)
    if not name or len(name) > 2 * MAX_NAME_LENGTH or describe_bad_text(name):
        return None
    return name
