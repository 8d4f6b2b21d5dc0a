"""`matches_regex`: a regular expression found anywhere in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolcatalog.contract.matching import Operator

from ..condition import Condition
from ..patterns import Pattern, compile_pattern, prepare_lines
from ..problems import BrokenCondition
from ..sources import TEXT_SOURCES
from ..subject import Subject
from .base import Doubt, OperatorDefinition

_UNRELATED_TEXTS = ("", "x", "7", "\u4e00 \u4e00")


@dataclass(frozen=True, slots=True)
class PatternTest:
    """True where the pattern is found. A rule book collects the patterns of its message rows and asks them together."""

    pattern: Pattern

    def __call__(self, subject: Subject) -> bool:
        return subject.matches(self.pattern)


def _compile(condition: Condition) -> PatternTest:
    if not isinstance(condition.value, str):
        raise BrokenCondition("value", "text_needed", "Write the pattern as text.")
    form = condition.form
    return PatternTest(compile_pattern(condition.value, ignore_case=form.ignore_case, normalise=form.normalise))


def _warn(condition: Condition) -> Iterator[Doubt]:
    test = _compile(condition)
    if all(test.pattern.found_in(prepare_lines(text)) for text in _UNRELATED_TEXTS):
        yield "always_true", "This pattern is found in every text, even an empty one. Look for a stray “*”, “?” or “|”."
    written = str(condition.value)
    beyond_ascii = any(letter.lower() != letter.upper() and not letter.isascii() for letter in written)
    if beyond_ascii and (condition.form.ignore_case or "(?i" in written):
        yield (
            "folds_unicode",
            "Ignoring case goes beyond A to Z here: accented, Greek, Cyrillic and full-width letters are folded too.",
        )


MATCHES_REGEX = OperatorDefinition(
    operator=Operator.MATCHES_REGEX,
    sources=TEXT_SOURCES,
    compile=_compile,
    says="{subject} matches the pattern {value}",
    says_not="{subject} does not match the pattern {value}",
    warn=_warn,
)
