"""`between_times`: a part of the day, in a named time zone, on chosen days of the week."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.matching import Operator, Source

from ..condition import Condition
from ..problems import BrokenCondition, Mismatch
from ..subject import Subject
from .base import Doubt, OperatorDefinition
from .ordering import read_moment

MINUTES_A_DAY = 24 * 60
EVERY_DAY = frozenset(range(1, 8))
_KEYS = frozenset({"from", "to", "zone", "days"})
_EXAMPLE = '{"from": "09:00", "to": "18:00", "zone": "Asia/Shanghai", "days": [1, 2, 3, 4, 5]}'


@dataclass(frozen=True, slots=True)
class TimesTest:
    """True from `start` (included) to `end` (not included), in minutes after midnight of the zone.

    An end before the start is on the next day. `days` (1 is Monday, 7 Sunday) are those on which the time begins.
    """

    start: int
    end: int
    zone: ZoneInfo
    days: frozenset[int]

    def __call__(self, subject: Subject) -> bool:
        moment = read_moment(subject.value)
        if moment is None or "T" not in str(subject.value).replace(" ", "T"):
            raise Mismatch("is not a date with a time such as 2026-01-31T09:00:00+08:00, which this condition needs")
        return self.holds(moment.astimezone(self.zone) if moment.tzinfo else moment)

    def holds(self, local: datetime) -> bool:
        """Whether a wall clock time of the zone is inside."""
        minute, today = local.hour * 60 + local.minute, local.isoweekday()
        if self.start < self.end:
            return self.start <= minute < self.end and today in self.days
        yesterday = (today - 2) % 7 + 1
        return (minute >= self.start and today in self.days) or (minute < self.end and yesterday in self.days)


def _compile(condition: Condition) -> TimesTest:
    value = condition.value
    if not isinstance(value, Mapping) or not {"from", "to"} <= value.keys() or value.keys() - _KEYS:
        raise BrokenCondition("value", "times_needed", f"Write the times as in this example: {_EXAMPLE}")
    start, end = _read_minutes(value, "from"), _read_minutes(value, "to")
    if start == end:
        sentence = "“from” and “to” are the same. For a whole day write 00:00 and 24:00."
        raise BrokenCondition("value", "empty_times", sentence)
    return TimesTest(start, end, _read_zone(value.get("zone")), _read_days(value.get("days")))


def _read_minutes(value: JsonObject, key: str) -> int:
    hours, colon, minutes = str(value[key]).partition(":")
    digits = hours + minutes
    if colon and digits.isascii() and digits.isdecimal() and len(hours) in (1, 2) and len(minutes) == 2:
        total = int(hours) * 60 + int(minutes)
        if int(minutes) < 60 and total <= MINUTES_A_DAY - (key == "from"):
            return total
    sentence = f"“{key}” is not a time of day. Write hours and minutes from 00:00 to 23:59, for example 09:00."
    raise BrokenCondition("value", "bad_time", sentence)


def _read_zone(name: JsonValue) -> ZoneInfo:
    try:
        return ZoneInfo("UTC" if name is None else str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        sentence = "The time zone is not known. Write a name such as Asia/Shanghai, or leave it out for UTC."
        raise BrokenCondition("value", "bad_zone", sentence) from error


def _read_days(days: JsonValue) -> frozenset[int]:
    if days is None:
        return EVERY_DAY
    if isinstance(days, list | tuple) and days:
        numbers = {day for day in days if isinstance(day, int) and not isinstance(day, bool) and day in EVERY_DAY}
        if len(numbers) == len(days):
            return frozenset(numbers)
    sentence = "“days” is a list of numbers from 1 (Monday) to 7 (Sunday). Leave it out for every day."
    raise BrokenCondition("value", "bad_days", sentence)


def _warn(condition: Condition) -> Iterator[Doubt]:
    test = _compile(condition)
    if test.end - test.start == MINUTES_A_DAY and test.days == EVERY_DAY:
        yield "always_true", "These times are the whole day on every day, so this is always true."
    if isinstance(condition.value, Mapping) and condition.value.get("zone") is None:
        yield "zone_missing", "No time zone is named, so the times are UTC. Add “zone”, for example Asia/Shanghai."


BETWEEN_TIMES = OperatorDefinition(
    operator=Operator.BETWEEN_TIMES,
    sources=frozenset({Source.TIME, Source.ATTRIBUTE}),
    compile=_compile,
    says="{subject} is between {value}",
    says_not="{subject} is not between {value}",
    warn=_warn,
)
