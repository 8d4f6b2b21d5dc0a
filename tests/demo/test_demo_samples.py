"""The sample requests and searches speak of things that are in the demo catalog, and cover what they promise."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.demo import (
    DEMO_TENANTS,
    SHARED_DOCUMENT,
    SampleRequest,
    SampleSearch,
    load_demo_documents,
    load_sample_requests,
    load_sample_searches,
)

DOCUMENTS: dict[str, Any] = dict(load_demo_documents())
TENANTS = [tenant.slug for tenant in DEMO_TENANTS]
REQUESTS = load_sample_requests()
SEARCHES = load_sample_searches()
ENTRY_TOOL = "toolSearch"


def find_profile(tenant: str, slug: str | None) -> dict[str, Any]:
    """The profile of that slug, or the default one."""
    profiles: list[dict[str, Any]] = DOCUMENTS[tenant]["profiles"]
    (profile,) = [item for item in profiles if item["slug"] == slug or (slug is None and item["is_default"])]
    return profile


def find_groups(tenant: str, profile: dict[str, Any]) -> list[str]:
    """Names of the groups that count in a profile, in order."""
    if profile["groups"] is not None:
        return list(profile["groups"])
    for_all = [group for group in DOCUMENTS[SHARED_DOCUMENT]["tool_groups"] if group["for_all_tenants"]]
    groups = [*for_all, *DOCUMENTS[tenant]["tool_groups"]]
    return [group["name"] for group in sorted(groups, key=lambda group: group["position"])]


def find_tool_names(tenant: str) -> set[str]:
    return {tool["name"] for owner in (tenant, SHARED_DOCUMENT) for tool in DOCUMENTS[owner]["tools"]}


def find_all_tool_names() -> set[str]:
    return {tool["name"] for document in DOCUMENTS.values() for tool in document["tools"]}


@pytest.mark.parametrize("sample", REQUESTS, ids=lambda sample: sample.id)
def test_sample_request__names__known_and_in_the_order_of_the_profile(sample: SampleRequest) -> None:
    groups = find_groups(sample.tenant, find_profile(sample.tenant, sample.profile))
    assert set(sample.groups or ()) <= set(groups)
    places = [groups.index(name) for name in sample.matched]
    assert places == sorted(places)
    assert set(sample.tools_in) <= find_tool_names(sample.tenant) | {ENTRY_TOOL}
    assert set(sample.tools_out) <= find_all_tool_names() | {ENTRY_TOOL}
    assert set(sample.tools_in).isdisjoint(sample.tools_out)
    assert sample.why
    assert sample.at is None or sample.at.tzinfo is not None


def test_sample_requests__together__unique_and_from_every_tenant_and_profile() -> None:
    assert len({sample.id for sample in REQUESTS}) == len(REQUESTS) >= 15
    profiles = {(slug, profile["slug"]) for slug in TENANTS for profile in DOCUMENTS[slug]["profiles"]}
    asked = {(sample.tenant, find_profile(sample.tenant, sample.profile)["slug"]) for sample in REQUESTS}
    assert asked == profiles


def test_sample_requests__groups__every_published_one_matches_somewhere_but_the_trial_by_share() -> None:
    matched = {name for sample in REQUESTS for name in sample.matched}
    published = {
        group["name"]
        for document in DOCUMENTS.values()
        for group in document["tool_groups"]
        if group["status"] == "published"
    }
    assert published - matched == {"compare-rollout"}


def b_G19_sample_requests__worked_examples__are_there() -> None:
    worked = {sample.message: sample.matched for sample in REQUESTS if sample.groups == ("weather", "order")}
    assert worked == {
        "查询订单 AF20260001 的物流状态": ("order",),
        "订单目的地的天气": ("weather", "order"),
        "介绍一下上海": (),
    }


@pytest.mark.parametrize("sample", SEARCHES, ids=lambda sample: f"{sample.query}:{sample.profile or 'default'}")
def test_sample_search__names__known(sample: SampleSearch) -> None:
    assert sample.first
    assert sample.why
    for tenant, names in sample.first.items():
        profile = find_profile(tenant, sample.profile)
        scope = profile["search"].get("categories")
        tools = {tool["name"]: tool for owner in (SHARED_DOCUMENT, tenant) for tool in DOCUMENTS[owner]["tools"]}
        for name in names or ():
            assert scope is None or tools[name]["category"] in scope
            assert sample.category in {None, tools[name]["category"]}
    assert set(sample.absent) <= find_all_tool_names()
    assert sample.absent or None not in sample.first.values()


def test_sample_searches__together__about_forty_of_every_kind_and_tenant() -> None:
    assert len(SEARCHES) >= 40
    assert {sample.kind for sample in SEARCHES} == {"zh", "en", "crossed", "keywords", "category", "typo", "absent"}
    assert {tenant for sample in SEARCHES for tenant in sample.first} == set(TENANTS)


def b_S1_sample_searches__worked_queries__are_there() -> None:
    queries = {sample.query for sample in SEARCHES}
    assert {"查询城市天气", "发送邮件", "给我发邮件", "电子邮件", "查询数据库"} <= queries


def test_sample__as_body__holds_only_what_is_set() -> None:
    request = next(sample for sample in REQUESTS if sample.id == "worked-both")
    assert request.as_resolve_body() == {
        "prompt": "订单目的地的天气",
        "context": {"account_id": "user-1001"},
        "groups": ["weather", "order"],
    }
    search = next(sample for sample in SEARCHES if sample.category)
    assert search.as_search_body() == {
        "query": "status",
        "context": {"account_id": "user-1001"},
        "category": "logistics",
    }
