"""`percentage`: the same share of accounts at every request, so that something can be rolled out in steps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from toolcatalog.contract.matching import Operator, Source

from ..condition import Condition
from ..problems import BrokenCondition, Mismatch
from ..subject import Subject
from .base import Doubt, OperatorDefinition

BUCKETS = 10_000
"""Steps of a hundredth of a percent."""

_UNREADABLE = "Write a percentage between 0 and 100 as a number, for example 25 or 0.5."


@dataclass(frozen=True, slots=True)
class PercentageTest:
    """True for the accounts whose bucket in this group is below the percentage.

    A larger percentage keeps every account of a smaller one, and different groups choose different accounts.
    """

    group: str
    percentage: float

    def __call__(self, subject: Subject) -> bool:
        if not isinstance(subject.value, str):
            raise Mismatch.of_kind(subject.value, "text")
        return choose_bucket(self.group, subject.value) < self.percentage * BUCKETS / 100


def choose_bucket(group: str, account: str) -> int:
    """A number from 0 to 9,999: the first 8 bytes, big endian, of SHA-256 over group, LF and account, modulo 10,000."""
    digest = hashlib.sha256(f"{group}\n{account}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % BUCKETS


def _compile(condition: Condition) -> PercentageTest:
    value = condition.value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        raise BrokenCondition("value", "percentage_needed", _UNREADABLE)
    return PercentageTest(condition.group, value)


def _warn(condition: Condition) -> Iterator[Doubt]:
    if condition.value in (0, 100):
        word = "no" if condition.value == 0 else "every"
        yield "constant_percentage", f"{condition.value} % chooses {word} account. Is that meant?"


PERCENTAGE = OperatorDefinition(
    operator=Operator.PERCENTAGE,
    sources=frozenset({Source.ACCOUNT_ID, Source.CONVERSATION_ID, Source.BOT_ID, Source.TENANT, Source.ATTRIBUTE}),
    compile=_compile,
    says="{subject} is among the first {value} percent",
    says_not="{subject} is not among the first {value} percent",
    warn=_warn,
)
