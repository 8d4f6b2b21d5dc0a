"""What is cut from a conversation, and that the catalog answers as if nothing had been."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.asking import resolve, sent
from tests.support.catalog import make_group, make_profile, make_tenant, make_tool
from tests.support.rules import says
from toolcatalog.client import UnsupportedMessages, trim_messages
from toolcatalog.contract.catalog import Policy
from toolcatalog.contract.conversation import find_last_user_text
from toolcatalog.models import Tenant
from toolcatalog.resolution.found import read_found

from .answers import chat_calls, user
from .conversations import ALL_WRITERS, WRITERS, Turn, Writer, turns

POLICIES = [policy.value for policy in Policy]
ENTRIES = frozenset({"toolSearch"})


def what_decides(writer: Writer, messages: list[Any], policy: str, entries: frozenset[str] = ENTRIES) -> Any:
    """All that the server takes from messages: the text for rules, and what was found in which search."""
    read = writer.server_format.read_messages(messages)
    found = read_found(messages=read, entry_names=entries, policy=Policy(policy), turns=(), active_tools=())
    return find_last_user_text(read), found.searches, found.trace.source


@pytest.mark.parametrize("writer", ALL_WRITERS, ids=repr)
@settings(max_examples=300, deadline=None)
@given(conversation=turns(), policy=st.sampled_from(POLICIES))
def test_trim__any_conversation__decides_as_the_whole(writer: Writer, conversation: list[Turn], policy: str) -> None:
    whole = writer.write(conversation)
    trimmed = trim_messages(whole, policy, format=writer.format)
    assert what_decides(writer, trimmed, policy) == what_decides(writer, whole, policy)


@pytest.mark.parametrize("writer", ALL_WRITERS, ids=repr)
@settings(max_examples=200, deadline=None)
@given(conversation=turns(), policy=st.sampled_from(POLICIES))
def test_trim__meta_mode__keeps_all_searches(writer: Writer, conversation: list[Turn], policy: str) -> None:
    whole = writer.write(conversation)
    trimmed = trim_messages(whole, policy, format=writer.format)
    meta = frozenset({"search_tools"})
    assert what_decides(writer, trimmed, "accumulate", meta) == what_decides(writer, whole, "accumulate", meta)


@pytest.mark.parametrize("writer", WRITERS, ids=repr)
@settings(max_examples=100, deadline=None)
@given(conversation=turns(with_system=True), policy=st.sampled_from(POLICIES))
def test_trim__twice__is_as_once(writer: Writer, conversation: list[Turn], policy: str) -> None:
    once = trim_messages(writer.write(conversation), policy, format=writer.format)
    assert trim_messages(once, policy, format=writer.format) == once


@pytest.fixture
def shop(db: None) -> Tenant:
    """A tenant with tools to find, and a group that a word opens."""
    tenant = make_tenant()
    make_tool(tenant, "get_order", "Order status")
    make_tool(tenant, "getWeather", "Weather of a city")
    make_tool(tenant, "send_email", "Sends a message")
    make_tool(tenant, "track", "Where a parcel is", searchable=False)
    make_group(tenant, "orders", ("track",), says("订单"))
    make_profile(tenant)
    return tenant


@pytest.mark.parametrize("writer", WRITERS, ids=repr)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(conversation=turns(), policy=st.sampled_from(POLICIES))
def test_trim__any_conversation__resolves_to_the_same_tools(
    shop: Tenant, writer: Writer, conversation: list[Turn], policy: str
) -> None:
    whole = writer.write(conversation)
    trimmed = trim_messages(whole, policy, format=writer.format)
    options: dict[str, Any] = {"format": writer.format, "exposure_policy": policy}
    assert sent(resolve(shop, messages=trimmed, **options)) == sent(resolve(shop, messages=whole, **options))


SEARCHED = [
    {"role": "system", "content": "base"},
    user("first question"),
    chat_calls(("s-1", "toolSearch", '{"query": "orders"}')),
    {"role": "tool", "tool_call_id": "s-1", "content": '["get_order"]'},
    {"role": "assistant", "content": "Here."},
    user("second question"),
    {"role": "assistant", "content": "Well."},
    chat_calls(("s-2", "toolSearch", '{"query": "weather"}')),
    {"role": "tool", "tool_call_id": "s-2", "content": '["getWeather"]'},
]


def test_trim__latest_turn__is_the_last_question_and_all_from_the_last_search() -> None:
    assert trim_messages(SEARCHED, "latest_turn") == [SEARCHED[5], SEARCHED[7], SEARCHED[8]]


def test_trim__accumulate__keeps_earlier_searches_and_drops_what_is_between() -> None:
    assert trim_messages(SEARCHED, "accumulate") == [*SEARCHED[2:4], SEARCHED[5], *SEARCHED[7:]]


def test_trim__policy_unknown__is_accumulate() -> None:
    assert trim_messages(SEARCHED) == trim_messages(SEARCHED, "accumulate")


def test_trim__no_search_yet__is_the_last_question() -> None:
    assert trim_messages(SEARCHED[:2], "latest_turn") == [user("first question")]


def test_trim__entry_tool_of_another_name__is_known_by_it() -> None:
    messages = [user("q"), {"role": "assistant", "content": "a"}, chat_calls(("s-1", "find", "{}"))]
    assert trim_messages(messages, "latest_turn") == messages[:1]
    assert trim_messages(messages, "latest_turn", entry_tools=("find",)) == [messages[0], messages[2]]


def test_trim__pictures__are_dropped_and_the_message_stays() -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://a/b.png"}}
    only_picture = {"role": "user", "content": [picture]}
    both = {"role": "user", "content": [{"type": "text", "text": "what is this?"}, picture]}
    assert trim_messages([both]) == [{"role": "user", "content": [{"type": "text", "text": "what is this?"}]}]
    assert trim_messages([user("earlier"), only_picture]) == [{"role": "user", "content": []}]


def test_trim__input__is_not_changed() -> None:
    before = repr(SEARCHED)
    trimmed = trim_messages(SEARCHED)
    trimmed[0]["role"] = "changed"
    assert repr(SEARCHED) == before


def test_trim__format_whose_messages_are_not_known__is_refused() -> None:
    with pytest.raises(UnsupportedMessages, match="mcp"):
        trim_messages([], format="mcp")


@pytest.mark.parametrize("writer", WRITERS, ids=repr)
@pytest.mark.parametrize(
    "message", [None, 7, "text", {}, {"role": 5}, {"content": {"a": 1}}, {"parts": 3}, {"type": 4}]
)
def test_trim__what_is_no_message__is_for_the_server_to_refuse(writer: Writer, message: Any) -> None:
    with suppress(UnsupportedMessages):
        trim_messages([message, *writer.write([Turn("user", "q")])], format=writer.format)


@pytest.mark.parametrize("writer", WRITERS, ids=repr)
@pytest.mark.parametrize("other", WRITERS, ids=repr)
def test_trim__messages_of_another_dialect__are_refused(writer: Writer, other: Writer) -> None:
    messages = other.write(
        [Turn("user", "q"), Turn("assistant", None, (("a", "toolSearch"),)), Turn("tool", answers=(("a", []),))]
    )
    if writer is other:
        trim_messages(messages, format=writer.format)
    else:
        with pytest.raises(UnsupportedMessages, match="is not in the form of"):
            trim_messages(messages, format=writer.format)
