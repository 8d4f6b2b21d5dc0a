"""The demo's rules judged by the real matchers: sound, without warnings, and matching what the samples promise."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.matching import GroupOutcome, GroupRules, MatcherRow, Source
from toolcatalog.demo import (
    DEMO_TENANTS,
    SHARED_DOCUMENT,
    SampleRequest,
    load_demo_documents,
    load_sample_requests,
)
from toolcatalog.matchers import check_rules, compile_rules, describe_rules, lint_rules

DOCUMENTS: dict[str, Any] = dict(load_demo_documents())
SUNDAY_NIGHT = datetime(2026, 3, 8, 15, 0, tzinfo=UTC)
GROUPS = [
    pytest.param(owner, group, id=f"{owner}:{group['name']}")
    for owner, document in DOCUMENTS.items()
    for group in document["tool_groups"]
]


def read_rules(group: dict[str, Any]) -> GroupRules:
    rows = tuple(MatcherRow(**row) for row in group.get("matchers", []))
    return GroupRules(group["name"], group["match"], rows, restricts_access=group["restricts_access"])


def find_groups(tenant: str, profile_slug: str | None) -> list[dict[str, Any]]:
    """The published groups of a profile, in order."""
    shared = {group["name"]: group for group in DOCUMENTS[SHARED_DOCUMENT]["tool_groups"]}
    own = {group["name"]: group for group in DOCUMENTS[tenant]["tool_groups"]}
    profile = find_profile(tenant, profile_slug)
    if profile["groups"] is None:
        for_all = [group for group in shared.values() if group["for_all_tenants"]]
        groups = sorted([*for_all, *own.values()], key=lambda group: group["position"])
    else:
        groups = [own.get(name) or shared[name] for name in profile["groups"]]
    return [group for group in groups if group["status"] == "published"]


def find_profile(tenant: str, slug: str | None) -> dict[str, Any]:
    profiles: list[dict[str, Any]] = DOCUMENTS[tenant]["profiles"]
    return next(item for item in profiles if item["slug"] == slug or (slug is None and item["is_default"]))


def judge(sample: SampleRequest) -> list[GroupOutcome]:
    """What comes of the groups that the request asks for."""
    facts: dict[str, Any] = dict(sample.context)
    facts["model"] = facts.get("model") or find_profile(sample.tenant, sample.profile)["default_model"]
    context = EvaluationContext(tenant=sample.tenant, now=sample.at or SUNDAY_NIGHT, message=sample.message, **facts)
    book = compile_rules(read_rules(group) for group in find_groups(sample.tenant, sample.profile))
    return [outcome for outcome in book.evaluate(context) if sample.groups is None or outcome.name in sample.groups]


@pytest.mark.parametrize(("owner", "group"), GROUPS)
def test_demo_rules__checked__neither_errors_nor_warnings(owner: str, group: dict[str, Any]) -> None:
    rules = read_rules(group)
    position = group["position"]
    earlier = [other["name"] for other in DOCUMENTS[owner]["tool_groups"] if other["position"] < position]
    assert check_rules(rules, earlier_groups=earlier) == ()
    assert lint_rules(rules) == ()
    assert all(describe_rules(rules))


@pytest.mark.parametrize("sample", load_sample_requests(), ids=lambda sample: sample.id)
def b_G19_sample_request__judged__matches_what_it_promises(sample: SampleRequest) -> None:
    outcomes = judge(sample)
    assert tuple(outcome.name for outcome in outcomes if outcome.matched) == sample.matched


@pytest.mark.parametrize("sample", load_sample_requests(), ids=lambda sample: sample.id)
def b_G4_sample_request__promised_tools__come_from_the_profile_or_a_matching_group(sample: SampleRequest) -> None:
    profile = find_profile(sample.tenant, sample.profile)
    groups = {group["name"]: group for group in find_groups(sample.tenant, sample.profile)}
    sent = {name for matched in sample.matched for name in groups[matched]["tools"]}
    assert sent.isdisjoint(sample.tools_out)
    if profile["search"].get("inline_below_tokens") is None:
        assert set(sample.tools_in) <= {*sent, *profile["resident_tools"], profile["search"]["entry_tool"]}


def b_G12_sample_request__wrong_type__is_reported_and_closes_the_group() -> None:
    samples = {sample.id: sample for sample in load_sample_requests()}
    outcomes = {outcome.name: outcome for outcome in judge(samples["basket-as-text"])}
    assert outcomes["basket-offers"].problems
    assert not outcomes["basket-offers"].access


def test_demo_tenants__conditions_on_the_tenant__name_tenants_that_exist() -> None:
    slugs = {tenant.slug for tenant in DEMO_TENANTS}
    named = {
        slug
        for document in DOCUMENTS.values()
        for group in document["tool_groups"]
        for row in group.get("matchers", [])
        if row["source"] == Source.TENANT
        for slug in row["value"]
    }
    assert named
    assert named <= slugs
