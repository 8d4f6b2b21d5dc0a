"""One value that conditions look at, in the text forms they ask for. Each form is made once, however many rows ask."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from toolcatalog.contract.json import JsonValue
from toolcatalog.text import normalise_text

from .pattern_index import EMPTY_INDEX, PatternIndex
from .patterns import Pattern, prepare_lines
from .problems import Mismatch

MESSAGE_LIMIT = 64_000
"""Characters of a message that rules look at. Normalising may grow a text 18 times, so it is cut first."""

GRAMS_FROM = 256
"""Texts of this many characters or more are first asked for a keyword's character groups: one pass over the text, then
a set comparison for each keyword. Shorter texts are searched directly, which is faster there."""


def cap_message(text: str) -> tuple[str, bool]:
    """The part of a message that rules look at, and whether anything was cut off."""
    return text[:MESSAGE_LIMIT], len(text) > MESSAGE_LIMIT


class TextForm(NamedTuple):
    """How a text is shaped before it is compared; both sides get the same form."""

    normalise: bool
    ignore_case: bool

    def shape(self, text: str) -> str:
        """`text` in this form."""
        if self.normalise:
            return normalise_text(text, fold_case=self.ignore_case)
        return text.casefold() if self.ignore_case else text


class Subject:
    """A value read from the request. Local to one evaluation, so its caches are never shared between threads."""

    __slots__ = ("_answers", "_forms", "_grams", "_index", "_lines", "value")

    def __init__(self, value: JsonValue, index: PatternIndex = EMPTY_INDEX) -> None:
        self.value = _without_half_characters(value) if isinstance(value, str) else value
        self._index = index
        self._forms: dict[TextForm, str] = {}
        self._grams: dict[tuple[TextForm, int], set[str]] = {}
        self._lines: dict[bool, bytes] = {}
        self._answers: dict[str, bool] | None = None

    def text(self, form: TextForm) -> str:
        """The value as text in a form. Raises Mismatch when it is not text."""
        shaped = self._forms.get(form)
        if shaped is None:
            if not isinstance(self.value, str):
                raise Mismatch.of_kind(self.value, "text")
            shaped = self._forms[form] = form.shape(self.value)
        return shaped

    def grams(self, form: TextForm, length: int) -> set[str]:
        """Every group of `length` neighbouring characters of the text."""
        found = self._grams.get((form, length))
        if found is None:
            found = self._grams[form, length] = split_grams(self.text(form), length)
        return found

    def matches(self, pattern: Pattern) -> bool:
        """Whether the pattern is found anywhere in the text."""
        if self._answers is None:
            self._answers = self._index.answer(self.lines)
        answer = self._answers.get(pattern.key)
        if answer is None:
            answer = self._answers[pattern.key] = pattern.found_in(self.lines(pattern.normalise))
        return answer

    def lines(self, normalise: bool) -> bytes:
        """The text as patterns see it: line ends are LF, one final one is gone, UTF-8."""
        prepared = self._lines.get(normalise)
        if prepared is None:
            prepared = self._lines[normalise] = prepare_lines(self.text(TextForm(normalise, ignore_case=False)))
        return prepared


def split_grams(text: str, length: int) -> set[str]:
    """All groups of two or three neighbouring characters."""
    pairs = map(add, text, text[1:])
    return set(pairs if length == 2 else map(add, pairs, text[2:]))


def _without_half_characters(text: str) -> str:
    """Half of a surrogate pair is no character and cannot be encoded: it reads as "?", so that the rest can match."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
