"""What an operator is: which sources it reads, how its value is checked and compiled, how it reads in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from toolcatalog.contract.matching import Operator, Source

from ..condition import Condition
from ..subject import Subject

Test: TypeAlias = Callable[[Subject], bool]
"""A compiled condition. Called only with a value that is there; raises Mismatch when it is of the wrong kind."""

Doubt: TypeAlias = tuple[str, str]
"""Something in a value that is allowed and probably not meant: a stable word and a sentence."""


def no_doubt(condition: Condition) -> Iterable[Doubt]:  # noqa: ARG001 (it stands where others read the condition)
    """No value of this operator is doubtful."""
    return ()


@dataclass(frozen=True, slots=True)
class OperatorDefinition:
    """One operator.

    `compile` checks the wanted value and makes a test of it, once per catalog revision; it raises BrokenCondition,
    whose sentence is also the error shown at save. `says` and `says_not` are sentences with the places `{subject}` and
    `{value}`. `inverted` marks an operator that is the negation of the test it compiles; a missing value makes the
    test false, and so the inverted operator true.
    `warn` names doubtful values as (code, sentence), for the editor; nothing is refused for them.
    """

    operator: Operator
    sources: frozenset[Source]
    compile: Callable[[Condition], Test]
    says: str
    says_not: str
    inverted: bool = False
    warn: Callable[[Condition], Iterable[Doubt]] = no_doubt
