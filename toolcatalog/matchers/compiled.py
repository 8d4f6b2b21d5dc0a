"""From rules as they are stored to rules as they are judged: done once for each catalog revision.

Compiling never raises. A row that is wrong becomes a broken one, which is false also when negated; the rows and groups
beside it are not touched.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TypeVar

from toolcatalog.contract.json import freeze_json
from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules, MatcherRow, Operator, Source

from .condition import Condition, read_form
from .operators import OPERATORS, OperatorDefinition, PatternTest, Test
from .operators.group_names import read_group_names
from .outcomes import PlainOutcomes, make_plain_outcomes
from .patterns import Pattern
from .problems import BrokenCondition
from .registry import PluginRegistry, RegisteredMatcher, installed_plugins
from .sources import name_source
from .subject import Subject

NO_CONDITION = "The group applies by its conditions and has none, so it never matches. Add one, or choose “always”."

Word = TypeVar("Word", Source, Operator)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CompiledRow:
    """One condition, ready to be judged. `problem` is set, and `test` useless, when it is broken.

    `place` is its number in the group, from 1. `reads` is the same for rows that read the same value. `inverted` is the
    row's negation and the operator's together. `reads_message` is about the row itself; whether the earlier groups that
    it asks about (`groups`) do, is found out when they are judged.
    """

    row: MatcherRow
    place: int
    source: Source
    reads: str
    test: Test
    inverted: bool
    subject: str
    reads_message: bool
    groups: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def pattern(self) -> Pattern | None:
        """Its regular expression, if it has one."""
        return self.test.pattern if isinstance(self.test, PatternTest) else None


@dataclass(frozen=True, slots=True)
class CompiledSet:
    """One condition set: all of its rows have to hold."""

    number: int
    rows: tuple[CompiledRow, ...]


@dataclass(frozen=True, slots=True)
class CompiledGroup:
    """One group, ready to be judged. `always` groups and those of a registered matcher have no sets.

    `problem` is a sentence about the group as a whole: it then never matches. `reads_message` and `asks_about` say what
    decides whether the group depends on the message: itself, or by way of the earlier groups it names.
    """

    rules: GroupRules
    plain: PlainOutcomes
    sets: tuple[CompiledSet, ...] = ()
    matcher: RegisteredMatcher | None = None
    problem: str | None = None
    reads_message: bool = False
    asks_about: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def compiled_rows(self) -> tuple[CompiledRow, ...]:
        """All rows of all sets."""
        return tuple(row for condition_set in self.sets for row in condition_set.rows)


def compile_group(rules: GroupRules, *, matchers_registry: PluginRegistry | None = None) -> CompiledGroup:
    """Compile the rules of one group. Never raises: what is wrong becomes a sentence and never matches."""
    plain = make_plain_outcomes(rules)
    if rules.match == ALWAYS:
        return CompiledGroup(rules, plain)
    if rules.match != RULES:
        return _compile_plugin(rules, plain, matchers_registry or installed_plugins())
    rows = [compile_row(rules.name, place, row) for place, row in enumerate(rules.rows, start=1)]
    numbered: dict[int, list[CompiledRow]] = {}
    for row in rows:
        numbered.setdefault(row.row.condition_set, []).append(row)
    return CompiledGroup(
        rules,
        plain,
        sets=tuple(CompiledSet(number, tuple(numbered[number])) for number in sorted(numbered)),
        problem=None if rows else NO_CONDITION,
        reads_message=any(row.reads_message for row in rows),
        asks_about=frozenset(name for row in rows for name in row.groups),
    )


def _compile_plugin(rules: GroupRules, plain: PlainOutcomes, registry: PluginRegistry) -> CompiledGroup:
    matcher = registry.find_matcher(rules.match)
    if matcher is None:
        return CompiledGroup(rules, plain, problem=name_unknown_matcher(rules.match))
    frozen = replace(rules, params=freeze_json(rules.params))
    return CompiledGroup(frozen, plain, matcher=matcher, reads_message=matcher.reads_message)


def name_unknown_matcher(name: str) -> str:
    """The sentence about a `match` that nothing here answers to."""
    return f"There is no matcher named “{name}” here. Install it, or choose “always” or “rules”."


def compile_row(group: str, place: int, row: MatcherRow) -> CompiledRow:
    """Compile one row; a broken one keeps the sentence."""
    try:
        return build_row(group, row, place)
    except BrokenCondition as broken:
        sentence = broken.sentence
    except Exception as error:  # the callback border: operators may be added by others
        sentence = f"The operator failed to read this condition ({type(error).__name__})."
    logger.warning("broken condition in the group %r: %s", group, sentence)
    source = _guess_source(row)
    return CompiledRow(row, place, source, "", _never, False, "", source is Source.MESSAGE, problem=sentence)


def build_row(group: str, row: MatcherRow, place: int = 1) -> CompiledRow:
    """Compile one row. Raises BrokenCondition, which names the field that is wrong."""
    condition = read_condition(group, row)
    definition = find_operator(condition.source, condition.operator)
    groups = read_group_names(row.value, row.attribute) if condition.source is Source.GROUP else ()
    return CompiledRow(
        row=row,
        place=place,
        source=condition.source,
        reads=f"{condition.source} {condition.attribute}" if condition.source is Source.ATTRIBUTE else condition.source,
        test=definition.compile(condition),
        inverted=row.negate != definition.inverted,
        subject=name_source(condition.source, condition.attribute),
        reads_message=condition.source is Source.MESSAGE,
        groups=groups,
    )


def read_condition(group: str, row: MatcherRow) -> Condition:
    """A row with its words understood and its defaults filled in. Raises BrokenCondition."""
    source = _parse(Source, row.source, "source", "what the condition looks at")
    operator = _parse(Operator, row.operator, "operator", "how it compares")
    if source is Source.ATTRIBUTE and not row.attribute.strip():
        sentence = "Write which attribute is meant, for example plan or user.plan."
        raise BrokenCondition("attribute", "attribute_needed", sentence)
    return Condition(group, source, operator, row.value, row.attribute.strip(), read_form(row), row.whole_word)


def find_operator(source: Source, operator: Operator) -> OperatorDefinition:
    """The definition of an operator that fits the source. Raises BrokenCondition with those that would fit."""
    definition = OPERATORS.get(operator)
    if definition is None or source not in definition.sources:
        fitting = ", ".join(known.operator for known in OPERATORS.values() if source in known.sources)
        sentence = f"“{operator}” cannot be used with “{source}”. Choose one of: {fitting}."
        raise BrokenCondition("operator", "operator_not_fitting", sentence)
    return definition


def _parse(words: type[Word], written: str, field: str, meaning: str) -> Word:
    try:
        return words(written)
    except ValueError:
        known = ", ".join(words)
        sentence = f"“{written}” is not known. Choose {meaning}, one of: {known}."
        raise BrokenCondition(field, f"unknown_{field}", sentence) from None


def _guess_source(row: MatcherRow) -> Source:
    """The source of a broken row, if it is a known one; of any other, one that says nothing about the message."""
    return Source(row.source) if row.source in set(Source) else Source.ATTRIBUTE


def _never(subject: Subject) -> bool:  # noqa: ARG001 (it stands where a test stands)
    return False
