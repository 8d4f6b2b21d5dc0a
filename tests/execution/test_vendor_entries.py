"""Calls of tools that the vendor names and the caller runs: they come back to the caller, never to the catalog."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import make_profile

from .agents import Agent

CALLS: dict[str, tuple[str, Any, Any]] = {
    "bash": (
        "anthropic",
        {"type": "bash_20250124", "name": "bash"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "bash", "input": {"command": "ls"}}]},
    ),
    "browser": (
        "anthropic",
        {"type": "browser_toolset_20260801"},
        {
            "role": "assistant",
            "content": [
                {
                    "type": "tool_use",
                    "id": "c",
                    "name": "find",
                    "input": {"command": "ls"},
                    "toolset_name": "browser",
                }
            ],
        },
    ),
    "custom": (
        "openai_responses",
        {"type": "custom", "name": "sql"},
        [{"type": "custom_tool_call", "call_id": "c", "name": "sql", "input": "select 1"}],
    ),
    "custom in chat": (
        "openai_chat",
        {"type": "custom", "custom": {"name": "sql"}},
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "sql", "input": "x"}}]},
    ),
}


@pytest.mark.parametrize("case", CALLS)
@pytest.mark.parametrize("by", ["snapshot", "session"])
def test_call_of_a_vendors_tool_that_the_caller_runs__comes_back_unhandled(agent: Agent, case: str, by: str) -> None:
    format_name, entry, message = CALLS[case]
    make_profile(agent.tenant, resident_tools=("nothing",))
    answer = agent.resolve(format=format_name, tools=[entry], session_id="s-1")
    evidence = {"snapshot_id": answer["snapshot"]["id"]} if by == "snapshot" else {"session_id": "s-1"}
    done = agent.run_calls(message, format=format_name, **evidence)
    assert (done["messages"], done["results"]) == ([], [])
    assert [call["call_id"] for call in done["unhandled"]] == ["c"]
    assert done["unhandled"][0]["arguments"]


@pytest.mark.parametrize("case", ["browser", "custom", "custom in chat"])
def test_call_of_a_vendors_tool__is_never_taken_for_the_catalogs(agent: Agent, case: str) -> None:
    """A member of a toolset may have any name."""
    format_name, entry, message = CALLS[case]
    make_profile(agent.tenant, resident_tools=("price",))
    answer = agent.resolve(format=format_name, tools=[entry])
    text = json.dumps(message).replace("find", "price").replace("sql", "price")
    done = agent.run_calls(json.loads(text), format=format_name, snapshot_id=answer["snapshot"]["id"])
    assert done["results"] == []
    assert [call["name"] for call in done["unhandled"]] == ["price"]
    assert done["unhandled"][0]["arguments"] in ({"command": "ls"}, {"input": "select 1"}, {"input": "x"})
