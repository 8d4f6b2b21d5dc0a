"""`equals`, `in` and their negations: values of one kind, compared exactly."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import Operator, Source

from ..condition import Condition
from ..problems import BrokenCondition, Mismatch, describe_kind
from ..sources import TEXT_SOURCES
from ..subject import Subject, TextForm
from .base import OperatorDefinition, Test
from .group_names import GroupNamesTest, read_group_names

_SOURCES = TEXT_SOURCES | {Source.GROUP}
_NO_VALUE = "Write the value to compare with. To ask only whether there is one, use “exists”."
_NO_VALUES = "Write at least one value, one a line."
_TEXT_ONLY = 'This is always text: put the value in quotation marks, for example "1001".'


@dataclass(frozen=True, slots=True)
class OneOfTest:
    """True where the value is one of the wanted ones. Text stays text, a number a number, true and false themselves."""

    wanted: frozenset[tuple[str, str | float]]
    kinds: frozenset[str]
    form: TextForm

    def __call__(self, subject: Subject) -> bool:
        key = make_key(subject.text(self.form) if isinstance(subject.value, str) else subject.value)
        if key is None or key[0] not in self.kinds:
            raise Mismatch.of_kind(subject.value, " or ".join(sorted(self.kinds)))
        return key in self.wanted


def make_key(value: JsonValue) -> tuple[str, str | float] | None:
    """A value with its kind, so that 1 and true differ; None for what is no single value."""
    return (describe_kind(value), value) if isinstance(value, str | int | float) else None


def _compile_one_of(condition: Condition, values: tuple[JsonValue, ...]) -> OneOfTest:
    shaped = [condition.form.shape(value) if isinstance(value, str) else value for value in values]
    keys = {make_key(value) for value in shaped}
    if not keys:
        raise BrokenCondition("value", "no_value", _NO_VALUES)
    wanted = frozenset(key for key in keys if key is not None)
    if len(wanted) < len(keys):
        raise BrokenCondition("value", "single_value_needed", _NO_VALUE)
    kinds = frozenset(kind for kind, _ in wanted)
    if condition.source is not Source.ATTRIBUTE and kinds != {"text"}:
        raise BrokenCondition("value", "text_needed", _TEXT_ONLY)
    return OneOfTest(wanted, kinds, condition.form)


def _compile_equals(condition: Condition) -> Test:
    if condition.source is Source.GROUP:
        return GroupNamesTest(read_group_names(condition.value, condition.attribute), all)
    return _compile_one_of(condition, (condition.value,))


def _compile_in(condition: Condition) -> Test:
    if condition.source is Source.GROUP:
        return GroupNamesTest(read_group_names(condition.value, condition.attribute))
    return _compile_one_of(condition, condition.values(_NO_VALUES))


EQUALS = OperatorDefinition(
    operator=Operator.EQUALS,
    sources=_SOURCES,
    compile=_compile_equals,
    says="{subject} is {value}",
    says_not="{subject} is not {value}",
)

NOT_EQUALS = OperatorDefinition(
    operator=Operator.NOT_EQUALS,
    sources=_SOURCES,
    compile=_compile_equals,
    says="{subject} is not {value}",
    says_not="{subject} is {value}",
    inverted=True,
)

IN = OperatorDefinition(
    operator=Operator.IN,
    sources=_SOURCES,
    compile=_compile_in,
    says="{subject} is one of {value}",
    says_not="{subject} is none of {value}",
)

NOT_IN = OperatorDefinition(
    operator=Operator.NOT_IN,
    sources=_SOURCES,
    compile=_compile_in,
    says="{subject} is none of {value}",
    says_not="{subject} is one of {value}",
    inverted=True,
)
