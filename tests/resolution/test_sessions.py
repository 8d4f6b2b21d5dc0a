"""R9 to R11: what the server remembers of a conversation, and what callers give back of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from tests.support import (
    AUTHOR,
    DIALECTS,
    OPENAI_CHAT,
    Dialect,
    caller_of,
    edit_tool,
    explain,
    make_many_tools,
    make_profile,
    make_tenant,
    resolve,
    search,
    sent,
    set_tenant,
)
from toolcatalog import resolution
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.reasons import Reason
from toolcatalog.curation import delete_tool
from toolcatalog.models import Session, Tenant, Tool

pytestmark = pytest.mark.django_db
every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=repr)


@pytest.fixture
def tenant() -> Tenant:
    """A tenant with the tools alpha to echo."""
    tenant = make_tenant()
    make_many_tools(tenant, ["alpha", "bravo", "charlie", "delta", "echo"])
    return tenant


def remembered(tenant: Tenant, session_id: str = "s", **fields: Any) -> list[str]:
    return list(resolve(tenant, session_id=session_id, **fields).active_tools)


def grow_older(seconds: int, session_id: str) -> None:
    """Let time pass for one session: its last use was that long ago."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE toolcatalog_session SET last_used_at = last_used_at - make_interval(secs => %s) "
            "WHERE session_id = %s",
            [seconds, session_id],
        )


# R9


def b_R9_session__remembers_what_searches_found(tenant: Tenant) -> None:
    assert remembered(tenant) == []
    search(tenant, "alpha", session_id="s")
    assert remembered(tenant) == ["alpha"]
    answer = resolve(tenant, session_id="s", explain=True)
    assert answer.tool_names == ("toolSearch", "alpha")
    assert answer.explanation is not None
    assert answer.explanation.search.source == "session"


@pytest.mark.parametrize(
    ("policy", "names"),
    [("latest_call", ["bravo"]), ("latest_turn", ["bravo"]), ("accumulate", ["alpha", "bravo"])],
)
def b_R9_one_search__is_one_turn_under_the_same_policies(tenant: Tenant, policy: str, names: list[str]) -> None:
    search(tenant, "alpha", session_id="s")
    search(tenant, "bravo", session_id="s")
    assert remembered(tenant, exposure_policy=policy) == names


def b_R9_session__is_keyed_by_tenant_profile_and_id(tenant: Tenant) -> None:
    other = make_tenant()
    make_many_tools(other, ["alpha"])
    make_profile(tenant, "bot")
    search(tenant, "alpha", session_id="s")
    assert remembered(tenant, "s2") == []
    assert remembered(tenant, profile="bot") == []
    assert remembered(other) == []
    assert remembered(tenant) == ["alpha"]


def b_R9_session__outlives_the_key(tenant: Tenant) -> None:
    search(tenant, "alpha", session_id="s", caller=replace(caller_of(tenant), key_id=1))
    another_key = replace(caller_of(tenant), key_id=2)
    assert remembered(tenant, caller=another_key) == ["alpha"]


def b_R9_conversation_id__alone_makes_no_session(tenant: Tenant) -> None:
    search(tenant, "alpha", conversation_id="s")
    assert resolve(tenant, conversation_id="s").active_tools == ()
    assert not Session.objects.exists()


def b_R9_eviction_by_number__the_least_recently_used_go_never_the_current(tenant: Tenant) -> None:
    set_tenant(tenant, eviction="lru", max_sessions=2)
    for age, session_id in ((30, "one"), (20, "two")):
        search(tenant, "alpha", session_id=session_id)
        grow_older(age, session_id)
    assert remembered(tenant, "one") == ["alpha"]  # used just now
    search(tenant, "bravo", session_id="three")
    assert [remembered(tenant, name) for name in ("one", "two", "three")] == [["alpha"], [], ["bravo"]]
    set_tenant(tenant, max_sessions=1)
    search(tenant, "charlie", session_id="four")
    assert set(Session.objects.values_list("session_id", flat=True)) == {"four"}


