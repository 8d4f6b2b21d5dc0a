"""G4, G7, G20: which tools come in which order, and what takes whose place."""

from __future__ import annotations

import pytest

from tests.support import (
    DIALECTS,
    Dialect,
    availability,
    edit_tool,
    fact,
    make_group,
    make_profile,
    make_tool,
    own_tool,
    resolve,
    says,
    search,
    sent,
)
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import ResolveAnswer
from toolcatalog.models import Tenant

pytestmark = pytest.mark.django_db


def matched(answer: ResolveAnswer) -> list[str]:
    return [group.name for group in answer.groups if group.matched]


# G4


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G4_order__caller_resident_groups_entry_found(tenant: Tenant, dialect: Dialect) -> None:
    for name in ("resident2", "resident1", "second", "first_b", "first_a", "found2", "found1"):
        make_tool(tenant, name, f"Does {name}.")
    make_group(tenant, "two", ["second"], position=2)
    make_group(tenant, "one", ["first_b", "first_a"], position=1)
    make_profile(tenant, resident_tools=("resident2", "resident1"))
    messages = [dialect.user("hi"), *dialect.search("found2", "found1")]
    answer = resolve(tenant, messages=messages, tools=[own_tool("mine_b"), own_tool("mine_a")], format=dialect.format)
    up_front = ["mine_b", "mine_a", "resident2", "resident1", "first_b", "first_a", "second"]
    names = [*up_front, "toolSearch", "found2", "found1"]
    assert list(answer.tool_names) == names
    assert dialect.tool_names(answer) == names


def b_G4_tool_in_several_places__is_sent_once_at_the_first(quiet: Tenant) -> None:
    for name in ("a", "b", "c"):
        make_tool(quiet, name)
    make_group(quiet, "one", ["b", "a"], position=1)
    make_group(quiet, "two", ["c", "b"], position=2)
    make_profile(quiet, resident_tools=("a",), search={"enabled": False})
    answer = resolve(quiet, explain=True)
    assert answer.tool_names == ("a", "b", "c")
    assert answer.explanation is not None
    traces = {tool.name: (tool.reasons, tool.groups) for tool in answer.explanation.tools}
    assert traces["a"] == ((Reason.RESIDENT, Reason.TARGETING_MATCH), ("one",))
    assert traces["b"] == ((Reason.TARGETING_MATCH,), ("one", "two"))


def b_G4_group_tool_of_a_callers_name__replaces_it_in_its_place(quiet: Tenant) -> None:
    make_tool(quiet, "mine", "The catalog's.")
    make_group(quiet, "g", ["mine"], says("hello"))
    tools = [own_tool("a"), own_tool("mine"), own_tool("b")]
    answer = resolve(quiet, "hello", tools=tools)
    assert answer.tool_names == ("a", "mine", "b")
    assert sent(answer)[1]["description"] == "The catalog's."
    assert [(notice.code, notice.name) for notice in answer.notices] == [("replaced", "mine")]
    answer = resolve(quiet, "goodbye", tools=tools)
    assert sent(answer)[1]["description"] == "The caller's."
    assert answer.notices == ()


def b_G4_group_tool_that_cannot_be_sent__leaves_the_callers_in_place(quiet: Tenant) -> None:
    tool = make_tool(quiet, "mine", "The catalog's.")
    make_group(quiet, "g", ["mine"])
    edit_tool(tool, status="disabled")
    answer = resolve(quiet, tools=[own_tool("mine")])
    assert sent(answer)[0]["description"] == "The caller's."
    assert [(o.name, o.reason) for o in answer.omitted] == [("mine", Reason.DISABLED)]


def b_G4_resident_tool_of_a_callers_name__gives_way_with_a_notice(quiet: Tenant) -> None:
    make_tool(quiet, "mine", "The catalog's.")
    make_profile(quiet, resident_tools=("mine",), search={"enabled": False})
    answer = resolve(quiet, tools=[own_tool("mine")])
    assert sent(answer)[0]["description"] == "The caller's."
    assert [(notice.code, notice.name) for notice in answer.notices] == [("name_taken", "mine")]


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G4_found_tool__replaces_nothing(tenant: Tenant, dialect: Dialect) -> None:
    make_tool(tenant, "mine", "The catalog's.")
    make_tool(tenant, "other")
    messages = [dialect.user("hi"), *dialect.search("mine", "other")]
    answer = resolve(tenant, messages=messages, tools=[own_tool("mine")], format=dialect.format)
    assert answer.tool_names == ("mine", "toolSearch", "other")
    assert "The caller's." in str(sent(answer)[0])


