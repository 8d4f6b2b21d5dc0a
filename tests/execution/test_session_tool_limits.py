"""R13: whose the tools of a session are, which names they may have, and how they are checked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import codes_of, read_problem
from tests.support import fact, grant, make_group, make_profile, make_tenant, make_tool, set_tenant
from toolcatalog.contract.catalog import Eviction
from toolcatalog.models import Session

from .agents import Agent, read, says_calls
from .sailing import TIDES, put, sailor

__all__ = ["sailor"]


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