def b_R9_eviction_by_number__counts_each_tenant_alone(tenant: Tenant) -> None:
    other = make_tenant(eviction="lru", max_sessions=1)
    make_many_tools(other, ["alpha"])
    search(tenant, "alpha", session_id="one")
    search(other, "alpha", session_id="two")
    search(other, "alpha", session_id="three")
    assert set(Session.objects.values_list("session_id", flat=True)) == {"one", "three"}


@pytest.mark.parametrize("eviction", ["ttl", "lru_ttl"])
def b_R9_eviction_by_age__is_judged_on_access(tenant: Tenant, eviction: str) -> None:
    set_tenant(tenant, eviction=eviction, session_ttl_seconds=60)
    search(tenant, "alpha", session_id="s")
    grow_older(50, "s")
    assert remembered(tenant) == ["alpha"]
    grow_older(50, "s")
    assert remembered(tenant) == ["alpha"]  # each use starts the time again
    grow_older(70, "s")
    assert remembered(tenant) == []
    search(tenant, "bravo", session_id="s")
    assert remembered(tenant, exposure_policy="accumulate") == ["bravo"]


def b_R9_eviction_by_age__old_ones_do_not_pile_up(tenant: Tenant) -> None:
    set_tenant(tenant, eviction="ttl", session_ttl_seconds=60)
    for session_id in ("one", "two", "three"):
        search(tenant, "alpha", session_id=session_id)
    for session_id in ("one", "two"):
        grow_older(70, session_id)
    search(tenant, "alpha", session_id="four")
    assert set(Session.objects.values_list("session_id", flat=True)) == {"three", "four"}


def b_R9_eviction_by_number_and_age__both_hold(tenant: Tenant) -> None:
    set_tenant(tenant, eviction="lru_ttl", session_ttl_seconds=60, max_sessions=1)
    search(tenant, "alpha", session_id="one")
    search(tenant, "bravo", session_id="two")
    assert remembered(tenant, "one") == []
    assert remembered(tenant, "two") == ["bravo"]


def b_R9_eviction_never__all_stay(tenant: Tenant) -> None:
    set_tenant(tenant, eviction="never", session_ttl_seconds=1, max_sessions=1)
    for session_id in ("one", "two", "three"):
        search(tenant, "alpha", session_id=session_id)
        grow_older(1_000_000, session_id)
    assert [remembered(tenant, name) for name in ("one", "two", "three")] == [["alpha"]] * 3


def b_R9_eviction_always__is_as_if_there_were_no_session(tenant: Tenant) -> None:
    search(tenant, "alpha", session_id="s")
    set_tenant(tenant, eviction="always")
    assert remembered(tenant) == []
    search(tenant, "bravo", session_id="t")
    assert remembered(tenant, "t") == []
    assert remembered(tenant, active_tools=("charlie",)) == ["charlie"]


def b_R9_forgotten_session__is_empty_in_every_profile_of_the_tenant_alone(tenant: Tenant) -> None:
    other = make_tenant()
    make_many_tools(other, ["alpha"])
    make_profile(tenant, "bot")
    search(other, "alpha", session_id="s")
    for profile in (None, "bot"):
        search(tenant, "alpha", session_id="s", profile=profile)
    assert resolution.forget_session(tenant.pk, "s") == 2
    assert [remembered(tenant, profile=profile) for profile in (None, "bot")] == [[], []]
    assert remembered(other) == ["alpha"]
    assert resolution.forget_session(tenant.pk, "s") == 0


@every_dialect
def b_R9_search_in_the_messages__decides_over_the_session(tenant: Tenant, dialect: Dialect) -> None:
    search(tenant, "alpha", session_id="s")
    messages = [dialect.user("?"), *dialect.search("bravo")]
    assert remembered(tenant, messages=messages, format=dialect.format) == ["bravo"]
    assert remembered(tenant, messages=messages[:1], format=dialect.format) == ["alpha"]


