"""Cases from the field about who may have what, and what callers of one tenant can learn of another."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    OPENAI_CHAT,
    availability,
    caller_of,
    deny,
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
from toolcatalog.curation import delete_profile
from toolcatalog.models import Tenant

pytestmark = pytest.mark.django_db


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
