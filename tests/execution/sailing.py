"""A session with tools of its own: those of somebody who goes to sea."""

from __future__ import annotations

from typing import Any

import pytest

from .agents import Agent, read

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
