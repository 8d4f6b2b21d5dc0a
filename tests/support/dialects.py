"""Conversations in the message forms of several vendors, and the system text and tools of what is sent to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import orjson

from toolcatalog.contract.resolve import ResolveAnswer

Message = dict[str, Any]
Call = tuple[str, str]
"""Id and name of a call."""


class Dialect(ABC):
    """How one vendor writes a conversation. `format` is the name of the format to ask for."""

    format: str

    def user(self, text: str) -> Message:
        """What a person says."""
        return {"role": "user", "content": text}

    def assistant(self, text: str) -> Message:
        """What the model says."""
        return {"role": "assistant", "content": text}

    def search(self, *names: str, call_id: str = "call-1", entry: str = "toolSearch") -> list[Message]:
        """A search and its answer."""
        return [self.calls((call_id, entry)), *self.answers((call_id, list(names)))]

    @abstractmethod
    def calls(self, *calls: Call) -> Message:
        """One message of the model with these calls."""

    @abstractmethod
    def answers(self, *answers: tuple[str, Any]) -> list[Message]:
        """The messages that answer calls, by id: text stays text, everything else is written as JSON."""

    @abstractmethod
    def system(self, answer: ResolveAnswer) -> Any:
        """The system text that the vendor is sent, or None."""

    @abstractmethod
    def tool_names(self, answer: ResolveAnswer) -> list[str]:
        """The exported names of the tools that the vendor is sent."""

    def __repr__(self) -> str:
        return self.format


class _Chat(Dialect):
    """The messages of OpenAI Chat."""

    def calls(self, *calls: Call) -> Message:
        entries = [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": '{"query": "?"}'}}
            for call_id, name in calls
        ]
        return {"role": "assistant", "content": None, "tool_calls": entries}

    def answers(self, *answers: tuple[str, Any]) -> list[Message]:
        return [{"role": "tool", "tool_call_id": call_id, "content": _text(value)} for call_id, value in answers]

    def system(self, answer: ResolveAnswer) -> Any:
        assert answer.request is not None
        messages: Any = answer.request["messages"]
        return next((message["content"] for message in messages if message["role"] == "system"), None)


class OpenAIChat(_Chat):
    format = "openai_chat"

    def tool_names(self, answer: ResolveAnswer) -> list[str]:
        return [tool["function"]["name"] for tool in _tools(answer)]


class Generic(_Chat):
    format = "generic"

    def tool_names(self, answer: ResolveAnswer) -> list[str]:
        return [tool["name"] for tool in _tools(answer)]


class Anthropic(Dialect):
    format = "anthropic"

    def calls(self, *calls: Call) -> Message:
        blocks = [{"type": "tool_use", "id": call_id, "name": name, "input": {"query": "?"}} for call_id, name in calls]
        return {"role": "assistant", "content": [{"type": "text", "text": "One moment."}, *blocks]}

    def answers(self, *answers: tuple[str, Any]) -> list[Message]:
        blocks = [
            {"type": "tool_result", "tool_use_id": call_id, "content": _text(value)} for call_id, value in answers
        ]
        return [{"role": "user", "content": blocks}]

    def system(self, answer: ResolveAnswer) -> Any:
        assert answer.request is not None
        return answer.request.get("system")

    def tool_names(self, answer: ResolveAnswer) -> list[str]:
        return [tool["name"] for tool in _tools(answer)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _tools(answer: ResolveAnswer) -> Sequence[Any]:
    assert answer.request is not None
    tools: list[Any] = orjson.loads(orjson.dumps(answer.request.get("tools", [])))
    return tools


OPENAI_CHAT = OpenAIChat()
ANTHROPIC = Anthropic()
GENERIC = Generic()
DIALECTS: tuple[Dialect, ...] = (OPENAI_CHAT, ANTHROPIC, GENERIC)
