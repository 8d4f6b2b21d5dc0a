"""Conversations in native disclosure, in the forms of the vendors that have one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .agents import Agent


class Talk:
    """A conversation in native disclosure, in one vendor's form; `session_id` names its session, if it has one."""

    def __init__(self, agent: Agent, format_name: str, session_id: str | None = None) -> None:
        self.agent = agent
        self.session = {} if session_id is None else {"session_id": session_id}
        self.format = format_name
        self.messages: list[Any] = [USER[format_name]("hello")]
        self.answer: dict[str, Any] = {}

    def resolve(self, **body: Any) -> dict[str, Any]:
        """The next resolve."""
        self.answer = self.agent.resolve(
            messages=self.messages, format=self.format, **{"disclosure": "native", **self.session, **body}
        )
        return self.answer

    def call(self, name: str, given: Any, call_id: str) -> dict[str, Any]:
        """The model calls a tool; its answer joins the conversation."""
        message = CALL[self.format](name, given, call_id)
        snapshot = self.answer["snapshot"]["id"]
        done = self.agent.run_calls(message, format=self.format, snapshot_id=snapshot, **self.session)
        self.messages += [*(message if isinstance(message, list) else [message]), *done["messages"]]
        return done

    def search(self, query: str, call_id: str = "s-1", **more: Any) -> Any:
        """The model searches; what it reads as the answer."""
        name = "tool_search" if self.format == "openai_responses" else "toolSearch"
        (message,) = self.call(name, {"query": query, **more}, call_id)["messages"]
        return message["content"][0]["content"] if self.format == "anthropic" else message.get("result", message)

    @property
    def tools(self) -> list[dict[str, Any]]:
        return list(self.answer["request"]["tools"])


def _call_responses(name: str, given: Any, call_id: str) -> list[Any]:
    if name == "tool_search":
        call = {"type": "tool_search_call", "execution": "client", "arguments": given, "status": "completed"}
        return [{**call, "id": f"ts-{call_id}", "call_id": call_id}]
    return [{"type": "function_call", "call_id": call_id, "name": name, "arguments": json.dumps(given)}]


USER: dict[str, Any] = {
    "anthropic": lambda text: {"role": "user", "content": text},
    "openai_responses": lambda text: {"role": "user", "content": text},
    "gemini": lambda text: {"type": "user_input", "content": [{"type": "text", "text": text}]},
}
CALL: dict[str, Any] = {
    "anthropic": lambda name, given, call_id: {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": call_id, "name": name, "input": given}],
    },
    "openai_responses": _call_responses,
    "gemini": lambda name, given, call_id: [{"type": "function_call", "id": call_id, "name": name, "arguments": given}],
}


def names(tools: Sequence[dict[str, Any]]) -> list[str]:
    return [tool.get("name") or tool["type"] for tool in tools]
