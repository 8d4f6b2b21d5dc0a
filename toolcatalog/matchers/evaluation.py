"""Judging groups against one request: pure, and the same with and without an explanation.

Every condition is judged at every request, also after the first false one: a row costs about a microsecond, and so a
broken row is always reported, and an explanation is only a record of what is done anyway.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from toolcatalog.contract.context import EvaluationContext, freeze_context, read_attribute
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import ALWAYS, ConditionSetOutcome, GroupOutcome, GroupRules, MatcherOutcome, Source
from toolcatalog.contract.reasons import Reason

from .compiled import CompiledGroup, CompiledRow, CompiledSet, compile_group
from .pattern_index import EMPTY_INDEX, PatternIndex, build_index
from .problems import Mismatch
from .registry import PluginRegistry, RegisteredMatcher
from .sources import SOURCES
from .subject import Subject, cap_message

SEEN_LIMIT = 500
"""Characters of a text that an explanation shows."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The groups of one profile in order, with the regular expressions of all of them indexed together.

    Immutable: build it once for each catalog revision and share it between threads.
    """

    groups: tuple[CompiledGroup, ...]
    index: PatternIndex

    @classmethod
    def bind(cls, groups: Iterable[CompiledGroup]) -> RuleBook:
        """A book over groups that are compiled already; groups may be in several books."""
        bound = tuple(groups)
        rows = (row for group in bound for row in group.compiled_rows if row.reads_message)
        return cls(bound, build_index(row.pattern for row in rows if row.pattern is not None))

    def evaluate(self, context: EvaluationContext, *, explain: bool = False) -> tuple[GroupOutcome, ...]:
        """What came of each group, in order."""
        return _judge_all(self.groups, self.index, context, explain)


def compile_rules(rules: Iterable[GroupRules], *, matchers_registry: PluginRegistry | None = None) -> RuleBook:
    """Compile groups and bind them into a book. Never raises for broken rules."""
    return RuleBook.bind(compile_group(group, matchers_registry=matchers_registry) for group in rules)


def evaluate_groups(
    groups: Sequence[CompiledGroup], context: EvaluationContext, *, explain: bool = False
) -> tuple[GroupOutcome, ...]:
    """What came of each group, in order. The same as a RuleBook's answer, without its index.

    A condition on another group reads the outcomes before it in this sequence. So leave groups out of the answer, not
    out of the question, when a request asks for some of them only.
    """
    return _judge_all(tuple(groups), EMPTY_INDEX, context, explain)


def _judge_all(
    groups: tuple[CompiledGroup, ...], index: PatternIndex, context: EvaluationContext, explain: bool
) -> tuple[GroupOutcome, ...]:
    request = _Request(context, index, explain)
    return tuple(request.judge_group(group) for group in groups)


class _Verdict(NamedTuple):
    """What came of one row: its result, the value it read, and why it could not be judged, if so."""

    result: bool
    seen: JsonValue
    problem: str | None


class _Request:
    """One request while it is judged: what was read and normalised so far, and what came of the groups so far."""

    def __init__(self, context: EvaluationContext, index: PatternIndex, explain: bool) -> None:
        self.context = context
        self.explain = explain
        self.index = index
        self.subjects: dict[tuple[Source, str], Subject] = {}
        self.frozen: EvaluationContext | None = None
        self.matched: dict[str, bool] = {}
        self.failed: set[str] = set()
        self.message_groups: set[str] = set()

    def judge_group(self, group: CompiledGroup) -> GroupOutcome:
        if group.rules.match == ALWAYS:
            outcome = GroupOutcome(group.name, matched=True, access=True, reason=Reason.TARGETING_MATCH)
        elif group.problem is not None:
            outcome = make_outcome(group.rules, matched=False, access=False, problems=(group.problem,))
        elif group.matcher is not None:
            outcome = self.judge_plugin(group.rules, group.matcher)
        else:
            outcome = self.judge_sets(group)
        self.remember(group, outcome)
        return outcome

    def remember(self, group: CompiledGroup, outcome: GroupOutcome) -> None:
        self.matched[group.name] = self.matched.get(group.name, False) or outcome.matched
        if outcome.reason is Reason.ERROR:
            self.failed.add(group.name)
        if group.reads_message or not self.message_groups.isdisjoint(group.asks_about):
            self.message_groups.add(group.name)
        for problem in outcome.problems:
            logger.warning("group %r: %s", group.name, problem)

    def judge_plugin(self, rules: GroupRules, matcher: RegisteredMatcher) -> GroupOutcome:
        if self.frozen is None:
            message = self.context.message
            self.frozen = freeze_context(replace(self.context, message=message and cap_message(message)[0]))
        try:
            matched = matcher.caller.call(self.frozen, rules.params)
        except Mismatch as mismatch:
            problem = f"The matcher “{matcher.name}” {mismatch.sentence}."
            return make_outcome(rules, matched=False, access=False, problems=(problem,))
        return make_outcome(rules, matched=matched, access=matched or matcher.reads_message)

    def judge_sets(self, group: CompiledGroup) -> GroupOutcome:
        matched = access = False
        problems: list[str] = []
        explained: list[ConditionSetOutcome] = []
        for condition_set in group.sets:
            verdicts = [self.judge_row(row) for _, row in condition_set.rows]
            holds = all(verdict.result for verdict in verdicts)
            matched = matched or holds
            access = access or self.set_gives_access(condition_set, verdicts)
            for (place, _), verdict in zip(condition_set.rows, verdicts, strict=True):
                if verdict.problem is not None:
                    problems.append(f"Condition {place}: {verdict.problem}")
            if self.explain:
                explained.append(explain_set(condition_set, holds, verdicts))
        return make_outcome(
            group.rules, matched=matched, access=access, problems=tuple(problems), condition_sets=tuple(explained)
        )

    def set_gives_access(self, condition_set: CompiledSet, verdicts: Sequence[_Verdict]) -> bool:
        """Whether the set holds without its conditions on the message. A broken one among them still closes it."""
        return all(
            verdict.result or (verdict.problem is None and self.depends_on_message(row))
            for (_, row), verdict in zip(condition_set.rows, verdicts, strict=True)
        )

    def depends_on_message(self, row: CompiledRow) -> bool:
        return row.reads_message or not self.message_groups.isdisjoint(row.groups)

    def judge_row(self, row: CompiledRow) -> _Verdict:
        if row.problem is not None or row.source is None:
            return _Verdict(result=False, seen=None, problem=row.problem)
        unjudged = self.find_unjudged(row.groups)
        if unjudged is not None:
            return _Verdict(result=False, seen=None, problem=unjudged)
        subject = self.read_subject(row.source, row.attribute)
        if subject.value is None:
            return _Verdict(row.inverted and not row.reads_message, seen=None, problem=None)
        try:
            return _Verdict(row.test(subject) != row.inverted, subject.value, problem=None)
        except Mismatch as mismatch:
            problem = f"{row.subject[0].upper()}{row.subject[1:]} {mismatch.sentence}."
        except Exception as error:  # the callback border: operators may be added by others
            problem = f"The operator “{row.row.operator}” failed ({type(error).__name__})."
        return _Verdict(result=False, seen=subject.value, problem=problem)

    def find_unjudged(self, names: Iterable[str]) -> str | None:
        """Why a condition on these groups cannot be judged, if so: what is not known is never taken for "no"."""
        for name in names:
            if name not in self.matched:
                return f"There is no group “{name}” before this one. Name an earlier group, or change the order."
            if name in self.failed:
                return f"The group “{name}” has a broken condition, so it is not known whether it matches."
        return None

    def read_subject(self, source: Source, attribute: str) -> Subject:
        if source is Source.GROUP:
            return Subject(tuple(name for name, matched in self.matched.items() if matched))
        subject = self.subjects.get((source, attribute))
        if subject is None:
            subject = self.subjects[source, attribute] = self.make_subject(source, attribute)
        return subject

    def make_subject(self, source: Source, attribute: str) -> Subject:
        if source is Source.MESSAGE:
            message = self.context.message
            return Subject(cap_message(message)[0] if message and message.strip() else None, self.index)
        read = SOURCES[source].read
        return Subject(read_attribute(self.context.attributes, attribute) if read is None else read(self.context))


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


def explain_set(condition_set: CompiledSet, holds: bool, verdicts: Sequence[_Verdict]) -> ConditionSetOutcome:
    """The record of one condition set, long texts shortened."""
    outcomes = tuple(
        MatcherOutcome(row.row, verdict.result, shorten_seen(verdict.seen), verdict.problem)
        for (_, row), verdict in zip(condition_set.rows, verdicts, strict=True)
    )
    return ConditionSetOutcome(condition_set.number, holds, outcomes)


def shorten_seen(seen: JsonValue) -> JsonValue:
    """A value as an explanation shows it."""
    return f"{seen[:SEEN_LIMIT]}…" if isinstance(seen, str) and len(seen) > SEEN_LIMIT else seen
