"""Rules of groups in words, in the curator's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules, MatcherRow, Operator
from toolcatalog.matchers import Phrase, has_access_conditions, phrase_rules
from toolcatalog.models import ToolGroup
from toolcatalog.selectors import make_group_rules, make_matcher_row

from .words import DAYS, say


@dataclass(frozen=True, slots=True)
class RuleWords:
    """When a group applies: one sentence for each condition set, any of which is enough."""

    sentences: tuple[str, ...]
    restricts: bool
    explanation: str

    def __str__(self) -> str:
        return gettext(" — or — ").join(self.sentences)


def say_rules(rules: GroupRules) -> RuleWords:
    """The rules in words, and what “restricts access” works out to."""
    conditions = _phrases_with_rows(rules)
    sentences = tuple(gettext(" and ").join(say_phrase(*condition) for condition in known) for known in conditions)
    return RuleWords(
        sentences or (gettext("never: there is no condition"),), rules.restricts_access, explain_access(rules)
    )


def say_group(group: ToolGroup) -> RuleWords:
    """The rules of a stored group. Prefetch its matchers."""
    rows = tuple(make_matcher_row(matcher) for matcher in group.matchers.all())
    return say_rules(make_group_rules(group, rows))


def _phrases_with_rows(rules: GroupRules) -> list[list[tuple[Phrase, MatcherRow | None]]]:
    """The phrases of each condition set, each with the row that it says."""
    phrases = phrase_rules(rules)
    if rules.match != RULES:
        return [[(phrase, None) for phrase in said] for said in phrases]
    numbers = sorted({row.condition_set for row in rules.rows})
    rows = [[row for row in rules.rows if row.condition_set == number] for number in numbers]
    return [list(zip(said, known, strict=True)) for said, known in zip(phrases, rows, strict=True)]


def say_phrase(phrase: Phrase, row: MatcherRow | None) -> str:
    """One condition in words: the words are translated, the curator's own values are not."""
    subject = gettext(phrase.subject) if phrase.subject else ""
    value = phrase.value
    if row is not None and row.operator == Operator.BETWEEN_TIMES and isinstance(row.value, Mapping) and value:
        value = _say_times(row.value)
    return str(Phrase(gettext(phrase.template), subject, phrase.attribute, value))


def _say_times(times: Mapping[str, Any]) -> str:
    said = gettext("%(start)s and %(end)s (%(zone)s)") % {
        "start": times.get("from"),
        "end": times.get("to"),
        "zone": times.get("zone") or "UTC",
    }
    days = times.get("days")
    if not isinstance(days, list | tuple):
        return said
    return gettext("%(times)s on %(days)s") % {"times": said, "days": ", ".join(say(DAYS, str(day)) for day in days)}


def explain_access(rules: GroupRules) -> str:
    """What `restricts_access` of these rules means for the tools of the group (G17)."""
    conditions = has_access_conditions(rules)
    if rules.restricts_access and conditions:
        return gettext(
            "Access is restricted: the tools of this group can be shown, found, called and run only where its "
            "conditions on account, model, attributes and the like hold. Its conditions on the message only decide "
            "whether the tools are sent up front."
        )
    if rules.restricts_access:
        return gettext("Access is not restricted, although asked for: no condition says who may have the tools.")
    if conditions:
        return gettext(
            "Access is not restricted: where the conditions do not hold the tools are not sent up front, but a search "
            "can still find them."
        )
    return gettext(
        "Access is not restricted: the tools of this group can also be found by search, whether it applies or not."
    )


def says_automatic(rules: GroupRules) -> str:
    """What “automatic” works out to for these rules."""
    if has_access_conditions(rules):
        return gettext("Left automatic it is: yes, since there is a condition on something else than the message.")
    if rules.match in {ALWAYS, RULES}:
        return gettext("Left automatic it is: no, since there is no condition on anything but the message.")
    return gettext("Left automatic it is: no, since this matcher reads the message.")
