"""What one tenant may read of a rule that belongs to all: who the others are is none of its business."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import GroupOutcome, MatcherRow, Source


def hide_other_tenants(row: MatcherRow, tenant: str) -> MatcherRow:
    """The condition as the tenant of this slug may read it: of a condition on tenants only its own slug, and no note.

    A list keeps the slug where it holds it; any other value is kept where it is the slug, and else "".
    """
    if row.source != Source.TENANT:
        return row
    return replace(row, value=keep_own(row.value, tenant), note="")


def keep_own(value: JsonValue, tenant: str) -> JsonValue:
    """The value of a condition on tenants without the slugs of others."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [item for item in value if item == tenant]
    return value if value in (tenant, None) else ""


def hide_other_tenants_in(outcome: GroupOutcome, tenant: str) -> GroupOutcome:
    """The outcome of a shared group as the tenant may read it, without problems that quote a condition on tenants."""
    sets = tuple(
        replace(
            found,
            matchers=tuple(
                replace(
                    each,
                    row=hide_other_tenants(each.row, tenant),
                    problem=None if each.row.source == Source.TENANT else each.problem,
                )
                for each in found.matchers
            ),
        )
        for found in outcome.condition_sets
    )
    quoting = {
        each.problem
        for found in outcome.condition_sets
        for each in found.matchers
        if each.row.source == Source.TENANT and each.problem
    }
    problems = tuple(problem for problem in outcome.problems if problem not in quoting)
    return replace(outcome, condition_sets=sets, problems=problems)
