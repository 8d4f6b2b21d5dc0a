"""R13: tools that one session brings along, from the call that sets them to the calls that models make."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.conftest import codes_of, read_problem
from tests.support import edit_profile, fact, grant, make_group, make_profile, make_tenant, make_tool, set_tenant
from toolcatalog.contract.catalog import Eviction
from toolcatalog.formats import FORMATS
from toolcatalog.models import Exposure, ExposureContent, Session

from .agents import Agent, Auditor, contents, read, says_calls, searches
from .talks import Talk, names

FERRY: dict[str, Any] = {
    "name": "book_ferry",
    "title": "Ferry",
    "description": "Books a crossing to the islands",
    "parameters": {
        "type": "object",
        "properties": {"island": {"type": "string", "description": "Where to"}},
        "required": ["island"],
    },
    "annotations": {"readOnlyHint": False},
}
TIDES: dict[str, Any] = {"name": "tides", "description": "当地潮汐时间表"}


def put(agent: Agent, *tools: Any, session_id: str = "s", **body: Any) -> Any:
    return agent.api.put(f"/sessions/{session_id}/tools", {"tools": list(tools), **body})


@pytest.fixture
def sailor(agent: Agent) -> Agent:
    """An agent whose session `s` has tools of its own."""
    answer = read(put(agent, FERRY, TIDES))
    assert answer == {"session_id": "s", "profile": "default", "tool_names": ["book_ferry", "tides"], "notices": []}
    return agent


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


# Nobody else's


def b_R13_no_other_session__ever_sees_them(sailor: Agent) -> None:
    make_profile(sailor.tenant, "second")
    stranger = Agent(make_tenant())
    make_tool(stranger.tenant, "harbours", "Lists harbours")
    others: list[tuple[Agent, dict[str, Any]]] = [
        (sailor, {"session_id": "t"}),
        (sailor, {}),
        (sailor, {"session_id": "s", "profile": "second"}),
        (stranger, {"session_id": "s"}),
    ]
    for agent, body in others:
        assert "book_ferry" not in agent.search("ferry", **body)["names"]
        assert agent.resolve(active_tools=["book_ferry"], **body)["active_tools"] == []
        assert agent.refusal("book_ferry", **body)[0] in (404, 409)


def b_R13_rotated_key__has_the_session_still(sailor: Agent) -> None:
    """R9: a session is the tenant's and the profile's, so that a new key loses nothing."""
    assert Agent(sailor.tenant).search("tides", session_id="s")["names"] == ["tides"]


def b_R13_put_again__replaces_them_and_delete_forgets_them(sailor: Agent) -> None:
    read(put(sailor, TIDES))
    assert sailor.search("book_ferry", session_id="s")["names"] == []
    read(put(sailor))
    assert sailor.search("tides", session_id="s")["names"] == []
    read(put(sailor, TIDES))
    assert sailor.api.delete("/sessions/s").status_code == 204
    assert sailor.search("tides", session_id="s")["names"] == []


def b_R13_put__keeps_what_the_session_found(sailor: Agent) -> None:
    sailor.search("cost of a parcel", session_id="s", max_results=1)
    read(put(sailor, TIDES))
    assert sailor.resolve(session_id="s")["active_tools"] == ["price"]


def b_R13_eviction__is_that_of_sessions(sailor: Agent) -> None:
    set_tenant(sailor.tenant, eviction=Eviction.LRU, max_sessions=1)
    sailor.search("price", session_id="another")
    assert not Session.objects.filter(session_id="s").exists()
    read(put(sailor, TIDES))
    assert not Session.objects.filter(session_id="another").exists()


def b_R13_stale_session__has_lost_them_and_a_new_turn_does_not_bring_them_back(sailor: Agent) -> None:
    set_tenant(sailor.tenant, eviction=Eviction.TTL, session_ttl_seconds=60)
    Session.objects.update(last_used_at="2020-01-01T00:00:00Z")
    assert sailor.search("tides", session_id="s")["names"] == []
    assert sailor.resolve(session_id="s", active_tools=["tides"])["active_tools"] == []


def b_R13_tenant_that_keeps_no_sessions__says_so(agent: Agent) -> None:
    set_tenant(agent.tenant, eviction=Eviction.ALWAYS)
    assert read_problem(put(agent, TIDES), 409)["code"] == "no_sessions"


# Names


def b_R13_name_of_the_catalog__is_refused_and_nothing_is_saved(sailor: Agent) -> None:
    make_tool(sailor.tenant, "draft_only", status="draft")
    make_tool(None, "shared_tool", "Shared")
    make_profile(sailor.tenant, "odd", search={"entry_tool": "seek"})
    assert codes_of(put(sailor, {"name": "TOOLSEARCH"}, TIDES)) == {"tools[0].name": "reserved_name"}
    answer = put(sailor, {"name": "price"}, {"name": "Seek"}, TIDES, TIDES)
    assert codes_of(answer) == {
        "tools[0].name": "name_taken",
        "tools[1].name": "reserved_name",
        "tools[3].name": "duplicate_tool",
    }
    assert sailor.search("book_ferry", session_id="s")["names"] == ["book_ferry"]
    read(put(sailor, {"name": "draft_only"}, {"name": "shared_tool"}))
    grant(sailor.tenant, "shared_tool")
    assert codes_of(put(sailor, {"name": "shared_tool"})) == {"tools[0].name": "name_taken"}


def b_R13_catalog_gets_a_tool_of_that_name_later__it_stands_before_the_sessions(sailor: Agent) -> None:
    sailor.search("tides", session_id="s")
    make_tool(sailor.tenant, "tides", "Of the catalog")
    answer = sailor.resolve(session_id="s")
    assert answer["tools"][1]["description"] == "Of the catalog"
    assert [notice["code"] for notice in answer["notices"]] == ["hides_session_tool"]
    assert sailor.search("tides", session_id="s")["results"][0]["description"] == "Of the catalog"
    make_group(sailor.tenant, "sea", ["tides"], fact("may_sail", "is_true"))
    assert "tides" not in sailor.resolve(session_id="s")["tool_names"]


def b_R13_groups_and_profiles__never_mean_a_sessions_tool(sailor: Agent) -> None:
    """A group lists a tool that is not granted; a session's tool of that name is not what it means."""
    make_tool(None, "tides_table", "Shared")
    make_group(None, "sea", ["tides_table"], for_all_tenants=True)
    read(put(sailor, {"name": "tides_table", "description": "The session's"}))
    answer = sailor.resolve(session_id="s")
    assert answer["tool_names"] == ["toolSearch"]
    assert answer["omitted"] == [{"name": "tides_table", "reason": "UNKNOWN"}]
    sailor.search("tides_table", session_id="s")
    found = sailor.resolve(session_id="s")
    assert found["tool_names"] == ["toolSearch", "tides_table"]
    assert found["omitted"] == []
    assert found["tools"][1]["description"] == "The session's"