@pytest.mark.parametrize("name", ["toolSearch", "TOOLSEARCH", "search_tools", "execute_dynamic_tool", "findTools"])
def b_G4_callers_tool_of_a_reserved_name__is_refused(tenant: Tenant, name: str) -> None:
    make_profile(tenant, search={"entry_tool": "findTools"})
    with pytest.raises(InvalidInput) as refusal:
        resolve(tenant, tools=[own_tool("fine"), own_tool(name)])
    assert (refusal.value.code, refusal.value.errors[0].path) == ("reserved_name", "tools[1].name")


def b_G4_callers_tool_passed_twice__is_refused(tenant: Tenant) -> None:
    with pytest.raises(InvalidInput) as refusal:
        resolve(tenant, tools=[own_tool("a"), own_tool("a")])
    assert (refusal.value.code, refusal.value.errors[0].path) == ("duplicate_tool", "tools[1].name")


def b_G4_vendor_entries__pass_unchanged_at_the_front(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    entry = {"type": "web_search_20250305", "name": "web_search", "max_uses": 2}
    answer = resolve(tenant, tools=[own_tool("mine"), entry], format="anthropic")
    assert sent(answer)[0] == entry
    assert answer.tool_names == ("mine", "toolSearch")


# G7


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G7_nothing_matches__residents_and_the_entry_tool(tenant: Tenant, dialect: Dialect) -> None:
    make_tool(tenant, "clock")
    make_tool(tenant, "rain")
    make_group(tenant, "weather", ["rain"], says("天气"), system_prompt="Weather.")
    make_profile(tenant, resident_tools=("clock",))
    assert dialect.tool_names(resolve(tenant, messages=[dialect.user("介绍一下上海")], format=dialect.format)) == [
        "clock",
        "toolSearch",
    ]
    make_profile(tenant, resident_tools=("clock",), search={"enabled": False})
    answer = resolve(tenant, messages=[dialect.user("介绍一下上海")], format=dialect.format)
    assert dialect.tool_names(answer) == ["clock"]
    assert dialect.system(answer) is None


def b_G7_nothing_at_all__empty_request_without_a_tools_field(tenant: Tenant) -> None:
    answer = resolve(tenant)
    assert (answer.tools, answer.tool_names, answer.system_prompt) == ([], (), None)
    assert answer.request == {"messages": [{"role": "user", "content": "hello"}]}


# G20


def b_G20_small_catalog__all_of_it_is_sent_and_no_entry_tool(tenant: Tenant) -> None:
    for name in ("b", "a", "c"):
        make_tool(tenant, name, "Does it.")
    make_tool(tenant, "quiet", searchable=False)
    make_group(tenant, "g", ["c"])
    make_profile(tenant, search={"inline_below_tokens": 500})
    answer = resolve(tenant)
    assert (answer.tool_names, answer.system_prompt) == (("c", "a", "b"), None)
    assert availability(tenant, "a").available


def b_G20_catalog_that_costs_as_much_or_more__entry_tool_is_sent(tenant: Tenant) -> None:
    tokens = make_tool(tenant, "a", "Does it.").tokens + make_tool(tenant, "b", "Does it.").tokens
    make_profile(tenant, search={"inline_below_tokens": tokens})
    assert resolve(tenant).tool_names == ("toolSearch",)
    make_profile(tenant, search={"inline_below_tokens": tokens + 1})
    assert resolve(tenant).tool_names == ("a", "b")


def b_G20_what_is_not_for_this_caller__does_not_count_and_is_not_sent(tenant: Tenant) -> None:
    tokens = make_tool(tenant, "a", "Does it.").tokens
    make_tool(tenant, "secret", "Long " * 200)
    make_group(tenant, "staff", ["secret"], fact("staff", "is_true"), says("never"))
    make_profile(tenant, search={"inline_below_tokens": tokens + 1})
    assert resolve(tenant).tool_names == ("a",)
    assert resolve(tenant, attributes={"staff": True}).tool_names == ("toolSearch",)


def b_G20_search_in_groups__is_sent_only_where_search_would_be_offered(tenant: Tenant) -> None:
    make_tool(tenant, "a", "Does it.")
    make_group(tenant, "weather", ["toolSearch"], says("天气"))
    make_profile(tenant, search={"enabled": "groups", "inline_below_tokens": 500})
    assert resolve(tenant, "天气").tool_names == ("a",)
    assert resolve(tenant, "other").tool_names == ()


def b_G20_more_than_fit__inlined_tools_go_before_those_of_groups(tenant: Tenant) -> None:
    for name in ("a", "b", "z"):
        make_tool(tenant, name, "Does it.")
    make_group(tenant, "g", ["z"])
    make_profile(tenant, max_tools=2, search={"inline_below_tokens": 500})
    answer = resolve(tenant)
    assert answer.tool_names == ("z", "a")
    assert [(o.name, o.reason) for o in answer.omitted] == [("b", Reason.OVER_BUDGET)]
    assert search(tenant, "b").names[0] == "b"
