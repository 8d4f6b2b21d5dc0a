"""Cases from the field that resolution answers. Each is a kind of fault that users of comparable systems reported."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.support import (
    AUTHOR,
    DIALECTS,
    Dialect,
    availability,
    caller_of,
    deny,
    edit_group,
    edit_tool,
    fact,
    grant,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
    own_tool,
    resolve,
    says,
    search,
    sent,
)
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason
from toolcatalog.curation import delete_tool
from toolcatalog.models import Tenant, Tool

pytestmark = pytest.mark.django_db


# Staleness


def case_C08_unrelated_edits_and_another_order_of_making__same_bytes(quiet: Tenant) -> None:
    twin = make_tenant()
    make_profile(twin, search={"enabled": False})
    for one, names in ((quiet, ["a", "b", "c"]), (twin, ["c", "a", "b"])):
        make_many_tools(one, names)
        groups = [("one", ["b", "a"], 1), ("two", ["c"], 2)]
        for name, tools, position in groups if one is quiet else reversed(groups):
            make_group(one, name, tools, position=position)
    first = resolve(quiet)
    edit_tool(make_tool(quiet, "unrelated"), description="Edited.")
    make_group(quiet, "another", [], says("never"), position=0)
    second = resolve(quiet)
    assert sent(second) == sent(first) == sent(resolve(twin))
    assert second.snapshot.digest == first.snapshot.digest
    assert second.snapshot.catalog_revision > first.snapshot.catalog_revision


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def case_C10_system_prompt__before_and_after_a_search__is_the_same(tenant: Tenant, dialect: Dialect) -> None:
    make_many_tools(tenant, ["a", "b"])
    make_group(tenant, "g", [], system_prompt="Be brief.")
    before = resolve(tenant, messages=[dialect.user("?")], format=dialect.format)
    after = resolve(tenant, messages=[dialect.user("?"), *dialect.search("a", "b")], format=dialect.format)
    assert dialect.system(after) == dialect.system(before)
    assert sent(after)[: len(sent(before))] == sent(before)  # found tools are appended


# Names


def case_N11_two_tenants_of_one_tool_name__each_finds_its_own(tenant: Tenant) -> None:
    other = make_tenant()
    make_tool(tenant, "fetch_weather", "Of the first.")
    make_tool(other, "fetch_weather", "Of the second.")
    for one, text in ((tenant, "Of the first."), (other, "Of the second.")):
        assert search(one, "fetch weather").results[0].description == text
        assert sent(resolve(one, active_tools=("fetch_weather",)))[1]["description"] == text


def case_N15_rename_onto_an_existing_name__is_refused_and_loses_nothing(tenant: Tenant) -> None:
    first = make_tool(tenant, "x", "First.")
    make_tool(tenant, "y", "Second.")
    with pytest.raises(InvalidInput) as refusal:
        edit_tool(first, name="y")
    assert refusal.value.errors[0].path == "name"
    with pytest.raises(IntegrityError), transaction.atomic():
        Tool.objects.filter(pk=first.pk).update(name="y")
    assert {tool["description"] for tool in sent(resolve(tenant, active_tools=("x", "y")))[1:]} == {"First.", "Second."}


# Search


@pytest.mark.parametrize("remove", ["delete", "disabled", "retired", "draft"])
def case_S18_deleted_or_disabled_tool__is_not_found_at_once(tenant: Tenant, remove: str) -> None:
    tool = make_tool(tenant, "create_note", "Creates a note.")
    make_tool(tenant, "read_note", "Reads a note.")
    assert search(tenant, "create_note").names[0] == "create_note"
    if remove == "delete":
        delete_tool(tool, AUTHOR)
    else:
        edit_tool(tool, status=remove)
    assert "create_note" not in search(tenant, "create_note", max_results=20).names


# Groups


def case_G01_three_groups__one_prompt_empty__all_merged_once_in_order(quiet: Tenant) -> None:
    make_group(quiet, "b", system_prompt="Second.", position=2)
    make_group(quiet, "a", system_prompt="First.", position=1)
    make_group(quiet, "c", system_prompt="", position=3)
    make_group(quiet, "d", system_prompt="First.", position=4)
    assert resolve(quiet).system_prompt == "First.\n\nSecond."


def case_G03_groups_with_different_tools_of_one_shelf__exact_subsets(quiet: Tenant) -> None:
    make_many_tools(quiet, ["a", "b", "c", "d"], category="shelf")
    make_group(quiet, "one", ["a", "c"], says("one"))
    make_group(quiet, "two", ["b"], says("two"))
    assert resolve(quiet, "one").tool_names == ("a", "c")
    assert resolve(quiet, "two").tool_names == ("b",)


def case_G05_callers_tools__are_never_dropped_and_a_clash_is_told(tenant: Tenant) -> None:
    make_many_tools(tenant, ["a", "clash", "z"])
    make_group(tenant, "g", ["clash", "z"])
    make_profile(tenant, resident_tools=("a",), max_tools=4)
    answer = resolve(tenant, tools=[own_tool("x"), own_tool("clash"), own_tool("y")])
    assert answer.tool_names == ("x", "clash", "y", "toolSearch")
    assert [(notice.code, notice.name) for notice in answer.notices] == [("replaced", "clash")]
    with pytest.raises(InvalidInput) as refusal:
        resolve(tenant, tools=[own_tool(name) for name in "uvwxy"])
    assert refusal.value.code == "too_many_tools"


def case_G06_rules_of_two_levels__only_what_both_allow(tenant: Tenant) -> None:
    for name in ("image_x", "image_y"):
        make_tool(None, name, "Image.")
        grant(tenant, name)
    make_profile(tenant, search={"exclude_tools": ("image_y",)})
    assert search(tenant, "image").names == ("image_x",)
    deny(tenant, "image_x")
    assert search(tenant, "image").names == ()


def case_G10_prompt_of_a_group__never_reaches_others(tenant: Tenant) -> None:
    make_group(tenant, "staff", [], fact("staff", "is_true"), system_prompt="Only for staff.")
    answer = resolve(tenant, explain=True)
    assert "Only for staff." not in str(answer)
    assert resolve(tenant, attributes={"staff": True}).system_prompt == "Only for staff."
    assert "Only for staff." not in str(resolve(make_tenant(), attributes={"staff": True}))


# Tokens and limits


def case_T03_small_catalog__saving_is_negative_and_shown(tenant: Tenant) -> None:
    make_many_tools(tenant, ["a", "b", "c"])
    usage = resolve(tenant).usage
    assert usage.catalog_tools == 3
    assert usage.snapshot_tokens > usage.catalog_tokens > 0
    assert usage.saved_percent == round(100 * (1 - usage.snapshot_tokens / usage.catalog_tokens), 1) < 0
    assert usage.tokenizer


def case_T03_large_catalog__saving_is_what_was_not_sent(tenant: Tenant) -> None:
    make_many_tools(tenant, [f"tool_{number}" for number in range(200)])
    usage = resolve(tenant).usage
    assert usage.catalog_tools == 200
    assert 0 < usage.saved_percent < 100


def case_T03_prompts_of_groups__count_as_sent(quiet: Tenant) -> None:
    make_tool(quiet, "a")
    group = make_group(quiet, "g", ["a"])
    plain = resolve(quiet).usage.snapshot_tokens
    edit_group(group, system_prompt="Only ever look at the orders of the account that asks.")
    assert resolve(quiet).usage.snapshot_tokens > plain


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def case_T06_two_hundred_tools_match__cut_to_the_cap_and_listed(tenant: Tenant, dialect: Dialect) -> None:
    names = [f"tool_{number:03}" for number in range(200)]
    make_many_tools(tenant, ["resident", "found", *names])
    make_group(tenant, "g", names)
    make_profile(tenant, resident_tools=("resident",))
    messages = [dialect.user("?"), *dialect.search("found")]
    answer = resolve(tenant, messages=messages, tools=[own_tool("mine")], format=dialect.format)
    sent_names = dialect.tool_names(answer)
    assert len(sent_names) == 128
    assert sent_names == ["mine", "resident", *names[:125], "toolSearch"]
    assert [(o.name, o.reason) for o in answer.omitted] == [
        (name, Reason.OVER_BUDGET) for name in (*names[125:], "found")
    ]


def case_T06_cap_of_the_vendor__holds_where_it_is_lower(quiet: Tenant) -> None:
    names = [f"tool_{number:03}" for number in range(200)]
    make_many_tools(quiet, names)
    make_group(quiet, "g", names)
    make_profile(quiet, max_tools=150, search={"enabled": False})
    assert len(resolve(quiet, format="openai_chat").tool_names) == 128
    assert len(resolve(quiet, format="generic").tool_names) == 150


# Why is my tool not there?


def case_V10_each_state_of_a_tool__has_one_reason(tenant: Tenant) -> None:
    make_tool(tenant, "ready")
    make_tool(tenant, "resident")
    make_tool(tenant, "off", status="disabled")
    make_tool(tenant, "draft", status="draft")
    make_tool(tenant, "review", status="in_review")
    make_tool(tenant, "retired", status="retired")
    make_tool(tenant, "no_code", execution="callback", callback="not.here")
    make_tool(tenant, "outside", searchable=False)
    make_tool(tenant, "matched")
    make_tool(tenant, "kept")
    make_tool(tenant, "pinned")
    make_tool(None, "shared")
    make_group(tenant, "g", ["matched"], says("now"))
    make_group(tenant, "staff", ["kept"], fact("staff", "is_true"))
    make_profile(tenant, resident_tools=("resident",), versions={"pinned": "9"})
    fields: dict[str, Any] = {"message": "now", "active_tools": ("ready",), "tools": [own_tool("mine")]}
    expected = {
        "ready": Reason.SEARCH_HIT,
        "resident": Reason.RESIDENT,
        "matched": Reason.TARGETING_MATCH,
        "toolSearch": Reason.ENTRY,
        "mine": Reason.CALLER,
        "off": Reason.DISABLED,
        "draft": Reason.PENDING_REVIEW,
        "review": Reason.PENDING_REVIEW,
        "retired": Reason.RETIRED,
        "no_code": Reason.NO_CALLBACK,
        "outside": Reason.OUT_OF_SCOPE,
        "kept": Reason.ACCESS_RESTRICTED,
        "pinned": Reason.NO_SUCH_VERSION,
        "shared": Reason.UNKNOWN,
        "nowhere": Reason.UNKNOWN,
    }
    told = {name: availability(tenant, name, **fields) for name in expected}
    assert {name: one.reason for name, one in told.items()} == expected
    answer = resolve(tenant, **fields)
    assert {name for name, one in told.items() if one.available} == set(answer.tool_names)
    assert {name for name, one in told.items() if one.retryable} == {"no_code"}
    assert all(one.detail for one in told.values())
    assert availability(tenant, "ready").reason is Reason.NO_MATCH
    assert availability(tenant, "shared", caller=caller_of(tenant, "curate")).reason is Reason.NOT_GRANTED


def case_V10_tool_over_the_limit__says_so(quiet: Tenant) -> None:
    make_many_tools(quiet, ["a", "b"])
    make_group(quiet, "g", ["a", "b"])
    make_profile(quiet, max_tools=1, search={"enabled": False})
    assert availability(quiet, "b").reason is Reason.OVER_BUDGET


def case_V10_name_as_it_is_exported__is_understood(quiet: Tenant) -> None:
    make_tool(quiet, "calendar.respond")
    make_group(quiet, "g", ["calendar.respond"])
    assert availability(quiet, "calendar_respond", format="openai_chat").available
