"""`greater_than` and `less_than`: numbers with numbers, dates with dates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import gt, lt

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import Operator, Source

from ..condition import Condition
from ..problems import BrokenCondition, Mismatch
from ..subject import Subject
from .base import OperatorDefinition, Test

_SOURCES = frozenset({Source.ATTRIBUTE, Source.TIME})
_UNREADABLE = "Write a number (without quotation marks), or a date such as 2026-01-31 or 2026-01-31T09:00:00+08:00."
_DATE_NEEDED = "The time is compared with a date such as 2026-01-31 or 2026-01-31T09:00:00+08:00."


@dataclass(frozen=True, slots=True)
class NumberTest:
    """True where a number stands on the wanted side of the limit, which itself is on neither side."""

    limit: int | float
    compare: Callable[[int | float, int | float], bool]

    def __call__(self, subject: Subject) -> bool:
        if isinstance(subject.value, bool) or not isinstance(subject.value, int | float):
            raise Mismatch.of_kind(subject.value, "a number")
        return self.compare(subject.value, self.limit)


@dataclass(frozen=True, slots=True)
class MomentTest:
    """True where a date lies on the wanted side of the limit, which itself is on neither side."""

    limit: datetime
    compare: Callable[[datetime, datetime], bool]

    def __call__(self, subject: Subject) -> bool:
        moment = read_moment(subject.value)
        if moment is None:
            raise Mismatch("is not a date such as 2026-01-31, which this condition needs")
        return self.compare(assume_utc(moment), self.limit)


def read_moment(value: JsonValue) -> datetime | None:
    """An ISO 8601 date or date-time, or None. A date is its first moment; without an offset the result has no zone."""
    if not isinstance(value, str) or value[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def assume_utc(moment: datetime) -> datetime:
    """The same moment, UTC where it names no zone."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _compile(compare: Callable[..., bool]) -> Callable[[Condition], Test]:
    def compile_ordering(condition: Condition) -> Test:
        limit = condition.value
        if isinstance(limit, int | float) and not isinstance(limit, bool):
            if condition.source is Source.TIME:
                raise BrokenCondition("value", "date_needed", _DATE_NEEDED)
            return NumberTest(limit, compare)
        moment = read_moment(limit)
        if moment is None:
            raise BrokenCondition("value", "number_or_date_needed", _UNREADABLE)
        return MomentTest(assume_utc(moment), compare)

    return compile_ordering


GREATER_THAN = OperatorDefinition(
    operator=Operator.GREATER_THAN,
    sources=_SOURCES,
    compile=_compile(gt),
    says="{subject} is greater or later than {value}",
    says_not="{subject} is not greater or later than {value}",
)

LESS_THAN = OperatorDefinition(
    operator=Operator.LESS_THAN,
    sources=_SOURCES,
    compile=_compile(lt),
    says="{subject} is less or earlier than {value}",
    says_not="{subject} is not less or earlier than {value}",
)
