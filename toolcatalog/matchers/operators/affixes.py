"""`starts_with` and `ends_with`: the edges of a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toolcatalog.contract.matching import Operator

from ..condition import Condition
from ..problems import BrokenCondition
from ..sources import TEXT_SOURCES
from ..subject import Subject, TextForm
from .base import OperatorDefinition

_NO_TEXT = "Write the text that it has to start or end with."


@dataclass(frozen=True, slots=True)
class AffixTest:
    """True where the text has the affix at the edge that `compare` looks at."""

    affix: str
    form: TextForm
    compare: Callable[[str, str], bool]

    def __call__(self, subject: Subject) -> bool:
        return self.compare(subject.text(self.form), self.affix)


def _compile(compare: Callable[[str, str], bool]) -> Callable[[Condition], AffixTest]:
    def compile_affix(condition: Condition) -> AffixTest:
        affix = condition.form.shape(condition.text(_NO_TEXT))
        if not affix:
            raise BrokenCondition("value", "text_needed", _NO_TEXT)
        return AffixTest(affix, condition.form, compare)

    return compile_affix


STARTS_WITH = OperatorDefinition(
    operator=Operator.STARTS_WITH,
    sources=TEXT_SOURCES,
    compile=_compile(str.startswith),
    says="{subject} starts with {value}",
    says_not="{subject} does not start with {value}",
)

ENDS_WITH = OperatorDefinition(
    operator=Operator.ENDS_WITH,
    sources=TEXT_SOURCES,
    compile=_compile(str.endswith),
    says="{subject} ends with {value}",
    says_not="{subject} does not end with {value}",
)
