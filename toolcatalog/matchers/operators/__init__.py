"""Every operator, in one table.

To add one: a member of `Operator`, a module here with an `OperatorDefinition` (its neighbours show how), a line below.
Checks at save, evaluation, explanations and sentences follow from the definition.
"""

from __future__ import annotations

from toolcatalog.contract.matching import Operator

from .affixes import ENDS_WITH, STARTS_WITH
from .base import OperatorDefinition, Test
from .equality import EQUALS, IN, NOT_EQUALS, NOT_IN
from .flags import EXISTS, IS_FALSE, IS_TRUE
from .keywords import CONTAINS_ALL, CONTAINS_ANY
from .ordering import GREATER_THAN, LESS_THAN
from .patterns import MATCHES_REGEX, PatternTest
from .percentage import PERCENTAGE
from .times import BETWEEN_TIMES

OPERATORS: dict[Operator, OperatorDefinition] = {
    definition.operator: definition
    for definition in (
        CONTAINS_ANY,
        CONTAINS_ALL,
        MATCHES_REGEX,
        EQUALS,
        NOT_EQUALS,
        IN,
        NOT_IN,
        STARTS_WITH,
        ENDS_WITH,
        GREATER_THAN,
        LESS_THAN,
        IS_TRUE,
        IS_FALSE,
        EXISTS,
        PERCENTAGE,
        BETWEEN_TIMES,
    )
}

__all__ = ["OPERATORS", "OperatorDefinition", "PatternTest", "Test"]
