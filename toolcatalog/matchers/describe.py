"""Rules as sentences: "the last user message contains any of 订单, 物流 and the account is given"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toolcatalog.contract.json import JsonValue, dump_json
from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules, MatcherRow, Operator, Source

from .compiled import find_operator, read_condition
from .operators.group_names import read_group_names
from .problems import BrokenCondition
from .sources import SOURCES

AND = "{first} and {second}"
ALWAYS_SAYS = "always"
MATCHER_SAYS = "the matcher {value} decides"
BROKEN_SAYS = "a condition that is broken and never true"


_ALL_GROUPS = frozenset({Operator.EQUALS, Operator.NOT_EQUALS, Operator.CONTAINS_ALL})
_GROUPS_SAY = {
    ("one", False): "the group {value} matched before",
    ("one", True): "the group {value} did not match before",
    ("any", False): "one of the groups {value} matched before",
    ("any", True): "none of the groups {value} matched before",
    ("all", False): "all of the groups {value} matched before",
    ("all", True): "not all of the groups {value} matched before",
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One condition in parts, so that an interface can translate the words and keep the values.

    `template` has the places `{subject}` and `{value}`, `subject` the place `{attribute}`; both are among a closed set
    of sentences, `attribute` and `value` are the curator's own.
    """

    template: str
    subject: str = ""
    attribute: str = ""
    value: str = ""

    def __str__(self) -> str:
        subject = self.subject.format(attribute=f"“{self.attribute}”")
        return self.template.format(subject=subject, value=self.value)


def describe_rules(rules: GroupRules) -> tuple[str, ...]:
    """When the group applies: one sentence for each condition set; any of them is enough."""
    return tuple(_join(phrases) for phrases in phrase_rules(rules))


def phrase_rules(rules: GroupRules) -> tuple[tuple[Phrase, ...], ...]:
    """The phrases of each condition set, in order."""
    if rules.match == ALWAYS:
        return ((Phrase(ALWAYS_SAYS),),)
    if rules.match != RULES:
        return ((Phrase(MATCHER_SAYS, value=f"“{rules.match}”"),),)
    numbers = sorted({row.condition_set for row in rules.rows})
    return tuple(
        tuple(phrase_row(rules.name, row) for row in rules.rows if row.condition_set == number) for number in numbers
    )


def phrase_row(group: str, row: MatcherRow) -> Phrase:
    """One condition as a phrase. A broken one says so."""
    try:
        condition = read_condition(group, row)
        definition = find_operator(condition.source, condition.operator)
        if condition.source is Source.GROUP:
            return _phrase_group(
                row, negated=row.negate != (definition.inverted or condition.operator is Operator.IS_FALSE)
            )
    except BrokenCondition:
        return Phrase(BROKEN_SAYS)
    template = definition.says_not if row.negate else definition.says
    return Phrase(template, SOURCES[condition.source].words, condition.attribute, _write_value(row.value))


def _phrase_group(row: MatcherRow, *, negated: bool) -> Phrase:
    names = read_group_names(row.value, row.attribute)
    amount = "one" if len(names) == 1 else "all" if row.operator in _ALL_GROUPS else "any"
    return Phrase(_GROUPS_SAY[amount, negated], value=", ".join(f"“{name}”" for name in names))


def _write_value(value: JsonValue) -> str:
    if isinstance(value, str):
        return ", ".join(line.strip() for line in value.splitlines() if line.strip())
    if isinstance(value, list | tuple):
        return ", ".join(_write_value(item) for item in value)
    if isinstance(value, Mapping) and {"from", "to"} <= value.keys():
        times = f"{value['from']} and {value['to']} {value.get('zone') or 'UTC'}"
        return f"{times}, days {_write_value(value['days'])}" if value.get("days") else times
    return dump_json(value).decode()


def _join(phrases: tuple[Phrase, ...]) -> str:
    sentence = str(phrases[0])
    for phrase in phrases[1:]:
        sentence = AND.format(first=sentence, second=phrase)
    return sentence
