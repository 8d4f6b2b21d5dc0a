"""Cases from the field that resolution answers. Each is a kind of fault that users of comparable systems reported."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.support import (
    AUTHOR,
    DIALECTS,
    OPENAI_CHAT,
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
    resolve,
    says,
    search,
    sent,
)
from toolcatalog import resolution
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Availability, ResolveRequest
from toolcatalog.curation import delete_profile, delete_tool
from toolcatalog.models import Tenant, Tool

pytestmark = pytest.mark.django_db


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant()


@pytest.fixture
def quiet(tenant: Tenant) -> Tenant:
    """A tenant whose model cannot search."""
    make_profile(tenant, search={"enabled": False})
    return tenant


def own(name: str) -> dict[str, Any]:
    return {"name": name, "description": "The caller's.", "parameters": {"type": "object", "properties": {}}}


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


# Permission


def case_P01_tool_of_another_role__is_neither_found_nor_hinted_at(tenant: Tenant) -> None:
    make_tool(tenant, "ledger", "Closes the books.", category="finance")
    make_tool(tenant, "clock", "Tells the time.", category="office")
    make_group(tenant, "finance", ["ledger"], fact("role", "equals", "finance"))
    answer = search(tenant, "closes the books", attributes={"role": "support"})
    assert (answer.names, answer.outcome) == ((), "no_match")
    assert "ledger" not in str(answer)
    resolved = resolve(tenant, attributes={"role": "support"})
    assert "ledger" not in str(resolved)
    assert "finance" not in str(sent(resolved))
    assert search(tenant, "closes the books", attributes={"role": "finance"}).names == ("ledger",)


def case_P05_tool_of_a_group_that_does_not_match__is_not_available(quiet: Tenant) -> None:
    make_tool(quiet, "rain")
    make_group(quiet, "weather", ["rain"], says("天气"))
    assert availability(quiet, "rain", "天气").available
    told = availability(quiet, "rain", "other")
    assert (told.available, told.reason) == (False, Reason.NO_MATCH)


def case_P06_everything_shared_granted__private_tools_of_others_stay_out(tenant: Tenant) -> None:
    other = make_tenant()
    make_tool(None, "shared_image", "Image.")
    make_tool(tenant, "own_image", "Image.")
    make_tool(other, "private_image", "Image.")
    grant(tenant, everything=True)
    assert set(search(tenant, "image").names) == {"shared_image", "own_image"}
    assert resolve(tenant).usage.catalog_tools == 2
    assert availability(tenant, "private_image") == availability(tenant, "nowhere")


def case_P10_search_in_named_groups__finds_their_tools_only(tenant: Tenant) -> None:
    make_many_tools(tenant, ["hr_image", "it_image", "image"])
    make_group(tenant, "hr", ["hr_image"], says("never"))
    make_group(tenant, "it", ["it_image"], says("never"))
    assert search(tenant, "image", groups=("hr",)).names == ("hr_image",)
    assert set(search(tenant, "image", groups=("hr", "it")).names) == {"hr_image", "it_image"}
    assert search(tenant, "image", groups=("hr",), category="none").names == ()


def case_P11_grant_of_one_tool_alone__is_visible_and_can_be_found(tenant: Tenant) -> None:
    make_tool(None, "image", "Image.", category="media")
    make_tool(None, "image_two", "Image.", category="media")
    grant(tenant, "image")
    assert search(tenant, "image").names == ("image",)
    assert resolve(tenant, active_tools=("image", "image_two")).tool_names == ("toolSearch", "image")


@pytest.mark.parametrize(
    "target", [{"everything": True}, {"tool": "image"}, {"category": "media"}, {"tag": "picture"}], ids=str
)
def case_P11_deny__beats_every_allow(tenant: Tenant, target: dict[str, Any]) -> None:
    make_tool(None, "image", "Image.", category="media", tags=("picture",))
    for allow in ({"everything": True}, {"tool": "image"}, {"category": "media"}, {"tag": "picture"}):
        grant(tenant, **allow)
    assert search(tenant, "image").names == ("image",)
    deny(tenant, **target)
    assert search(tenant, "image").names == ()
    assert availability(tenant, "image").reason is Reason.UNKNOWN
    assert availability(tenant, "image", caller=caller_of(tenant, "curate")).reason is Reason.NOT_GRANTED


@pytest.mark.parametrize("name", ["foreign", "not_granted", "nowhere", "foreign.x", "订单"])
def case_P16_hidden_and_missing_tools__answer_alike(tenant: Tenant, name: str) -> None:
    make_tool(make_tenant(), "foreign")
    make_tool(None, "not_granted")
    told = availability(tenant, name)
    assert told == Availability(False, Reason.UNKNOWN, False, "There is no such tool for this caller.")
    answer = resolve(tenant, active_tools=(name,))
    assert [(o.name, o.reason) for o in answer.omitted] == [(name, Reason.UNKNOWN)]
    plain = resolve(tenant)
    assert (answer.tool_names, answer.snapshot.digest) == (plain.tool_names, plain.snapshot.digest)


def case_P20_profile_that_is_gone_or_not_for_this_key__never_the_default_instead(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    bot = make_profile(tenant, "bot")
    make_profile(tenant, "other")
    for_bot = caller_of(tenant, profiles=("bot",))
    assert resolve(tenant, profile="bot", caller=for_bot).tool_names == ("toolSearch",)
    assert resolve(tenant, caller=for_bot).tool_names == ("toolSearch",)  # the key's only one
    for slug in ("default", "other", "nowhere"):
        for ask in (resolve, search):
            with pytest.raises(InvalidInput) as refusal:
                ask(tenant, "ship", profile=slug, caller=for_bot)
            assert (refusal.value.code, refusal.value.errors[0].path) == ("unknown_profile", "profile")
    delete_profile(bot)
    for fields in ({}, {"profile": "bot"}):
        with pytest.raises(InvalidInput):
            resolve(tenant, caller=for_bot, **fields)
    with pytest.raises(InvalidInput):
        availability(tenant, "ship", profile="bot")


def case_P20_snapshot_of_a_profile_that_is_gone__is_refused(tenant: Tenant) -> None:
    make_tool(tenant, "ship")
    bot = make_profile(tenant, "bot")
    snapshot = resolve(tenant, profile="bot").snapshot
    assert search(tenant, "ship", snapshot_id=snapshot.id).names == ("ship",)
    delete_profile(bot)
    with pytest.raises(InvalidInput) as refusal:
        search(tenant, "ship", snapshot_id=snapshot.id)
    assert refusal.value.code == "unknown_profile"


def case_P20_key_of_several_profiles_without_the_default__has_to_name_one(tenant: Tenant) -> None:
    make_profile(tenant, "a")
    make_profile(tenant, "b")
    with pytest.raises(InvalidInput):
        resolve(tenant, caller=caller_of(tenant, profiles=("a", "b")))
    explanation = resolve(tenant, caller=caller_of(tenant, profiles=("a", "default")), explain=True).explanation
    assert explanation is not None
    assert explanation.profile == "default"


@pytest.mark.parametrize("attributes", [{}, {"can_write": False}, {"can_write": None}, {"can_write": "true"}])
def case_P23_write_tools__without_the_right__are_absent_everywhere(tenant: Tenant, attributes: dict[str, Any]) -> None:
    make_many_tools(tenant, ["read_note", "write_note"])
    make_group(tenant, "writers", ["write_note"], fact("can_write", "is_true"))
    make_profile(tenant, resident_tools=("write_note",), search={"inline_below_tokens": None})
    answer = resolve(tenant, attributes=attributes, active_tools=("write_note", "read_note"))
    assert answer.tool_names == ("toolSearch", "read_note")
    assert search(tenant, "note", attributes=attributes).names == ("read_note",)
    assert not availability(tenant, "write_note", attributes=attributes).available
    assert "write_note" in resolve(tenant, attributes={"can_write": True}).tool_names


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
    answer = resolve(tenant, tools=[own("x"), own("clash"), own("y")])
    assert answer.tool_names == ("x", "clash", "y", "toolSearch")
    assert [(notice.code, notice.name) for notice in answer.notices] == [("replaced", "clash")]
    with pytest.raises(InvalidInput) as refusal:
        resolve(tenant, tools=[own(name) for name in "uvwxy"])
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
    answer = resolve(tenant, messages=messages, tools=[own("mine")], format=dialect.format)
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
    fields: dict[str, Any] = {"message": "now", "active_tools": ("ready",), "tools": [own("mine")]}
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


# What callers of one tenant can learn of another


def rel_T3_word_of_another_tenant__is_found_nowhere(tenant: Tenant) -> None:
    other = make_tenant()
    make_tool(other, "zanzibar", "Zanzibar.", category="zanzibar", tags=("zanzibar",))
    make_group(other, "zanzibar", ["zanzibar"], system_prompt="Zanzibar.")
    make_tool(tenant, "clock", "Tells the time.")
    curator = caller_of(tenant, "curate")
    for answer in (search(tenant, "zanzibar"), search(tenant, "zanzibar", caller=curator, explain=True)):
        assert "Zanzibar" not in str(answer)
        assert answer.names == ()
    assert "anzibar" not in str(sent(resolve(tenant, "zanzibar", explain=True)))
    with pytest.raises(InvalidInput) as refusal:
        search(tenant, "")
    assert "zanzibar" not in refusal.value.detail


def rel_T4_warm_catalogs_of_two_tenants__do_not_mix(tenant: Tenant) -> None:
    other = make_tenant()
    for one in (tenant, other):
        make_tool(one, "mark", f"Of {one.slug}.")
        make_profile(one, resident_tools=("mark",))
    for _ in range(3):
        for one in (tenant, other):
            assert sent(resolve(one, "the same"))[0]["description"] == f"Of {one.slug}."


def rel_T5_session_of_another_tenant__looks_empty(tenant: Tenant) -> None:
    other = make_tenant()
    for one in (tenant, other):
        make_tool(one, "mark")
    search(other, "mark", session_id="guessed")
    assert resolve(tenant, session_id="guessed").active_tools == ()
    assert resolve(other, session_id="guessed").active_tools == ("mark",)


def rel_T6_names_never_granted__echoed_back__give_nothing(tenant: Tenant) -> None:
    names = tuple(tool.name for tool in make_many_tools(None, ["a", "b", "c", "d", "e"]))
    messages = [OPENAI_CHAT.user("?"), *OPENAI_CHAT.search(*names)]
    for fields in ({"active_tools": names}, {"messages": messages}):
        answer = resolve(tenant, **fields)
        assert (answer.tool_names, answer.active_tools) == ((), ())
        assert {o.reason for o in answer.omitted} == {Reason.UNKNOWN}


def rel_T6_snapshot_of_another_tenant__is_not_there(tenant: Tenant) -> None:
    other = make_tenant()
    make_tool(other, "mark")
    snapshot = resolve(other, attributes={"secret": True}).snapshot
    with pytest.raises(InvalidInput) as refusal:
        search(tenant, "mark", snapshot_id=snapshot.id)
    assert refusal.value.code == "unknown_snapshot"


def rel_T25_very_many_messages__only_the_last_user_message_decides(quiet: Tenant) -> None:
    make_group(quiet, "g", [], says("needle"), system_prompt="Found.")
    noise = [OPENAI_CHAT.user("needle"), OPENAI_CHAT.assistant("needle")] * 5000
    assert resolve(quiet, messages=[*noise, OPENAI_CHAT.user("hay")]).system_prompt is None
    assert resolve(quiet, messages=[*noise, OPENAI_CHAT.user("a needle")]).system_prompt == "Found."


def rel_R7_message_beyond_the_cap__is_matched_on_the_capped_text_and_told(quiet: Tenant) -> None:
    make_group(quiet, "g", [], says("needle"), system_prompt="Found.")
    answer = resolve(quiet, "hay " * 100_000 + "needle")
    assert answer.system_prompt is None
    assert [notice.code for notice in answer.notices] == ["message_capped"]
    assert resolve(quiet, "needle " + "hay " * 100_000).system_prompt == "Found."


# Snapshots as the context of a search


def test_search__with_a_snapshot__has_its_profile_and_context(tenant: Tenant) -> None:
    make_tool(tenant, "refund", "Gives money back.")
    make_group(tenant, "staff", ["refund"], fact("staff", "is_true"))
    make_profile(tenant, "bot")
    snapshot = resolve(tenant, profile="bot", attributes={"staff": True}, account_id="a").snapshot
    assert search(tenant, "refund", snapshot_id=snapshot.id).names == ("refund",)
    assert search(tenant, "refund", snapshot_id=snapshot.id, attributes={}).names == ()
    search(tenant, "refund", snapshot_id=snapshot.id, session_id="s")
    assert resolve(tenant, profile="bot", session_id="s", attributes={"staff": True}).active_tools == ("refund",)
    assert resolve(tenant, session_id="s", attributes={"staff": True}).active_tools == ()


@pytest.mark.parametrize("fields", [{}, {"messages": [], "prompt": "x"}], ids=["neither", "both"])
def test_request__of_neither_or_both_of_messages_and_prompt__is_refused(tenant: Tenant, fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refusal:
        resolution.resolve(ResolveRequest(**fields), caller_of(tenant))
    assert refusal.value.code == "messages_or_prompt"


def test_unknown_format__is_refused_and_lists_those_there_are(tenant: Tenant) -> None:
    with pytest.raises(InvalidInput) as refusal:
        resolve(tenant, format="smoke_signals")
    assert "openai_chat" in refusal.value.detail
