"""`is_true`, `is_false` and `exists`: conditions that need no value to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolcatalog.contract.matching import Operator, Source

from ..condition import Condition
from ..problems import Mismatch
from ..sources import TEXT_SOURCES
from ..subject import Subject
from .base import Doubt, OperatorDefinition, Test
from .group_names import GroupNamesTest, read_group_names


@dataclass(frozen=True, slots=True)
class FlagTest:
    """True where the value is exactly the wanted one of true and false; 1 and "true" are neither."""

    wanted: bool

    def __call__(self, subject: Subject) -> bool:
        if not isinstance(subject.value, bool):
            raise Mismatch.of_kind(subject.value, "true or false")
        return subject.value is self.wanted


def is_there(subject: Subject) -> bool:
    """True wherever it is asked: a missing value never reaches a test."""
    return subject.value is not None


def _no_group_matched(names: tuple[str, ...]) -> Test:
    matched = GroupNamesTest(names)
    return lambda subject: not matched(subject)


def _compile_true(condition: Condition) -> Test:
    if condition.source is Source.GROUP:
        return GroupNamesTest(read_group_names(condition.value, condition.attribute))
    return FlagTest(wanted=True)


def _compile_false(condition: Condition) -> Test:
    if condition.source is Source.GROUP:
        return _no_group_matched(read_group_names(condition.value, condition.attribute))
    return FlagTest(wanted=False)


def _compile_exists(condition: Condition) -> Test:
    if condition.source is Source.GROUP:
        return GroupNamesTest(read_group_names(condition.value, condition.attribute))
    return is_there


def _warn_exists(condition: Condition) -> Iterator[Doubt]:
    if condition.source is Source.TENANT:
        yield "always_true", "Every request has a tenant, so this is always true."


IS_TRUE = OperatorDefinition(
    operator=Operator.IS_TRUE,
    sources=frozenset({Source.ATTRIBUTE, Source.GROUP}),
    compile=_compile_true,
    says="{subject} is true",
    says_not="{subject} is not true",
)

IS_FALSE = OperatorDefinition(
    operator=Operator.IS_FALSE,
    sources=frozenset({Source.ATTRIBUTE, Source.GROUP}),
    compile=_compile_false,
    says="{subject} is false",
    says_not="{subject} is not false",
)

EXISTS = OperatorDefinition(
    operator=Operator.EXISTS,
    sources=TEXT_SOURCES | {Source.GROUP},
    compile=_compile_exists,
    says="{subject} is given",
    says_not="{subject} is not given",
    warn=_warn_exists,
)
