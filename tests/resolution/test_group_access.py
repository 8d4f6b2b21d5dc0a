"""G17: groups that restrict access. What does not hold is hidden everywhere, and what holds can be found and called."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    availability,
    caller_of,
    edit_group,
    fact,
    grant,
    make_group,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    row,
    says,
    search,
)
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import MatcherRow
from toolcatalog.contract.reasons import Reason
from toolcatalog.models import Matcher, Tenant

pytestmark = pytest.mark.django_db

STAFF: dict[str, Any] = {"attributes": {"staff": True}}


@pytest.fixture
def tenant() -> Tenant:
    tenant = make_tenant()
    make_tool(tenant, "refund", "Gives money back.")
    return tenant


def found_with(tenant: Tenant, **fields: Any) -> bool:
    """Whether every door agrees that the tool is there: search, resolve after a search, availability."""
    by_search = search(tenant, "refund", **fields).names == ("refund",)
    answer = resolve(tenant, active_tools=("refund",), **fields)
    by_resolve = "refund" in answer.tool_names
    told = availability(tenant, "refund", active_tools=("refund",), **fields)
    assert by_search == by_resolve == told.available
    if not told.available:
        assert told.reason is Reason.ACCESS_RESTRICTED
        assert ("refund", Reason.ACCESS_RESTRICTED) in [(o.name, o.reason) for o in answer.omitted]
    return by_search


@pytest.mark.parametrize(
    ("condition", "holding"),
    [
        (fact("staff", "is_true"), STAFF),
        (row("account_id", "equals", "a-1"), {"account_id": "a-1"}),
        (row("model", "equals", "qwen-max"), {"model": "qwen-max"}),
        (row("conversation_id", "exists"), {"conversation_id": "c"}),
        (row("bot_id", "in", ["b"]), {"bot_id": "b"}),
        (row("turn_id", "starts_with", "t"), {"turn_id": "t-1"}),
    ],
    ids=["attribute", "account", "model", "conversation", "bot", "turn"],
)
def b_G17_condition_on_the_caller__restricts_by_itself(
    tenant: Tenant, condition: MatcherRow, holding: dict[str, JsonValue]
) -> None:
    make_group(tenant, "g", ["refund"], condition)
    assert not found_with(tenant)
    assert found_with(tenant, **holding)


def b_G17_condition_on_the_tenant__restricts_a_shared_group() -> None:
    make_tool(None, "refund", "Gives money back.")
    make_group(None, "g", ["refund"], row("tenant", "in", ["acme"]), for_all_tenants=True)
    for slug, expected in (("acme", True), ("other", False)):
        tenant = make_tenant(slug)
        grant(tenant, "refund")
        assert found_with(tenant) is expected


def b_G17_condition_on_the_message_alone__restricts_nothing(tenant: Tenant) -> None:
    make_group(tenant, "g", ["refund"], says("money"))
    assert found_with(tenant)
    assert resolve(tenant, "money").tool_names == ("refund", "toolSearch")
    assert resolve(tenant, "other").tool_names == ("toolSearch",)


def b_G17_message_condition_beside_another__decides_only_what_is_sent_up_front(tenant: Tenant) -> None:
    make_group(tenant, "g", ["refund"], says("money"), fact("staff", "is_true"))
    assert not found_with(tenant)
    assert found_with(tenant, **STAFF)
    assert resolve(tenant, "money", **STAFF).tool_names == ("refund", "toolSearch")
    assert resolve(tenant, "other", **STAFF).tool_names == ("toolSearch",)
    assert resolve(tenant, "money").tool_names == ()


def b_G17_switched_off__conditions_decide_only_what_is_sent_up_front(tenant: Tenant) -> None:
    make_group(tenant, "g", ["refund"], fact("staff", "is_true"), restricts_access=False)
    assert found_with(tenant)
    assert resolve(tenant, **STAFF).tool_names == ("refund", "toolSearch")


def b_G17_switched_on_for_message_conditions__is_open(tenant: Tenant) -> None:
    make_group(tenant, "g", ["refund"], says("money"), restricts_access=True)
    assert found_with(tenant)


def b_G17_tool_in_several_restricting_groups__needs_one_of_them(tenant: Tenant) -> None:
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    make_group(tenant, "vip", ["refund"], fact("vip", "is_true"))
    make_group(tenant, "open", ["refund"], says("never"))
    assert not found_with(tenant)
    assert found_with(tenant, **STAFF)
    assert found_with(tenant, attributes={"vip": True})
    assert found_with(tenant, attributes={"vip": True, "staff": True})


def b_G17_sets_of_conditions__one_that_holds_is_enough(tenant: Tenant) -> None:
    conditions = (fact("staff", "is_true"), fact("vip", "is_true", condition_set=2), says("x", condition_set=2))
    make_group(tenant, "g", ["refund"], *conditions)
    assert not found_with(tenant)
    assert found_with(tenant, **STAFF)
    assert found_with(tenant, attributes={"vip": True})


def b_G17_open_group_that_matches__is_no_way_around(tenant: Tenant) -> None:
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    make_group(tenant, "all", ["refund"], restricts_access=False)
    make_profile(tenant, "bot", resident_tools=("refund",), groups=("all",))
    for profile in (None, "bot"):
        answer = resolve(tenant, profile=profile)
        assert "refund" not in answer.tool_names
        assert ("refund", Reason.ACCESS_RESTRICTED) in [(o.name, o.reason) for o in answer.omitted]
        assert "refund" in resolve(tenant, profile=profile, **STAFF).tool_names


def b_G17_profile_without_the_group__is_no_way_around(tenant: Tenant) -> None:
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    make_profile(tenant, "bot", groups=())
    assert not found_with(tenant, profile="bot")
    assert found_with(tenant, profile="bot", **STAFF)


def b_G17_request_that_leaves_the_group_out__is_no_way_around(tenant: Tenant) -> None:
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    assert resolve(tenant, groups=(), active_tools=("refund",)).tool_names == ()
    assert resolve(tenant, groups=(), active_tools=("refund",), **STAFF).tool_names == ("toolSearch", "refund")


def b_G17_search_with_the_group_named__is_no_way_around(tenant: Tenant) -> None:
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    assert search(tenant, "refund", groups=("staff",)).names == ()
    assert search(tenant, "refund", groups=("staff",), **STAFF).names == ("refund",)


def b_G17_own_tool_in_place_of_a_shared_one__is_restricted_under_its_name(tenant: Tenant) -> None:
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    make_tool(None, "refund", "Shared.")
    grant(tenant, "refund")
    assert not found_with(tenant)


@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize("attributes", [{}, {"staff": "true"}, {"staff": 1}, {"staff": None}])
def b_G17_wrong_type_or_broken_row__keeps_access_closed(
    tenant: Tenant, negate: bool, attributes: dict[str, JsonValue]
) -> None:
    group = make_group(tenant, "g", ["refund"], fact("staff", "is_true", negate=negate))
    missing = attributes.get("staff") is None
    assert found_with(tenant, attributes=attributes) is (missing and negate)
    Matcher.objects.filter(group=group).update(operator="no_such_operator")
    assert not found_with(tenant, **STAFF)


def b_G17_condition_on_an_earlier_group__restricts_too(tenant: Tenant) -> None:
    make_group(tenant, "vip", [], fact("vip", "is_true"), position=1)
    make_group(tenant, "g", ["refund"], row("group", "in", ["vip"]), position=2)
    assert not found_with(tenant)
    assert found_with(tenant, attributes={"vip": True})


def b_G17_restriction_taken_back__tool_is_open_at_once(tenant: Tenant) -> None:
    group = make_group(tenant, "g", ["refund"], fact("staff", "is_true"))
    assert not found_with(tenant)
    edit_group(group, restricts_access=False)
    assert found_with(tenant)


def b_G17_shared_group_of_another_tenants_profile__restricts_nothing_here(tenant: Tenant) -> None:
    other = make_tenant()
    make_tool(None, "audit", "Checks books.")
    make_group(None, "auditors", ["audit"], fact("auditor", "is_true"))
    make_profile(other, "bot", groups=("auditors",))
    for one in (tenant, other):
        grant(one, "audit")
    assert search(tenant, "audit").names == ("audit",)
    assert search(other, "audit").names == ()


def b_G17_curators__are_told_the_same(tenant: Tenant) -> None:
    make_group(tenant, "g", ["refund"], fact("staff", "is_true"))
    told = availability(tenant, "refund", caller=caller_of(tenant, "curate"))
    assert (told.available, told.reason) == (False, Reason.ACCESS_RESTRICTED)


def b_G17_usage__counts_what_this_caller_may_have(tenant: Tenant) -> None:
    make_group(tenant, "g", ["refund"], fact("staff", "is_true"), says("never"))
    make_tool(tenant, "clock", "Tells the time.")
    assert resolve(tenant).usage.catalog_tools == 1
    assert resolve(tenant, **STAFF).usage.catalog_tools == 2
