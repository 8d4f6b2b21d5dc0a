"""G1 to G3, G14, G16, G18, G19: which groups count."""

from __future__ import annotations

import pytest

from tests.support import (
    AUTHOR,
    DIALECTS,
    Dialect,
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
)
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import ResolveAnswer
from toolcatalog.curation import import_document, read_group
from toolcatalog.models import Matcher, Tenant, ToolGroup

pytestmark = pytest.mark.django_db


def matched(answer: ResolveAnswer) -> list[str]:
    return [group.name for group in answer.groups if group.matched]


# G1


@pytest.mark.parametrize("name", ["", " "])
def b_G1_group_without_a_name__is_refused(tenant: Tenant, name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        make_group(tenant, name)
    assert refusal.value.errors[0].path == "name"


def b_G1_description_and_title__never_reach_the_model(quiet: Tenant) -> None:
    make_tool(quiet, "ship", "Sends a parcel.")
    make_group(quiet, "g", ["ship"], title="SECRET-TITLE", description="SECRET-TEXT", system_prompt="Be brief.")
    answer = resolve(quiet, explain=True)
    assert (answer.tool_names, answer.system_prompt) == (("ship",), "Be brief.")
    assert "SECRET" not in str(answer)


def b_G1_group__of_only_a_prompt_or_only_tools__counts(quiet: Tenant) -> None:
    make_tool(quiet, "ship")
    make_group(quiet, "prompt only", system_prompt="Be brief.", position=1)
    make_group(quiet, "tools only", ["ship"], position=2)
    make_group(quiet, "nothing", position=3)
    answer = resolve(quiet)
    assert matched(answer) == ["prompt only", "tools only", "nothing"]
    assert (answer.tool_names, answer.system_prompt) == (("ship",), "Be brief.")


def b_G1_shared_group__counts_where_it_is_listed_or_for_all(tenant: Tenant) -> None:
    make_group(None, "unlisted", system_prompt="Unlisted.")
    make_group(None, "for all", system_prompt="For all.", for_all_tenants=True)
    make_group(None, "listed", system_prompt="Listed.")
    make_profile(tenant, "bot", groups=("listed",))
    make_profile(tenant, "silent", groups=())
    assert matched(resolve(tenant)) == ["for all"]
    assert matched(resolve(tenant, profile="bot")) == ["listed"]
    assert matched(resolve(tenant, profile="silent")) == []
    assert matched(resolve(make_tenant())) == ["for all"]


def b_G1_shared_group__its_tools__still_need_grants(quiet: Tenant) -> None:
    make_tool(None, "ship")
    make_tool(None, "track")
    make_group(None, "parcels", ["ship", "track"], for_all_tenants=True)
    grant(quiet, "track")
    answer = resolve(quiet)
    assert answer.tool_names == ("track",)
    assert [(o.name, o.reason) for o in answer.omitted] == [("ship", Reason.UNKNOWN)]


def b_G1_group_of_another_tenant__is_not_there(tenant: Tenant) -> None:
    make_group(make_tenant(), "foreign", system_prompt="Foreign.")
    answer = resolve(tenant)
    assert (answer.groups, answer.system_prompt) == ((), None)
    with pytest.raises(InvalidInput):
        make_profile(tenant, "bot", groups=("foreign",))


# G2


def b_G2_new_group__of_the_model_behind_the_admin__is_always_and_a_draft(tenant: Tenant) -> None:
    group = ToolGroup(owner=tenant, name="fresh")
    assert (group.match, group.status) == ("always", "draft")


@pytest.mark.parametrize("status", ["draft", "in_review", "disabled", "retired"])
def b_G2_group_not_published__does_not_count(quiet: Tenant, status: str) -> None:
    make_tool(quiet, "ship")
    group = make_group(quiet, "g", ["ship"], system_prompt="Be brief.", status=status)
    answer = resolve(quiet)
    assert (answer.groups, answer.tool_names, answer.system_prompt) == ((), (), None)
    edit_group(group, status="published")
    assert resolve(quiet).tool_names == ("ship",)


# G3


def b_G3_every_group_that_matches__counts_in_order(quiet: Tenant) -> None:
    for name, position in (("third", 30), ("first", 10), ("second", 20), ("b same", 20)):
        make_group(quiet, name, [], says("hello"), system_prompt=f"{name}.", position=position)
    make_group(quiet, "never", [], says("goodbye"), system_prompt="never.", position=15)
    answer = resolve(quiet, "hello")
    assert matched(answer) == ["first", "b same", "second", "third"]
    assert [(group.name, group.reason) for group in answer.groups if not group.matched] == [("never", Reason.NO_MATCH)]
    assert answer.system_prompt == "first.\n\nb same.\n\nsecond.\n\nthird."


def b_G3_condition_on_an_earlier_group__writes_exclusion(quiet: Tenant) -> None:
    make_group(quiet, "vip", [], fact("vip", "is_true"), system_prompt="vip", position=1)
    make_group(quiet, "rest", [], row("group", "in", ["vip"], negate=True), system_prompt="rest", position=2)
    assert resolve(quiet, attributes={"vip": True}).system_prompt == "vip"
    assert resolve(quiet).system_prompt == "rest"


def b_G3_request_names_groups__earlier_group_is_still_judged(quiet: Tenant) -> None:
    make_group(quiet, "vip", [], fact("vip", "is_true"), system_prompt="vip", position=1)
    make_group(quiet, "rest", [], row("group", "in", ["vip"], negate=True), system_prompt="rest", position=2)
    assert resolve(quiet, attributes={"vip": True}, groups=("rest",)).system_prompt is None
    assert resolve(quiet, groups=("rest",)).system_prompt == "rest"


def b_G3_request_names_groups__narrows_and_orders_them(quiet: Tenant) -> None:
    for name in ("a", "b", "c"):
        make_group(quiet, name, system_prompt=name)
    answer = resolve(quiet, groups=("c", "a", "nowhere", "c"))
    assert answer.system_prompt == "c\n\na"
    assert [(notice.code, notice.name) for notice in answer.notices] == [("unknown_group", "nowhere")]
    assert resolve(quiet, groups=()).system_prompt is None


def b_G3_profile_lists_groups__in_its_own_order(quiet: Tenant) -> None:
    for position, name in enumerate(("a", "b", "c")):
        make_group(quiet, name, system_prompt=name, position=position)
    make_profile(quiet, groups=("c", "a"))
    assert resolve(quiet).system_prompt == "c\n\na"


# G14


def b_G14_model__of_the_request_else_of_the_profile(quiet: Tenant) -> None:
    make_group(quiet, "g", [], row("model", "equals", "qwen-max"), system_prompt="Qwen.")
    assert resolve(quiet, model="qwen-max").system_prompt == "Qwen."
    assert resolve(quiet).system_prompt is None
    make_profile(quiet, default_model="qwen-max", search={"enabled": False})
    assert resolve(quiet).system_prompt == "Qwen."
    assert resolve(quiet, model="other").system_prompt is None


# G16


def b_G16_search_in_groups__entry_tool_only_where_a_matching_group_lists_it(tenant: Tenant) -> None:
    for name in ("rain", "ship", "clock"):
        make_tool(tenant, name)
    make_group(tenant, "weather", ["toolSearch", "rain"], says("天气"), position=1)
    make_group(tenant, "orders", ["ship"], says("订单"), position=2)
    make_profile(tenant, resident_tools=("clock",), search={"enabled": "groups"})
    assert resolve(tenant, "天气").tool_names == ("clock", "rain", "toolSearch")
    assert resolve(tenant, "订单").tool_names == ("clock", "ship")
    assert resolve(tenant, "订单").system_prompt is None
    both = resolve(tenant, "订单 天气")
    assert both.tool_names == ("clock", "rain", "ship", "toolSearch")  # its place in the order stays
    assert isinstance(both.system_prompt, str)


def b_G16_search_on__group_that_lists_the_entry_tool__changes_nothing(tenant: Tenant) -> None:
    make_tool(tenant, "rain")
    make_group(tenant, "weather", ["toolSearch"], says("天气"))
    assert resolve(tenant, "天气").tool_names == resolve(tenant, "other").tool_names == ("toolSearch",)


# G18


def b_G18_match_omitted__rules_where_there_are_conditions_else_always(tenant: Tenant) -> None:
    assert read_group({"name": "a"}).match is None
    assert make_group(tenant, "a").match == "always"
    assert make_group(tenant, "b", [], says("x")).match == "rules"


def b_G18_rules_without_a_row__is_refused(tenant: Tenant) -> None:
    with pytest.raises(InvalidInput):
        make_group(tenant, "g", match="rules")
    plan = import_document(tenant, {"version": 1, "tool_groups": [{"name": "g", "match": "rules"}]}, AUTHOR)
    assert [planned.action for planned in plan.rows] == ["invalid"]


def b_G18_last_row_removed__never_becomes_always(quiet: Tenant) -> None:
    group = make_group(quiet, "g", [], says("hello"), system_prompt="Hello.")
    with pytest.raises(InvalidInput):
        edit_group(group, matchers=())
    assert resolve(quiet, "hello").system_prompt == "Hello."
    Matcher.objects.filter(group=group).delete()  # past every service
    answer = resolve(quiet, "hello")
    assert (answer.system_prompt, matched(answer)) == (None, [])


# G19


@pytest.fixture
def worked(quiet: Tenant) -> Tenant:
    """The groups of the worked examples."""
    make_tool(quiet, "getWeather", "查询指定城市的实时天气和未来预报")
    make_tool(quiet, "get_order", "根据订单号查询订单状态")
    make_group(quiet, "weather", ["getWeather"], says("天气", "温度", "下雨"), system_prompt="天气。", position=10)
    conditions = (says("订单", "物流"), row("account_id", "exists"))
    make_group(quiet, "order", ["get_order"], *conditions, system_prompt="只能查询当前账号下的订单。", position=20)
    return quiet


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
@pytest.mark.parametrize(
    ("message", "account", "groups", "tools"),
    [
        ("查询订单 AF20260001 的物流状态", "user-1001", ["order"], ["get_order"]),
        ("查询订单 AF20260001 的物流状态", None, [], []),
        ("订单目的地的天气", "user-1001", ["weather", "order"], ["getWeather", "get_order"]),
        ("介绍一下上海", "user-1001", [], []),
    ],
)
def b_G19_worked_example__resolved__is_as_worked_out(
    worked: Tenant, dialect: Dialect, message: str, account: str | None, groups: list[str], tools: list[str]
) -> None:
    messages = [dialect.user("天气 订单"), dialect.assistant("好的"), dialect.user(message)]
    answer = resolve(worked, messages=messages, account_id=account, format=dialect.format)
    assert matched(answer) == groups
    assert dialect.tool_names(answer) == tools