def b_R13_exported_names__of_the_catalog_stay_as_they_are(sailor: Agent) -> None:
    make_tool(sailor.tenant, "calendar.respond", "Answers an invitation")
    read(put(sailor, {"name": "calendar_respond", "description": "The session's answers"}))
    sailor.search("calendar_respond", session_id="s", max_results=1)
    answer = sailor.resolve(session_id="s", active_tools=["calendar.respond"], format="openai_chat")
    (exported,) = (key for key, name in answer["name_map"].items() if name == "calendar_respond")
    assert exported != "calendar_respond"
    snapshot = answer["snapshot"]["id"]
    (call,) = sailor.run_calls(says_calls(("c", exported, {})), snapshot_id=snapshot)["unhandled"]
    assert call["name"] == "calendar_respond"
    echoed = sailor.resolve(session_id="none", active_tools=["calendar_respond"], format="openai_chat")
    assert echoed["active_tools"] == ["calendar.respond"]


# Checked like any tool


@pytest.mark.parametrize(
    ("tool", "path", "code"),
    [
        ("x", "", "invalid"),
        ({"description": "no name"}, ".name", "required"),
        ({"name": ""}, ".name", "required"),
        ({"name": "a b"}, ".name", "bad_character"),
        ({"name": "a" * 129}, ".name", "too_long"),
        ({"name": "a", "inputSchema": {}}, ".inputSchema", "unknown_field"),
        ({"name": "a", "description": "d" * 4097}, ".description", "max_length"),
        ({"name": "a", "parameters": []}, ".parameters", "not_an_object"),
        ({"name": "a", "parameters": {"type": "string"}}, ".parameters.type", "root_not_object"),
        ({"name": "a", "parameters": {"$ref": "https://example.com/x"}}, ".parameters.$ref", None),
        ({"name": "a", "parameters": {"description": "d" * 66_000}}, ".parameters", "too_large"),
        ({"name": "a", "output_schema": 3}, ".output_schema", "not_an_object"),
        ({"name": "a", "annotations": []}, ".annotations", "invalid"),
    ],
)
def b_R13_bad_definition__is_told_by_its_path_and_nothing_is_saved(
    agent: Agent, tool: Any, path: str, code: str | None
) -> None:
    codes = codes_of(put(agent, TIDES, tool))
    assert f"tools[1]{path}" in codes
    assert code is None or codes[f"tools[1]{path}"] == code
    assert not Session.objects.exists()


def b_R13_every_bad_definition__is_told(agent: Agent) -> None:
    codes = codes_of(put(agent, {"name": "a b"}, TIDES, {"name": "b", "parameters": {"type": "array"}}))
    assert codes.keys() == {"tools[0].name", "tools[2].parameters.type"}


def b_R13_too_many_or_too_large__is_refused(agent: Agent) -> None:
    assert codes_of(put(agent, *({"name": f"t{n}"} for n in range(129)))) == {"tools": "too_many_tools"}
    read(put(agent, *({"name": f"t{n}"} for n in range(128))))
    large = [{"name": f"t{n}", "description": "d" * 4000} for n in range(70)]
    assert codes_of(put(agent, *large)) == {"tools": "too_large"}


def b_R13_body__is_checked_like_any_other(agent: Agent) -> None:
    assert codes_of(put(agent, profile="none")) == {"profile": "unknown_profile"}
    assert read_problem(put(agent, tenant="another"), 403)["code"] == "other_tenant"
    assert codes_of(agent.api.put("/sessions/s/tools", {})) == {"tools": "required"}
    assert codes_of(put(agent, session_id="x" * 201)) == {"session_id": "max_length"}
    assert put(Agent(agent.tenant, "curate"), TIDES).status_code == 403
    assert read(put(agent, TIDES, spare=1))["notices"][0]["code"] == "unknown_field"


def b_R13_ids__may_be_any_text(agent: Agent) -> None:
    for session_id in ("a/b", "tools", "a/tools", "会话"):
        read(put(agent, TIDES, session_id=session_id))
        assert agent.search("tides", session_id=session_id)["names"] == ["tides"]
        assert agent.api.delete(f"/sessions/{session_id}").status_code == 204
        assert agent.search("tides", session_id=session_id)["names"] == []


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
