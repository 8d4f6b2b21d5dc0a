"""Rules of groups in words, in the curator's language."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from toolcatalog.contract.matching import ALWAYS, RULES, GroupRules
from toolcatalog.matchers import Phrase, has_access_conditions, phrase_rules
from toolcatalog.models import ToolGroup
from toolcatalog.selectors import make_group_rules, make_matcher_row


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
    sentences = tuple(gettext(" and ").join(say_phrase(phrase) for phrase in phrases) for phrases in phrase_rules(rules))
    return RuleWords(sentences or (gettext("never: there is no condition"),), rules.restricts_access, explain_access(rules))


def say_group(group: ToolGroup) -> RuleWords:
    """The rules of a stored group. Prefetch its matchers."""
    rows = tuple(make_matcher_row(matcher) for matcher in group.matchers.all())
    return say_rules(make_group_rules(group, rows))


def say_phrase(phrase: Phrase) -> str:
    """One condition in words: the words are translated, the curator's own values are not."""
    subject = gettext(phrase.subject) if phrase.subject else ""
    return str(Phrase(gettext(phrase.template), subject, phrase.attribute, phrase.value))


def explain_access(rules: GroupRules) -> str:
    """What `restricts_access` of these rules means for the tools of the group (G17)."""
    conditions = has_access_conditions(rules)
    if rules.restricts_access and conditions:
        return gettext(
            "Access is restricted: the tools of this group can be shown, found, called and run only where its conditions "
            "on account, model, attributes and the like hold. Its conditions on the message only decide whether the tools "
            "are sent up front."
        )
    if rules.restricts_access:
        return gettext("Access is not restricted, although asked for: no condition says who may have the tools.")
    if conditions:
        return gettext(
            "Access is not restricted: where the conditions do not hold the tools are not sent up front, but a search can "
            "still find them."
        )
    return gettext("Access is not restricted: the tools of this group can also be found by search, whether it applies or not.")


def says_automatic(rules: GroupRules) -> str:
    """What “automatic” works out to for these rules."""
    if has_access_conditions(rules):
        return gettext("Left automatic it is: yes, since there is a condition on something else than the message.")
    if rules.match in {ALWAYS, RULES}:
        return gettext("Left automatic it is: no, since there is no condition on anything but the message.")
    return gettext("Left automatic it is: no, since this matcher reads the message.")
