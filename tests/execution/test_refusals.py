"""X1: a call of what was not shown is refused in words that tell nothing of what exists; none is dropped."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.support import edit_profile, edit_tool, make_group, make_profile, make_tenant
from toolcatalog.models import AgentProfile, Tool

from .agents import Agent, contents, says_calls
from .conftest import make_callback_tool

ADVICE = "Search for the tool first"


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    return make_profile(agent.tenant, resident_tools=("price",))


def b_X1_call_of_what_is_not_in_the_snapshot__error_that_advises_to_search(agent: Agent, profile: AgentProfile) -> None:
    answer = agent.run_calls(says_calls(("a", "echo", {})), snapshot_id=agent.snapshot())
    (text,) = contents(answer)
    assert ADVICE in text
    assert answer["results"][0]["status"] == "refused"
    assert answer["unhandled"] == []


def b_X1_whatever_the_cause__is_told_in_the_same_words(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType
) -> None:
    make_callback_tool(make_tenant("rival-of-x1"), "nothing")
    make_callback_tool(None, "rich", "Shared, never granted")
    Tool.objects.filter(owner=agent.tenant, name__in=["rich"]).delete()
    names = ["no_such_tool", "rich", "echo", "get_order", "price2"]
    edit_tool(Tool.objects.get(owner=agent.tenant, name="big"), status="disabled")
    answer = agent.run_calls(says_calls(*((name, name, {}) for name in [*names, "big"])), snapshot_id=agent.snapshot())
    assert len(set(contents(answer))) == 1
    told = str(answer["messages"][0]["content"])
    assert all(name not in told for name in Tool.objects.values_list("name", flat=True))
    assert [report["status"] for report in answer["results"]] == ["refused"] * 6
    assert callbacks.RUNS == []


def b_X1_gate_off__still_nothing_is_said_of_what_exists(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, execute_gate=False)
    make_callback_tool(None, "never_granted")
    edit_tool(Tool.objects.get(owner=agent.tenant, name="big"), status="disabled")
    calls = says_calls(*((name, name, {}) for name in ("ghost", "never_granted", "big")))
    assert len(set(contents(agent.run_calls(calls, snapshot_id=agent.snapshot())))) == 1
    without = agent.run_calls(says_calls(("1", "ghost", {}), ("2", "never_granted", {})))
    assert [call["name"] for call in without["unhandled"]] == ["ghost", "never_granted"]


def b_X1_nothing_can_be_searched_for__the_advice_names_no_search(agent: Agent) -> None:
    make_profile(agent.tenant, search={"enabled": False}, resident_tools=("price",))
    report = agent.run("echo", snapshot_id=agent.snapshot())
    assert report["status"] == "refused"
    assert "earch" not in report["result"]


@pytest.mark.parametrize(
    ("format_name", "message"),
    [
        (
            "anthropic",
            {
                "role": "assistant",
                "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}}],
            },
        ),
        (
            "openai_responses",
            [
                {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"type": "search"}},
                {"type": "mcp_call", "id": "mcp", "name": "echo", "server_label": "s", "arguments": "{}"},
            ],
        ),
    ],
    ids=["anthropic", "openai_responses"],
)
def b_X1_what_the_vendor_runs__is_left_alone(
    agent: Agent, profile: AgentProfile, format_name: str, message: Any
) -> None:
    answer = agent.run_calls(message, format=format_name, snapshot_id=agent.snapshot(format=format_name))
    assert (answer["messages"], answer["results"], answer["unhandled"]) == ([], [], [])


def b_X1_every_call_of_a_message__is_answered_or_unhandled(agent: Agent, profile: AgentProfile) -> None:
    make_group(agent.tenant, "orders", ["get_order"])
    own = {"name": "note", "description": "Writes", "parameters": {"type": "object", "properties": {}}}
    answer = agent.run_calls(
        says_calls(
            ("1", "get_order", {"orderNo": "A"}),
            ("2", "ghost", {}),
            ("3", "price", {"weight": 2}),
            ("4", "note", {"anything": 1}),
            ("5", "toolSearch", {"query": "parcel"}),
            ("6", "price", {"weight": "much"}),
        ),
        snapshot_id=agent.snapshot(tools=[own]),
    )
    assert [one["tool_call_id"] for one in answer["messages"]] == ["2", "3", "5", "6"]
    assert [one["status"] for one in answer["results"]] == ["refused", "ok", "ok", "error"]
    assert answer["unhandled"] == [
        {"call_id": "1", "name": "get_order", "exported_name": "get_order", "arguments": {"orderNo": "A"}},
        {"call_id": "4", "name": "note", "exported_name": "note", "arguments": {"anything": 1}},
    ]
