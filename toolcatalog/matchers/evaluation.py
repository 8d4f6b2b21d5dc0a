"""Judging groups against one request: pure, and the same with and without an explanation.

Every condition is judged at every request, also after the first false one: a row costs little, and so a
broken row is always reported, and an explanation is only a record of what is done anyway.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from toolcatalog.contract.context import EvaluationContext, freeze_context, read_attribute
from toolcatalog.contract.matching import ConditionSetOutcome, GroupOutcome, GroupRules, Source

from .compiled import CompiledGroup, CompiledRow, compile_group
from .outcomes import Verdict, explain_set, make_outcome
from .pattern_index import EMPTY_INDEX, PatternIndex, build_index
from .problems import Mismatch
from .registry import PluginRegistry, RegisteredMatcher
from .sources import SOURCES
from .subject import Subject, cap_message

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


_TRUE = Verdict(result=True)
_FALSE = Verdict(result=False)


class _Request:
    """One request while it is judged: what was read and normalised so far, and what came of the groups so far."""

    def __init__(self, context: EvaluationContext, index: PatternIndex, explain: bool) -> None:
        self.context = context
        self.explain = explain
        self.index = index
        self.subjects: dict[str, Subject] = {}
        self.frozen: EvaluationContext | None = None
        self.matched: dict[str, bool] = {}
        self.failed: set[str] = set()
        self.message_groups: set[str] = set()

    def judge_group(self, group: CompiledGroup) -> GroupOutcome:
        if group.problem is not None:
            outcome = make_outcome(group.rules, matched=False, access=False, problems=(group.problem,))
        elif group.matcher is not None:
            outcome = self.judge_plugin(group, group.matcher)
        elif group.sets:
            outcome = self.judge_sets(group)
        else:
            outcome = group.plain.matched
        self.remember(group, outcome)
        return outcome

    def remember(self, group: CompiledGroup, outcome: GroupOutcome) -> None:
        self.matched[group.name] = outcome.matched or self.matched.get(group.name, False)
        if group.reads_message or (group.asks_about and not self.message_groups.isdisjoint(group.asks_about)):
            self.message_groups.add(group.name)
        if outcome.problems:
            self.report(group.name, outcome)

    def report(self, name: str, outcome: GroupOutcome) -> None:
        if not outcome.matched:
            self.failed.add(name)
        for problem in outcome.problems:
            logger.warning("group %r: %s", name, problem)

    def judge_plugin(self, group: CompiledGroup, matcher: RegisteredMatcher) -> GroupOutcome:
        if self.frozen is None:
            message = self.context.message
            self.frozen = freeze_context(replace(self.context, message=message and cap_message(message)[0]))
        try:
            matched = matcher.caller.call(self.frozen, group.rules.params)
        except Mismatch as mismatch:
            problem = f"The matcher “{matcher.name}” {mismatch.sentence}."
            return make_outcome(group.rules, matched=False, access=False, problems=(problem,))
        return group.plain.choose(matched=matched, access=matcher.reads_message)

    def judge_sets(self, group: CompiledGroup) -> GroupOutcome:
        matched = access = False
        problems: list[str] = []
        explained: list[ConditionSetOutcome] = []
        for condition_set in group.sets:
            verdicts = [self.judge_row(row) for row in condition_set.rows]
            holds = gives_access = True
            for row, verdict in zip(condition_set.rows, verdicts, strict=True):
                if not verdict.result:
                    holds = False
                    gives_access = gives_access and verdict.problem is None and self.depends_on_message(row)
                    if verdict.problem is not None:
                        problems.append(f"Condition {row.place}: {verdict.problem}")
            matched = matched or holds
            access = access or gives_access
            if self.explain:
                rows = [row.row for row in condition_set.rows]
                explained.append(explain_set(condition_set.number, holds, rows, verdicts))
        if not problems and not explained:
            return group.plain.choose(matched=matched, access=access)
        return make_outcome(
            group.rules, matched=matched, access=access, problems=tuple(problems), condition_sets=tuple(explained)
        )

    def depends_on_message(self, row: CompiledRow) -> bool:
        """Whether the row has no say in access. A broken one has: it closes its set."""
        return row.reads_message or not self.message_groups.isdisjoint(row.groups)

    def judge_row(self, row: CompiledRow) -> Verdict:
        problem = row.problem or (self.find_unjudged(row.groups) if row.groups else None)
        if problem is not None:
            return Verdict(result=False, problem=problem)
        subject = self.subjects.get(row.reads)
        if subject is None:
            subject = self.read_subject(row)
        if subject.value is None:
            return _TRUE if row.inverted and not row.reads_message else _FALSE
        try:
            result = row.test(subject) != row.inverted
        except Mismatch as mismatch:
            problem = f"{row.subject[0].upper()}{row.subject[1:]} {mismatch.sentence}."
            return Verdict(result=False, seen=subject.value, problem=problem)
        except Exception as error:  # the callback border: operators may be added by others
            problem = f"The operator “{row.row.operator}” failed ({type(error).__name__})."
            return Verdict(result=False, seen=subject.value, problem=problem)
        if self.explain:
            return Verdict(result, subject.value)
        return _TRUE if result else _FALSE

    def find_unjudged(self, names: Iterable[str]) -> str | None:
        """Why a condition on these groups cannot be judged, if so: what is not known is never taken for "no"."""
        for name in names:
            if name not in self.matched:
                return f"There is no group “{name}” before this one. Name an earlier group, or change the order."
            if name in self.failed:
                return f"The group “{name}” has a broken condition, so it is not known whether it matches."
        return None

    def read_subject(self, row: CompiledRow) -> Subject:
        if row.source is Source.GROUP:
            return Subject(tuple(name for name, matched in self.matched.items() if matched))
        subject = self.subjects[row.reads] = self.make_subject(row.source, row.row.attribute.strip())
        return subject

    def make_subject(self, source: Source, attribute: str) -> Subject:
        if source is Source.MESSAGE:
            message = self.context.message
            return Subject(cap_message(message)[0] if message and message.strip() else None, self.index)
        read = SOURCES[source].read
        return Subject(read_attribute(self.context.attributes, attribute) if read is None else read(self.context))
