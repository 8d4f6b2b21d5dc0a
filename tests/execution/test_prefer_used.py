"""Search that prefers what a tenant's calls used with success: off by default, told by `explain`, each tenant alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import edit_tool, grant, make_profile, make_tenant, make_tool, set_tenant
from toolcatalog.models import Tenant, Tool

from .agents import Agent, Auditor, contents, read, says_calls, searches
from .conftest import make_callback_tool
from .sailing import put

QUERY = "send a parcel by air"
NAMES = ["air_one", "air_two", "air_zoo"]
"""The callback tools that fit the query equally well, in the order of their names."""

CALLBACKS = {"air_one": "post.echo", "air_two": "post.nothing", "air_zoo": "post.fails"}


@pytest.fixture
def airline(agent: Agent) -> Agent:
    """An agent whose profile prefers used tools, with three tools that fit as well; the last one always fails."""
    make_planes(agent.tenant)
    prefer(agent.tenant)
    return agent


def make_planes(owner: Tenant | None) -> None:
    for name, callback in CALLBACKS.items():
        make_tool(owner, name, "Sends a parcel by air", execution="callback", callback=callback)


def prefer(tenant: Tenant, *, used: bool = True, **search: Any) -> None:
    make_profile(tenant, execute_gate=False, search={"prefer_used": used, "default_results": 3, **search})


def find(agent: Agent, query: str = QUERY, **body: Any) -> list[str]:
    names: list[str] = agent.search(query, **body)["names"]
    return names


def places(agent: Agent, **body: Any) -> Any:
    """What `explain` tells of use."""
    return agent.search(QUERY, explain=True, **body)["explanation"].get("used")


def test_prefer_used__calls_that_went_well__put_their_tool_first_in_the_next_search(airline: Agent) -> None:
    assert find(airline) == NAMES
    airline.execute("air_two")
    assert find(airline) == ["air_two", "air_one", "air_zoo"]
    airline.run_calls(says_calls(("1", "air_one", {}), ("2", "air_one", {"value": 2})))
    assert find(airline) == NAMES


def test_prefer_used__calls_that_failed__do_not_count(airline: Agent) -> None:
    for _ in range(3):
        airline.run("air_zoo")
    assert find(airline) == NAMES
    assert places(airline) is None


def test_prefer_used__off__is_the_default_and_changes_nothing(airline: Agent) -> None:
    make_profile(airline.tenant, execute_gate=False)
    before = airline.search(QUERY, explain=True)
    airline.execute("air_two")
    assert {**airline.search(QUERY, explain=True), "snapshot": None} == {**before, "snapshot": None}
    assert "used" not in before["explanation"]


def test_prefer_used__without_any_use__answers_as_without_it(airline: Agent) -> None:
    answers = {query: airline.search(query, max_results=20) for query in (QUERY, "parcel", "price", "prise", "echo")}
    prefer(airline.tenant, used=False)
    assert {query: airline.search(query, max_results=20) for query in answers} == answers


def test_prefer_used__of_another_tenant__changes_nothing(airline: Agent) -> None:
    """Neither a tool of the same name nor the same shared tool."""
    make_tool(None, "air_abc", "Sends a parcel by air", execution="callback", callback="post.echo")
    grant(airline.tenant, "air_abc")
    rival = Agent(make_tenant())
    make_planes(rival.tenant)
    grant(rival.tenant, "air_abc")
    prefer(rival.tenant)
    before = find(airline)
    for _ in range(3):
        rival.execute("air_two")
        rival.execute("air_abc")
    assert find(airline) == before
    assert find(rival)[:2] == ["air_abc", "air_two"]
    assert places(airline) is None


def test_prefer_used__shared_tool__counts_for_the_tenant_that_called_it(airline: Agent) -> None:
    make_tool(None, "air_zzz", "Sends a parcel by air", execution="callback", callback="post.echo")
    grant(airline.tenant, "air_zzz")
    assert "air_zzz" not in find(airline)
    airline.execute("air_zzz")
    assert find(airline)[0] == "air_zzz"


def b_T14_exact_name__stays_first_however_much_others_are_used(airline: Agent) -> None:
    for _ in range(3):
        airline.execute("air_two")
    assert find(airline, "air_one")[0] == "air_one"
    assert find(airline, "AirZoo")[0] == "air_zoo"


def test_prefer_used__explain__tells_uses_and_the_place_without_them(airline: Agent) -> None:
    for _ in range(2):
        airline.execute("air_two")
    assert places(airline) == {"air_two": {"successes": 2, "place_without": 2}}
    assert places(airline, max_results=1) == {"air_two": {"successes": 2, "place_without": 2}}
    assert "explanation" not in airline.search(QUERY)


def test_prefer_used__tool_from_beyond_the_places__rises_into_one(airline: Agent) -> None:
    for animal in ("bee", "cat", "cow", "dog", "eel", "fox", "hen", "owl", "pig", "rat"):
        make_callback_tool(airline.tenant, f"air_{animal}", "Sends a parcel by air", callback="post.echo")
    assert find(airline, max_results=20).index("air_two") == 11
    airline.execute("air_two")
    assert find(airline, max_results=2) == ["air_two", "air_bee"]
    assert places(airline, max_results=1) == {"air_two": {"successes": 1, "place_without": 12}}


def b_S12_minimum_score__leaves_out_what_fits_too_little_however_used(airline: Agent) -> None:
    found = {hit["name"]: hit["score"] for hit in airline.search(QUERY, max_results=20)["results"]}
    airline.execute("price", {"weight": 1})
    assert min(found.values()) < found["air_one"]
    prefer(airline.tenant, min_score=found["air_one"])
    airline.execute("air_two")
    answer = airline.search(QUERY, max_results=20)
    assert answer["names"] == ["air_two", "air_one", "air_zoo"]
    assert [hit["score"] for hit in answer["results"]] == [found["air_one"]] * 3, "how well it fits, whatever its use"


def b_X8_deprecated_tool__comes_after_equals_however_used(airline: Agent) -> None:
    for _ in range(3):
        airline.execute("air_one")
    airline.execute("air_two")
    edit_tool(Tool.objects.get(name="air_one"), status="deprecated")
    assert find(airline) == ["air_two", "air_zoo", "air_one"]
    assert list(places(airline)) == ["air_two"]


def test_prefer_used__for_the_model__in_tool_calls_and_in_meta_mode(airline: Agent) -> None:
    airline.execute("air_two")
    assert contents(airline.run_calls(searches(QUERY))) == [["air_two", "air_one", "air_zoo"]]
    make_profile(airline.tenant, disclosure="meta", execute_gate=False, search={"prefer_used": True})
    (found,) = contents(airline.run_calls(says_calls(("s", "search_tools", {"query": QUERY, "max_results": 2}))))
    assert [tool["name"] for tool in found["tools"]] == ["air_two", "air_one"]


def b_R13_tools_of_a_session__are_found_beside_used_ones_and_have_no_use(airline: Agent) -> None:
    put(airline, {"name": "air_kite", "description": "Sends a parcel by air"})
    before = find(airline, session_id="s", max_results=20)
    assert "air_kite" in before
    airline.execute("air_two")
    after = find(airline, session_id="s", max_results=20)
    assert after[0] == "air_two"
    assert sorted(after) == sorted(before)
    assert list(places(airline, session_id="s")) == ["air_two"]


def test_prefer_used__replay_of_what_was_found__is_not_moved_by_later_use(airline: Agent, auditor: Auditor) -> None:
    set_tenant(airline.tenant, text_policy="full")
    airline.execute("air_two")
    asked = searches(QUERY, maxResults=1)
    messages = [{"role": "user", "content": "hello"}, asked, *airline.run_calls(asked)["messages"]]
    shown = airline.resolve(messages=messages)
    assert shown["active_tools"] == ["air_two"]
    for _ in range(3):
        airline.execute("air_one")
    assert find(airline)[0] == "air_one"
    told = read(auditor.api.call("POST", f"/exposures/{shown['snapshot']['id']}/replay"))
    assert told["same"] is True
