"""R13: tools that one session brings along, from the search to the calls that models make, and the audit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import edit_profile, make_group, make_profile, make_tenant, make_tool
from toolcatalog.formats import FORMATS
from toolcatalog.models import Exposure, ExposureContent

from .agents import Agent, Auditor, contents, read, says_calls, searches
from .sailing import FERRY, TIDES, put, sailor
from .talks import Talk, names

__all__ = ["sailor"]


def availability(agent: Agent, name: str, **body: Any) -> tuple[bool, str]:
    answer = read(agent.api.post(f"/tools/{name}/availability", {"prompt": "hello", **body}))
    return answer["available"], answer["reason"]


def body_of(exposure_id: str) -> dict[str, Any]:
    exposure = Exposure.objects.get(pk=exposure_id)
    body: dict[str, Any] = json.loads(bytes(ExposureContent.objects.get(pk=exposure.snapshot_sha256).body))
    return body


# Found, shown, called


def b_R13_search__finds_them_beside_the_catalogs_by_every_kind_of_words(sailor: Agent) -> None:
    assert sailor.search("crossing to an island", session_id="s")["names"][0] == "book_ferry"
    assert sailor.search("潮汐", session_id="s")["names"] == ["tides"]
    assert sailor.search("BookFerry", session_id="s")["results"][0]["score"] == 1
    assert sailor.search("book_fery", session_id="s")["names"] == ["book_ferry"]
    assert sailor.search("cost of a parcel", session_id="s")["names"][0] == "price"
    assert sailor.search("quantum chromodynamics", session_id="s")["outcome"] == "no_match"


def b_R13_resolve__discloses_what_was_found_and_says_that_it_is_the_sessions(sailor: Agent) -> None:
    before = sailor.resolve(session_id="s")
    assert before["tool_names"] == ["toolSearch"]
    sailor.search("ferry", session_id="s", max_results=1)
    after = sailor.resolve(session_id="s", explain=True)
    assert after["tool_names"] == ["toolSearch", "book_ferry"]
    assert after["active_tools"] == ["book_ferry"]
    assert after["tools"][1]["parameters"] == FERRY["parameters"]
    (trace,) = (tool for tool in after["explanation"]["tools"] if tool["name"] == "book_ferry")
    assert trace["reasons"] == ["SESSION", "SEARCH_HIT"]
    assert trace["revision"] is None
    assert after["tools"][0] == before["tools"][0]


@pytest.mark.parametrize("format_", sorted(FORMATS))
def b_R13_every_format__writes_them(sailor: Agent, format_: str) -> None:
    sailor.search("ferry", session_id="s", max_results=1)
    answer = sailor.resolve(session_id="s", format=format_)
    assert answer["omitted"] == []
    assert answer["name_map"]["book_ferry"] == "book_ferry"
    assert "book_ferry" in json.dumps(answer["tools"])


def b_R13_messages_and_echoed_names__find_them_too(sailor: Agent) -> None:
    assert sailor.resolve(session_id="s", active_tools=["tides"])["active_tools"] == ["tides"]
    asked = searches("islands")
    answered = sailor.run_calls(asked, session_id="s")["messages"]
    messages = [{"role": "user", "content": "hello"}, asked, *answered]
    assert "book_ferry" in sailor.resolve(session_id="s", messages=messages)["tool_names"]
    without = sailor.resolve(messages=messages)
    assert "book_ferry" not in without["tool_names"]
    assert {"name": "book_ferry", "reason": "UNKNOWN"} in without["omitted"]


def b_R13_availability__says_session(sailor: Agent) -> None:
    assert availability(sailor, "tides", session_id="s") == (False, "NO_MATCH")
    sailor.search("tides", session_id="s")
    assert availability(sailor, "tides", session_id="s") == (True, "SESSION")
    assert availability(sailor, "tides") == (False, "UNKNOWN")
    assert availability(sailor, "tides", session_id="other") == (False, "UNKNOWN")


@pytest.mark.parametrize("by", ["snapshot", "session", "both"])
def b_R13_calls__are_for_the_caller_to_run(sailor: Agent, by: str) -> None:
    sailor.search("ferry", session_id="s")
    evidence: dict[str, Any] = {} if by == "snapshot" else {"session_id": "s"}
    if by != "session":
        evidence["snapshot_id"] = sailor.snapshot(session_id="s")
    answer = sailor.run_calls(says_calls(("c-1", "book_ferry", {"island": "Hydra"})), **evidence)
    assert answer["results"] == []
    assert answer["unhandled"] == [
        {"call_id": "c-1", "name": "book_ferry", "exported_name": "book_ferry", "arguments": {"island": "Hydra"}}
    ]
    assert sailor.refusal("book_ferry", {"island": "Hydra"}, **evidence) == (409, "not_executable")


def b_R13_call__never_shown_or_of_another_session__is_refused(sailor: Agent) -> None:
    unseen = sailor.run("book_ferry", {"island": "Hydra"}, session_id="s")
    assert unseen["status"] == "refused"
    foreign = sailor.run("book_ferry", {"island": "Hydra"}, snapshot_id=sailor.snapshot(session_id="t"))
    assert foreign["status"] == "refused"
    assert sailor.refusal("book_ferry", session_id="t") == (404, "unknown_tool")


def b_R13_call__after_the_tool_was_taken_away__is_refused(sailor: Agent) -> None:
    sailor.search("ferry", session_id="s")
    snapshot = sailor.snapshot(session_id="s")
    read(put(sailor, TIDES))
    assert sailor.run("book_ferry", {"island": "Hydra"}, snapshot_id=snapshot)["status"] == "refused"
    assert sailor.resolve(session_id="s")["omitted"] == [{"name": "book_ferry", "reason": "UNKNOWN"}]


def b_R13_meta_mode__gives_definitions_and_hands_the_call_back_unwrapped(sailor: Agent) -> None:
    make_profile(sailor.tenant, disclosure="meta")
    snapshot = sailor.snapshot(session_id="s")
    asked = says_calls(("s-1", "search_tools", {"query": "ferry", "max_results": 1}))
    (found,) = contents(sailor.run_calls(asked, session_id="s", snapshot_id=snapshot))
    assert found["tools"][0]["name"] == "book_ferry"
    assert found["tools"][0]["input_schema"] == FERRY["parameters"]
    run = says_calls(("c-1", "execute_dynamic_tool", {"tool_name": "book_ferry", "tool_input": {"island": "Hydra"}}))
    (call,) = sailor.run_calls(run, session_id="s", snapshot_id=snapshot)["unhandled"]
    assert call == {
        "call_id": "c-1",
        "name": "book_ferry",
        "exported_name": "execute_dynamic_tool",
        "arguments": {"island": "Hydra"},
    }
    wrong = says_calls(("c-2", "execute_dynamic_tool", {"tool_name": "book_ferry", "tool_input": {"island": 3}}))
    assert contents(sailor.run_calls(wrong, session_id="s"))[0].keys() == {"error", "suggestion"}
    after = sailor.resolve(session_id="s")
    assert after["tool_names"] == ["search_tools", "execute_dynamic_tool"]
    assert [tool["reasons"] for tool in body_of(after["snapshot"]["id"])["found"]] == [["SESSION", "SEARCH_HIT"]]
    assert availability(sailor, "book_ferry", session_id="s") == (True, "SESSION")


def b_R13_native__declares_them_deferred_and_refers_to_them(sailor: Agent) -> None:
    make_profile(sailor.tenant, resident_tools=("nothing",))
    talk = Talk(sailor, "anthropic", session_id="s")
    talk.resolve()
    (declared,) = (tool for tool in talk.tools if tool["name"] == "book_ferry")
    assert declared["defer_loading"] is True
    assert talk.search("ferry", maxResults=1) == [{"type": "tool_reference", "tool_name": "book_ferry"}]
    assert talk.resolve()["active_tools"] == ["book_ferry"]
    assert [call["name"] for call in talk.call("book_ferry", {"island": "Hydra"}, "c-1")["unhandled"]] == ["book_ferry"]
    other = Talk(sailor, "anthropic", session_id="t")
    other.resolve()
    assert "book_ferry" not in names(other.tools)


def b_R13_regex_provider__reads_patterns_over_them(sailor: Agent) -> None:
    make_profile(sailor.tenant, search={"provider": "regex"})
    assert sailor.search("book_*", session_id="s")["names"] == ["book_ferry"]
    assert sorted(sailor.search("^(tides|price)$", session_id="s")["names"]) == ["price", "tides"]
    assert sailor.search("crossing", session_id="s")["names"] == []


def b_R13_a_tenant_without_tools__has_a_search_where_the_session_has_some(agent: Agent) -> None:
    lonely = Agent(make_tenant())
    assert lonely.resolve(session_id="s")["tool_names"] == []
    read(put(lonely, FERRY))
    answer = lonely.resolve(session_id="s")
    assert answer["tool_names"] == ["toolSearch"]
    assert answer["usage"]["catalog_tools"] == 1
    assert lonely.search("island ferry", session_id="s")["names"] == ["book_ferry"]
    assert lonely.resolve(session_id="t")["tool_names"] == []


def b_R13_small_catalog__is_sent_whole_with_them(agent: Agent) -> None:
    small = Agent(make_tenant())
    make_tool(small.tenant, "harbours", "Lists harbours")
    make_profile(small.tenant, search={"inline_below_tokens": 100_000})
    read(put(small, FERRY))
    answer = small.resolve(session_id="s", explain=True)
    assert answer["tool_names"] == ["book_ferry", "harbours"]
    assert answer["explanation"]["tools"][0]["reasons"] == ["SESSION"]
    assert small.run_calls(says_calls(("c", "book_ferry", {"island": "x"})), session_id="s")["unhandled"] != []


def b_R13_filters_of_a_search__leave_them_out(sailor: Agent) -> None:
    """They stand in no category and no group; the profile's own scope by category is about the catalog."""
    make_group(sailor.tenant, "sea", ["nothing"])
    assert sailor.search("ferry", session_id="s", groups=["sea"])["names"] == []
    assert sailor.search("ferry", session_id="s", category="freight")["names"] == []
    profile = make_profile(sailor.tenant, search={"categories": ("freight",)})
    assert sailor.search("ferry", session_id="s")["names"] == ["book_ferry"]
    edit_profile(profile, search={"enabled": False})
    assert sailor.search("ferry", session_id="s")["names"] == []
    assert sailor.resolve(session_id="s", active_tools=["tides"])["active_tools"] == []


