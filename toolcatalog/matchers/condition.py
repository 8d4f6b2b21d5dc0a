"""One condition with its defaults filled in: what an operator is given when it compiles a row."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import MatcherRow, Operator, Source

from .problems import BrokenCondition
from .subject import TextForm

KEYWORD_OPERATORS = frozenset({Operator.CONTAINS_ANY, Operator.CONTAINS_ALL})


@dataclass(frozen=True, slots=True)
class Condition:
    """A row whose source is known. `group` is the name of the group that the row belongs to."""

    group: str
    source: Source
    operator: Operator
    value: JsonValue
    attribute: str
    form: TextForm
    whole_word: bool

    def text(self, sentence: str) -> str:
        """The wanted value as text. Raises BrokenCondition with the sentence when it is none."""
        if not isinstance(self.value, str) or not self.value:
            raise BrokenCondition("value", "text_needed", sentence)
        return self.value

    def values(self, sentence: str) -> tuple[JsonValue, ...]:
        """The wanted values: a list, or a text with one value a line. Raises BrokenCondition when it is neither."""
        written = self.value
        listed = [line.strip() for line in written.splitlines()] if isinstance(written, str) else written
        if not isinstance(listed, list | tuple):
            raise BrokenCondition("value", "list_needed", sentence)
        return tuple(item for item in listed if not (isinstance(item, str) and not item.strip()))


def default_ignore_case(source: str, operator: str) -> bool:
    """Whether letter case is ignored where a row leaves it open: for the message, unless a pattern looks at it.

    A pattern says so itself, with `(?i)`.
    """
    return source == Source.MESSAGE and operator != Operator.MATCHES_REGEX


def default_normalise(source: str, operator: str) -> bool:
    """Whether text is normalised where a row leaves it open: only keywords over the message are."""
    return source == Source.MESSAGE and operator in KEYWORD_OPERATORS


def read_form(row: MatcherRow) -> TextForm:
    """The text form that a row compares in, its defaults filled in."""
    normalise, ignore_case = row.normalise, row.ignore_case
    return TextForm(
        default_normalise(row.source, row.operator) if normalise is None else normalise,
        default_ignore_case(row.source, row.operator) if ignore_case is None else ignore_case,
    )
