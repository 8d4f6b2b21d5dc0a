"""Rules, contexts and their outcomes, in as few words as a test needs."""

from __future__ import annotations

from datetime import UTC, datetime

from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.matching import ALWAYS, RULES, GroupOutcome, GroupRules, MatcherRow
from toolcatalog.matchers import PluginRegistry, check_rules, compile_group, compile_rules, evaluate_groups, lint_rules

MONDAY_NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
NO_PLUGINS = PluginRegistry(load_entry_points=False)


def row(source: str, operator: str, value: JsonValue = None, **parts: object) -> MatcherRow:
    """One condition."""
    return MatcherRow(source=source, operator=operator, value=value, **parts)  # type: ignore[arg-type]  # any part


def says(*keywords: str, **parts: object) -> MatcherRow:
    """A condition on keywords of the last user message."""
    return row("message", "contains_any", list(keywords), **parts)


def fact(attribute: str, operator: str, value: JsonValue = None, **parts: object) -> MatcherRow:
    """A condition on an attribute."""
    return row("attribute", operator, value, attribute=attribute, **parts)


def rules(name: str, *rows: MatcherRow, match: str = RULES, restricts: bool = False) -> GroupRules:
    """The rules of one group."""
    return GroupRules(name, match, rows, restricts_access=restricts)


def always(name: str) -> GroupRules:
    """A group without conditions."""
    return GroupRules(name, ALWAYS)


def request(
    message: str | None = None,
    attributes: JsonObject | None = None,
    *,
    now: datetime = MONDAY_NOON,
    account_id: str | None = None,
    model: str | None = None,
) -> EvaluationContext:
    """A request of the tenant acme."""
    return EvaluationContext(
        tenant="acme", now=now, message=message, account_id=account_id, model=model, attributes=attributes or {}
    )


def judge(groups: list[GroupRules], context: EvaluationContext, *, explain: bool = False) -> list[GroupOutcome]:
    """The outcomes of groups, by the loop; the same is asked of a rule book, which has to agree."""
    compiled = [compile_group(group, matchers_registry=NO_PLUGINS) for group in groups]
    outcomes = evaluate_groups(compiled, context, explain=explain)
    assert compile_rules(groups, matchers_registry=NO_PLUGINS).evaluate(context, explain=explain) == outcomes
    return list(outcomes)


def outcome_of(condition: MatcherRow, context: EvaluationContext) -> GroupOutcome:
    """What comes of a group with this one condition."""
    return judge([rules("group", condition)], context)[0]


def holds(condition: MatcherRow, context: EvaluationContext) -> bool:
    """Whether a condition is true; a broken one fails the test."""
    outcome = outcome_of(condition, context)
    assert not outcome.problems, outcome.problems
    return outcome.matched


def is_broken(condition: MatcherRow, context: EvaluationContext) -> bool:
    """Whether a condition is false with a sentence about why."""
    outcome = outcome_of(condition, context)
    return not outcome.matched and len(outcome.problems) == 1


def refusals(condition: MatcherRow) -> list[tuple[str, str]]:
    """(path, code) of what forbids saving a group with this condition."""
    return [(error.path, error.code) for error in check_rules(rules("group", condition))]


def codes(group: GroupRules, *, known_attributes: list[str] | None = None) -> list[tuple[str, str]]:
    """(path, code) of the warnings about a group."""
    warnings = lint_rules(group, known_attributes=known_attributes, matchers_registry=NO_PLUGINS)
    return [(warning.path, warning.code) for warning in warnings]