# On record


def b_R13_audit__holds_the_definition_and_finds_them_by_name(sailor: Agent, auditor: Auditor) -> None:
    sailor.search("ferry", session_id="s", max_results=1)
    snapshot = sailor.snapshot(session_id="s")
    sailor.snapshot(session_id="t")
    rows = auditor.exposures("?tool=book_ferry")
    assert [row["kind"] for row in rows] == ["search", "resolve"]
    assert rows[1]["id"] == snapshot
    searched = body_of(rows[0]["id"])["tools"][0]
    assert searched["reasons"] == ["SESSION"]
    assert searched["definition"] == FERRY
    (shown,) = (tool for tool in body_of(snapshot)["tools"] if tool["name"] == "book_ferry")
    assert shown["definition"]["parameters"] == FERRY["parameters"]
    assert "id" not in shown
    assert shown["sha256"] == searched["sha256"]


def b_R13_refused_call__is_on_record_without_the_id_of_another_tool(sailor: Agent, auditor: Auditor) -> None:
    sailor.search("ferry", session_id="s")
    assert sailor.refusal("book_ferry", session_id="s") == (409, "not_executable")
    (row,) = auditor.calls()
    assert (row["name"], row["outcome"], row["tool_id"]) == ("book_ferry", "refused", None)


def b_R13_same_session_and_catalog__same_bytes(sailor: Agent) -> None:
    sailor.search("ferry", session_id="s")
    first, second = (sailor.resolve(session_id="s") for _ in range(2))
    assert first["tools"] == second["tools"]
    assert first["snapshot"]["digest"] == second["snapshot"]["digest"]
