"""T11, R9, scopes: searching needs `resolve` only, running needs `execute`, and where it is missing nothing runs."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.support import make_key, make_profile
from tests.support.catalog import edit_profile
from toolcatalog.models import Exposure, Session, Tool

from .agents import Agent, Auditor, contents, says_calls, searches


@pytest.fixture
def reader(agent: Agent) -> Agent:
    """An agent of the same tenant whose key may resolve and nothing else."""
    make_profile(agent.tenant, resident_tools=("echo",))
    return Agent(agent.tenant, "resolve")


def test_scope_resolve__search__is_enough(reader: Agent) -> None:
    assert contents(reader.run_calls(searches("status of an order"))) == [["get_order"]]


def test_scope_resolve__search_tools__is_enough(reader: Agent) -> None:
    answer = reader.run_calls(
        says_calls(("s", "search_tools", {"query": "status of an order"})),
        snapshot_id=reader.snapshot(disclosure="meta"),
    )
    assert answer["results"][0]["result"]["found"] == 1


@pytest.mark.parametrize(
    "calls",
    [
        [("1", "echo", {"value": 1})],
        [("0", "toolSearch", {"query": "order"}), ("1", "echo", {"value": 1})],
        [("0", "toolSearch", {"query": "order"}), ("1", "get_order", {"orderNo": "A"})],
        [("0", "toolSearch", {"query": "order"}), ("1", "ghost", {})],
    ],
    ids=["tool", "search and tool", "search and tool of the caller", "search and unknown"],
)
def test_scope_resolve__anything_else__403_with_nothing_run(
    reader: Agent, callbacks: ModuleType, calls: list[tuple[str, str, object]]
) -> None:
    snapshot = reader.snapshot(session_id="s-1")
    before = Exposure.objects.count()
    answer = reader.send_calls(says_calls(*calls), snapshot_id=snapshot, session_id="s-1")
    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert callbacks.RUNS == []
    assert Exposure.objects.count() == before
    assert not Session.objects.exclude(turns=[]).exists()
    rows = Auditor(reader.tenant).calls()
    assert [(row["outcome"], row["code"]) for row in rows] == [("refused", "missing_scope")] * len(calls)
    assert rows[0]["api_key"]["name"] == "tests"


def test_scope_resolve__execute_dynamic_tool__403(reader: Agent, callbacks: ModuleType) -> None:
    message = says_calls(("x", "execute_dynamic_tool", {"tool_name": "echo", "tool_input": {}}))
    answer = reader.send_calls(message, snapshot_id=reader.snapshot(disclosure="meta"))
    assert answer.status_code == 403
    assert callbacks.RUNS == []


def test_scope_resolve__execute__403(reader: Agent, callbacks: ModuleType) -> None:
    assert reader.send_execute("echo", {}, snapshot_id=reader.snapshot()).status_code == 403
    assert callbacks.RUNS == []


@pytest.mark.parametrize("scope", ["curate", "audit", "manage"])
def test_scope_of_others__403(agent: Agent, scope: str) -> None:
    other = Agent(agent.tenant, scope)
    assert other.send_calls(searches("order")).status_code == 403
    assert other.send_execute("echo", {}).status_code == 403


def test_key_of_some_profiles__runs_within_them_only(agent: Agent) -> None:
    make_profile(agent.tenant, resident_tools=("echo",))
    make_profile(agent.tenant, "other", resident_tools=("echo",))
    snapshot = agent.snapshot()
    limited = Agent(agent.tenant)
    limited.api.key = make_key(agent.tenant, "resolve", "execute", profiles=["other"]).secret
    assert limited.send_execute("echo", {}, snapshot_id=snapshot).status_code == 422
    assert limited.send_calls(says_calls(("a", "echo", {})), snapshot_id=snapshot).status_code == 422


# T11


def b_T11_entry_tool__runs_no_tool_and_changes_none(agent: Agent, callbacks: ModuleType, auditor: Auditor) -> None:
    before = list(Tool.objects.order_by("pk").values())
    answer = agent.run_calls(searches("echo", "price", "nothing", "fails"))
    assert all(isinstance(found, list) and found for found in contents(answer))
    assert callbacks.RUNS == []
    assert list(Tool.objects.order_by("pk").values()) == before
    assert auditor.calls() == []
    assert agent.api.get("/tools/popular").json()["results"] == []


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({}, "words"),
        ({"query": None}, "words"),
        ({"query": " \u200b"}, "words"),
        ({"query": 5}, "text"),
        ({"query": "order", "maxResults": 0}, "maxResults"),
        ({"query": "order", "maxResults": "many"}, "maxResults"),
        ({"query": "order", "category": 5}, "category"),
    ],
)
def b_T7_T8_wrong_search__is_a_text_for_the_model_by_the_names_it_knows(
    agent: Agent, given: dict[str, object], word: str
) -> None:
    answer = agent.run_calls(says_calls(("s", "toolSearch", given)))
    assert answer["results"][0]["status"] == "error"
    (told,) = contents(answer)
    assert isinstance(told, str)
    assert word in told
    assert "max_results" not in told


def b_T10_result_for_the_model__is_an_array_of_names(agent: Agent) -> None:
    assert contents(agent.run_calls(searches("status of an order", "quantum chromodynamics"))) == [["get_order"], []]


# R9


def b_R9_one_message__is_one_turn(agent: Agent) -> None:
    agent.run_calls(searches("status of an order", "cost of a parcel", maxResults=1), session_id="s-1")
    assert agent.resolve(session_id="s-1")["active_tools"] == ["get_order", "price"]
    agent.run_calls(searches("takes a nap naps", maxResults=1), session_id="s-1")
    assert agent.resolve(session_id="s-1")["active_tools"] == ["naps"]
    assert agent.resolve(session_id="s-1", exposure_policy="accumulate")["active_tools"] == [
        "get_order",
        "price",
        "naps",
    ]


def b_R9_latest_call__is_the_last_search_of_the_message(agent: Agent) -> None:
    agent.run_calls(searches("status of an order", "cost of a parcel", maxResults=1), session_id="s-1")
    assert agent.resolve(session_id="s-1", exposure_policy="latest_call")["active_tools"] == ["price"]


def b_R9_search_in_words_and_in_a_message__are_alike(agent: Agent) -> None:
    agent.run_calls(searches("status of an order"), session_id="s-1")
    agent.search("cost of a parcel", session_id="s-1", max_results=1)
    assert agent.resolve(session_id="s-1")["active_tools"] == ["price"]


def b_R10_search_that_failed__leaves_the_session_as_it_was_and_an_empty_one_clears_it(agent: Agent) -> None:
    agent.run_calls(searches("status of an order"), session_id="s-1")
    agent.run_calls(searches(""), session_id="s-1")
    assert agent.resolve(session_id="s-1")["active_tools"] == ["get_order"]
    agent.run_calls(says_calls(("a", "my_own", {})), session_id="s-1")
    assert agent.resolve(session_id="s-1")["active_tools"] == ["get_order"]
    agent.run_calls(searches("quantum chromodynamics"), session_id="s-1")
    assert agent.resolve(session_id="s-1")["active_tools"] == []


def b_R9_conversation_id_alone__makes_no_session(agent: Agent) -> None:
    agent.run_calls(searches("status of an order"), context={"conversation_id": "c-1"})
    assert not Session.objects.exists()
    assert agent.resolve(context={"conversation_id": "c-1"})["active_tools"] == []


def b_R9_another_key_of_the_tenant__has_the_same_session(agent: Agent) -> None:
    agent.run_calls(searches("cost of a parcel", maxResults=1), session_id="s-1")
    assert Agent(agent.tenant).execute("price", {"weight": 1}, session_id="s-1")["status"] == "ok"


def test_entry_tool_of_another_name__is_read(agent: Agent) -> None:
    edit_profile(make_profile(agent.tenant), search={"entry_tool": "find.tool"})
    assert contents(agent.run_calls(says_calls(("a", "find.tool", {"query": "status of an order"})))) == [["get_order"]]
    message = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "a", "name": "find_tool", "input": {"query": "status of an order"}}],
    }
    answer = agent.run_calls(message, format="anthropic")
    assert answer["results"][0]["result"] == ["get_order"]
