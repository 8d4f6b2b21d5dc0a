"""`contains_any` and `contains_all`: keywords found anywhere in a text, or as items of a list."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import Operator, Source

from ..condition import Condition
from ..problems import BrokenCondition, Mismatch
from ..sources import TEXT_SOURCES
from ..subject import GRAMS_FROM, Subject, TextForm, split_grams
from .base import Doubt, OperatorDefinition

_NO_KEYWORD = "Write at least one keyword, one a line."
_NO_TEXT = "Keywords are text. Write each on a line of its own."
_SHORT_WORD = 6

_UNSPACED_SCRIPTS = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x2E80, 0xA4CF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF65, 0xFFDC),
    (0x20000, 0x3FFFF),
)
"""Thai, Lao, Burmese, Khmer, Han, kana and Hangul: written without blanks, or with endings glued on."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword in the form that the text has too. `grams` are its groups of `gram_length` characters."""

    text: str
    gram_length: int
    grams: frozenset[str]
    whole_word: bool

    def found_in(self, subject: Subject, form: TextForm) -> bool:
        """Whether it is somewhere in the text; with `whole_word`, not as a part of a longer word."""
        text = subject.text(form)
        if self.grams and len(text) >= GRAMS_FROM and not self.grams <= subject.grams(form, self.gram_length):
            return False
        return stands_alone(self.text, text) if self.whole_word else self.text in text


@dataclass(frozen=True, slots=True)
class KeywordTest:
    """True where `combine` (any or all) of the keywords are found."""

    keywords: tuple[Keyword, ...]
    texts: tuple[str, ...]
    form: TextForm
    whole_word: bool
    combine: Callable[[Iterable[bool]], bool]

    def __call__(self, subject: Subject) -> bool:
        if isinstance(subject.value, list | tuple):
            items = {self.form.shape(item) for item in _texts(subject.value)}
            return self.combine(map(items.__contains__, self.texts))
        text = subject.text(self.form)
        if len(text) < GRAMS_FROM and not self.whole_word:
            return self.combine(map(text.__contains__, self.texts))
        return self.combine(keyword.found_in(subject, self.form) for keyword in self.keywords)


def stands_alone(keyword: str, text: str) -> bool:
    """Whether `keyword` is in `text` with no letter that would belong to the same word on either side.

    Letters of scripts that are written without blanks end a word: `查order单` holds the word `order`.
    """
    at = text.find(keyword)
    while at >= 0:
        end = at + len(keyword)
        glued_before = at > 0 and _joins(text[at - 1], keyword[0])
        glued_after = end < len(text) and _joins(keyword[-1], text[end])
        if not glued_before and not glued_after:
            return True
        at = text.find(keyword, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    return _is_word_letter(left) and _is_word_letter(right)


def _is_word_letter(character: str) -> bool:
    if character != "_" and unicodedata.category(character)[0] not in "LNM":
        return False
    return not any(first <= ord(character) <= last for first, last in _UNSPACED_SCRIPTS)


def _texts(values: Iterable[JsonValue]) -> Iterator[str]:
    for value in values:
        if not isinstance(value, str):
            raise Mismatch.of_kind(value, "text, or a list of texts")
        yield value


def _read_keywords(condition: Condition) -> tuple[str, ...]:
    written = condition.values(_NO_KEYWORD)
    if not all(isinstance(keyword, str) for keyword in written):
        raise BrokenCondition("value", "text_needed", _NO_TEXT)
    shaped = (condition.form.shape(str(keyword).strip()) for keyword in written)
    keywords = tuple(dict.fromkeys(keyword for keyword in shaped if keyword))
    if not keywords:
        raise BrokenCondition("value", "no_keyword", _NO_KEYWORD)
    return keywords


def _compile(combine: Callable[[Iterable[bool]], bool]) -> Callable[[Condition], KeywordTest]:
    def compile_keywords(condition: Condition) -> KeywordTest:
        texts = _read_keywords(condition)
        keywords = tuple(prepare_keyword(text, condition.whole_word) for text in texts)
        return KeywordTest(keywords, texts, condition.form, condition.whole_word, combine)

    return compile_keywords


def prepare_keyword(text: str, whole_word: bool) -> Keyword:
    """A keyword, already in the form of the text, ready to be looked for."""
    # Groups of two tell Chinese words apart, Latin ones need three.
    length = 3 if text.isascii() and len(text) > 2 else 2
    return Keyword(text, length, frozenset(split_grams(text, length)), whole_word)


def _warn(condition: Condition) -> Iterator[Doubt]:
    if condition.source is Source.GROUP:
        return
    for keyword in _read_keywords(condition):
        if len(keyword) < 2:
            yield "short_keyword", f"The keyword “{keyword}” is a single character and is found in very many texts."
        elif keyword.isascii() and keyword.isalpha() and not condition.whole_word and len(keyword) <= _SHORT_WORD:
            sentence = f"The keyword “{keyword}” is also found inside longer words, as “order” is in “border”."
            yield "inside_words", f"{sentence} Tick “whole word” if that is not meant."
        elif condition.whole_word and not any(_is_word_letter(edge) for edge in (keyword[0], keyword[-1])):
            yield "whole_word_unused", f"“Whole word” changes nothing for “{keyword}”: such text has no word edges."


CONTAINS_ANY = OperatorDefinition(
    operator=Operator.CONTAINS_ANY,
    sources=TEXT_SOURCES | {Source.GROUP},
    compile=_compile(any),
    says="{subject} contains any of {value}",
    says_not="{subject} contains none of {value}",
    warn=_warn,
)

CONTAINS_ALL = OperatorDefinition(
    operator=Operator.CONTAINS_ALL,
    sources=TEXT_SOURCES | {Source.GROUP},
    compile=_compile(all),
    says="{subject} contains all of {value}",
    says_not="{subject} does not contain all of {value}",
    warn=_warn,
)
