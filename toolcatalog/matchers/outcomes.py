"""What came of a group, with its reason, and the record that an explanation keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import ConditionSetOutcome, GroupOutcome, GroupRules, MatcherOutcome, MatcherRow
from toolcatalog.contract.reasons import Reason

SEEN_LIMIT = 500
"""Characters of a text that an explanation shows."""


class Verdict(NamedTuple):
    """What came of one row: its result, the value it read (where an explanation is wanted), why it is broken, if so."""

    result: bool
    seen: JsonValue = None
    problem: str | None = None


class PlainOutcomes(NamedTuple):
    """The outcomes of a group that need no explanation and have no problem, made once."""

    matched: GroupOutcome
    open: GroupOutcome
    closed: GroupOutcome

    def choose(self, *, matched: bool, access: bool) -> GroupOutcome:
        """The one that says so. `access` is what the conditions say."""
        return self.matched if matched else self.open if access else self.closed


def make_outcome(
    rules: GroupRules,
    *,
    matched: bool,
    access: bool,
    problems: tuple[str, ...] = (),
    condition_sets: tuple[ConditionSetOutcome, ...] = (),
) -> GroupOutcome:
    """An outcome with its reason. `access` is what the conditions say; without restriction it is given anyway."""
    access = access or not rules.restricts_access
    if matched:
        reason = Reason.TARGETING_MATCH
    elif problems:
        reason = Reason.ERROR
    else:
        reason = Reason.NO_MATCH if access else Reason.ACCESS_RESTRICTED
    return GroupOutcome(rules.name, matched, access, reason, condition_sets, problems)


def make_plain_outcomes(rules: GroupRules) -> PlainOutcomes:
    """The plain outcomes of one group."""
    return PlainOutcomes(
        make_outcome(rules, matched=True, access=True),
        make_outcome(rules, matched=False, access=True),
        make_outcome(rules, matched=False, access=False),
    )


def explain_set(
    number: int, holds: bool, rows: Sequence[MatcherRow], verdicts: Sequence[Verdict]
) -> ConditionSetOutcome:
    """The record of one condition set, long texts shortened."""
    outcomes = tuple(
        MatcherOutcome(row, verdict.result, shorten_seen(verdict.seen), verdict.problem)
        for row, verdict in zip(rows, verdicts, strict=True)
    )
    return ConditionSetOutcome(number, holds, outcomes)


def shorten_seen(seen: JsonValue) -> JsonValue:
    """A value as an explanation shows it."""
    return f"{seen[:SEEN_LIMIT]}…" if isinstance(seen, str) and len(seen) > SEEN_LIMIT else seen