def b_R9_session__decides_over_active_tools(tenant: Tenant) -> None:
    search(tenant, "alpha", session_id="s")
    assert remembered(tenant, active_tools=("bravo",)) == ["alpha"]
    assert remembered(tenant, "unknown", active_tools=("bravo",)) == ["bravo"]


def b_R9_remembered_name__is_authorised_again(tenant: Tenant) -> None:
    search(tenant, "alpha", session_id="s")
    edit_tool(Tool.objects.get(owner=tenant, name="alpha"), status="disabled")
    answer = resolve(tenant, session_id="s")
    assert answer.active_tools == ()
    assert [(o.name, o.reason) for o in answer.omitted] == [("alpha", Reason.DISABLED)]


# R10


def b_R10_active_tools__are_given_back_and_come_again(tenant: Tenant) -> None:
    messages = [OPENAI_CHAT.user("?"), *OPENAI_CHAT.search("bravo", "alpha")]
    first = resolve(tenant, messages=messages)
    assert first.active_tools == ("bravo", "alpha")
    second = resolve(tenant, "And now?", active_tools=first.active_tools)
    assert second.tool_names == ("toolSearch", "bravo", "alpha")
    assert second.active_tools == first.active_tools
    assert sent(second) == sent(first)


def b_R10_name_that_is_gone__is_skipped_and_listed(tenant: Tenant) -> None:
    delete_tool(Tool.objects.get(owner=tenant, name="alpha"), AUTHOR)
    answer = resolve(tenant, active_tools=("alpha", "bravo", "nowhere"))
    assert answer.active_tools == ("bravo",)
    assert [(o.name, o.reason) for o in answer.omitted] == [("alpha", Reason.UNKNOWN), ("nowhere", Reason.UNKNOWN)]


def b_R10_without_searches_in_messages__a_new_search_replaces_the_list(tenant: Tenant) -> None:
    search(tenant, "alpha", session_id="s")
    search(tenant, "bravo", session_id="s")
    assert remembered(tenant) == ["bravo"]


def b_R10_without_searches_in_messages__an_empty_result_clears_the_list(tenant: Tenant) -> None:
    search(tenant, "alpha", session_id="s")
    assert search(tenant, "nothing of the kind", session_id="s").outcome == "no_match"
    assert remembered(tenant, active_tools=("charlie",)) == []
    assert remembered(tenant, exposure_policy="accumulate") == ["alpha"]


def b_R10_without_searches_in_messages__a_search_that_failed_leaves_the_list(tenant: Tenant) -> None:
    search(tenant, "alpha", session_id="s")
    with pytest.raises(InvalidInput):
        search(tenant, "alpha", session_id="s", max_results=0)
    assert remembered(tenant) == ["alpha"]


def b_R10_active_tools__are_read_in_exported_form_too(tenant: Tenant) -> None:
    make_many_tools(tenant, ["calendar.respond"])
    answer = resolve(tenant, active_tools=("calendar_respond",), format="openai_chat")
    assert answer.active_tools == ("calendar.respond",)


# R11


@every_dialect
def b_R11_history_compacted__session_or_active_tools_bring_the_tools_back(tenant: Tenant, dialect: Dialect) -> None:
    whole = [dialect.user("?"), *dialect.search("alpha"), dialect.user("Go on.")]
    first = resolve(tenant, messages=whole, format=dialect.format)
    compacted = [dialect.user("Summary: we searched."), dialect.user("Go on.")]
    assert resolve(tenant, messages=compacted, format=dialect.format).active_tools == ()
    search(tenant, "alpha", session_id="s")
    for fields in ({"active_tools": first.active_tools}, {"session_id": "s"}):
        answer = resolve(tenant, messages=compacted, format=dialect.format, **fields)
        assert dialect.tool_names(answer) == ["toolSearch", "alpha"]
        trace = explain(tenant, messages=compacted, format=dialect.format, **fields).search
        assert trace.source in fields or trace.source == "session"
