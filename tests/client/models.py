"""Models that say what a test wants, in the vendors' wire formats, and complain as the vendors do."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from .servers import Answer, Received


@dataclass(frozen=True)
class Say:
    """The model answers."""

    text: str


@dataclass(frozen=True)
class Call:
    """One call of a tool. `name` None stands for the first name that the latest search found."""

    name: str | None
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Calls:
    """The model calls tools."""

    calls: tuple[Call, ...]


Turn = Say | Calls


def call(name: str | None, **arguments: Any) -> Calls:
    """The model calls one tool."""
    return Calls((Call(name, arguments),))


class RefusedRequest(Exception):
    """The vendor would answer with a 400."""


@dataclass
class Model(ABC):
    """A scripted model. It calls only tools that it was given; the last turn is repeated."""

    script: Sequence[Turn]
    requests: list[dict[str, Any]] = field(default_factory=list)
    format = ""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The raw answer of the vendor. Raises RefusedRequest."""
        self.check(request)
        self.requests.append(request)
        number = len(self.requests)
        turn = self.script[min(number, len(self.script)) - 1]
        if isinstance(turn, Say):
            return self.write_text(turn.text)
        calls = [(f"call-{number}-{place}", *self._fill(request, one)) for place, one in enumerate(turn.calls)]
        return self.write_calls(calls)

    def __call__(self, **request: Any) -> dict[str, Any]:
        """The same for callers without HTTP."""
        return self.answer(json.loads(json.dumps(request)))

    def respond(self, received: Received) -> Answer:
        """The same over HTTP."""
        try:
            return Answer(body=self.answer(received.body))
        except RefusedRequest as refusal:
            return Answer(400, {"error": {"type": "invalid_request_error", "message": str(refusal)}})

    @property
    def tool_names(self) -> list[list[str]]:
        """The tools of each request."""
        return [self.list_tools(request) for request in self.requests]

    def _fill(self, request: dict[str, Any], one: Call) -> tuple[str, dict[str, Any]]:
        given = self.list_tools(request)
        name = given[-1] if one.name is None else one.name
        if name not in given:
            raise RefusedRequest(f"the script calls {name}, and the tools are {given}")
        return name, one.arguments

    @abstractmethod
    def check(self, request: dict[str, Any]) -> None:
        """Raise RefusedRequest where the vendor would refuse the conversation."""

    @abstractmethod
    def list_tools(self, request: dict[str, Any]) -> list[str]:
        """The names of the tools, found ones last."""

    @abstractmethod
    def write_text(self, text: str) -> dict[str, Any]:
        """An answer."""

    @abstractmethod
    def write_calls(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        """Calls, each of id, name and arguments."""

    @abstractmethod
    def results(self, request: dict[str, Any]) -> list[Any]:
        """What the answers to calls in a request say, oldest first, as JSON where they are."""


def need_answers(open_calls: list[str], answered: list[str], where: str) -> None:
    """Every call is answered once, at once."""
    if sorted(open_calls) != sorted(answered):
        raise RefusedRequest(f"{where}: the calls {open_calls} were answered by {answered}")


class ChatModel(Model):
    """OpenAI Chat Completions."""

    format = "openai_chat"

    def check(self, request: dict[str, Any]) -> None:
        open_calls: list[str] = []
        answered: list[str] = []
        for message in request["messages"]:
            if message["role"] == "tool":
                answered.append(message["tool_call_id"])
                if not isinstance(message["content"], str | list):
                    raise RefusedRequest("a tool's content is no text")
                continue
            need_answers(open_calls, answered, "messages")
            open_calls, answered = [one["id"] for one in message.get("tool_calls") or []], []
            if message.get("content") is None and not open_calls:
                raise RefusedRequest("a message without content and calls")
        need_answers(open_calls, answered, "messages")

    def list_tools(self, request: dict[str, Any]) -> list[str]:
        return [tool["function"]["name"] for tool in request.get("tools", [])]

    def write_text(self, text: str) -> dict[str, Any]:
        return self._complete({"role": "assistant", "content": text, "refusal": None, "annotations": []}, "stop")

    def write_calls(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        entries = [
            {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for id_, name, arguments in calls
        ]
        message = {"role": "assistant", "content": None, "refusal": None, "annotations": [], "tool_calls": entries}
        return self._complete(message, "tool_calls")

    def results(self, request: dict[str, Any]) -> list[Any]:
        return [_open(m["content"]) for m in request["messages"] if m["role"] == "tool"]

    def _complete(self, message: dict[str, Any], reason: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{len(self.requests)}",
            "object": "chat.completion",
            "created": 1767225600,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


class ResponsesModel(Model):
    """OpenAI Responses."""

    format = "openai_responses"

    def check(self, request: dict[str, Any]) -> None:
        items = request["input"]
        calls = [item["call_id"] for item in items if item.get("type") == "function_call"]
        outputs = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
        need_answers(calls, outputs, "input")

    def list_tools(self, request: dict[str, Any]) -> list[str]:
        return [tool["name"] for tool in request.get("tools", [])]

    def write_text(self, text: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": text, "annotations": []}
        return self._complete(
            [{"type": "message", "id": "m", "status": "completed", "role": "assistant", "content": [part]}]
        )

    def write_calls(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        reasoning: dict[str, Any] = {
            "type": "reasoning",
            "id": "rs",
            "summary": [],
            "encrypted_content": "abc",
            "status": None,
        }
        items = [
            {
                "type": "function_call",
                "id": f"fc-{id_}",
                "call_id": id_,
                "name": name,
                "arguments": json.dumps(arguments),
                "status": "completed",
            }
            for id_, name, arguments in calls
        ]
        return self._complete([reasoning, *items])

    def results(self, request: dict[str, Any]) -> list[Any]:
        return [_open(item["output"]) for item in request["input"] if item.get("type") == "function_call_output"]

    def _complete(self, output: list[Any]) -> dict[str, Any]:
        return {
            "id": f"resp-{len(self.requests)}",
            "object": "response",
            "created_at": 1767225600,
            "model": "scripted",
            "status": "completed",
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "temperature": 1.0,
            "top_p": 1.0,
        }


class AnthropicModel(Model):
    """Anthropic Messages."""

    format = "anthropic"

    def check(self, request: dict[str, Any]) -> None:
        roles = [message["role"] for message in request["messages"]]
        if set(roles) - {"user", "assistant"} or any(a == b == "assistant" for a, b in pairwise(roles)):
            raise RefusedRequest(f"roles must alternate: {roles}")
        open_calls: list[str] = []
        for message in request["messages"]:
            blocks = message["content"] if isinstance(message["content"], list) else []
            if not message["content"]:
                raise RefusedRequest("messages must have non-empty content")
            answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
            need_answers(open_calls, answered, "messages")
            open_calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        need_answers(open_calls, [], "messages")

    def list_tools(self, request: dict[str, Any]) -> list[str]:
        return [tool["name"] for tool in request.get("tools", [])]

    def write_text(self, text: str) -> dict[str, Any]:
        return self._complete([{"type": "text", "text": text, "citations": None}], "end_turn")

    def write_calls(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        blocks = [{"type": "tool_use", "id": id_, "name": name, "input": arguments} for id_, name, arguments in calls]
        return self._complete([{"type": "text", "text": "One moment.", "citations": None}, *blocks], "tool_use")

    def results(self, request: dict[str, Any]) -> list[Any]:
        return [
            _open(block["content"])
            for message in request["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
            if block["type"] == "tool_result"
        ]

    def _complete(self, content: list[Any], reason: str) -> dict[str, Any]:
        return {
            "id": f"msg-{len(self.requests)}",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }


class GeminiModel(Model):
    """Gemini's generateContent. Its calls have no ids."""

    format = "gemini"

    def check(self, request: dict[str, Any]) -> None:
        open_calls: list[str] = []
        for content in request["contents"]:
            answered = [part["functionResponse"]["name"] for part in content["parts"] if "functionResponse" in part]
            need_answers(open_calls, answered, "contents")
            open_calls = [part["functionCall"]["name"] for part in content["parts"] if "functionCall" in part]
        need_answers(open_calls, [], "contents")

    def list_tools(self, request: dict[str, Any]) -> list[str]:
        config = request.get("config", request)
        return [
            declaration["name"]
            for tool in config.get("tools", [])
            for declaration in tool.get("functionDeclarations", [])
        ]

    def write_text(self, text: str) -> dict[str, Any]:
        return self._complete([{"text": text}])

    def write_calls(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        thought = {"text": "thinking", "thought": True}
        signed = [
            {"functionCall": {"name": name, "args": arguments}, "thoughtSignature": "aGVsbG8="}
            for _, name, arguments in calls
        ]
        return self._complete([thought, *signed])

    def results(self, request: dict[str, Any]) -> list[Any]:
        return [
            part["functionResponse"]["response"].get("output", part["functionResponse"]["response"].get("error"))
            for content in request["contents"]
            for part in content["parts"]
            if "functionResponse" in part
        ]

    def _complete(self, parts: list[Any]) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}]}


MODELS: tuple[type[Model], ...] = (ChatModel, ResponsesModel, AnthropicModel, GeminiModel)


def _open(content: Any) -> Any:
    """What stands in a text, as JSON where it is JSON."""
    try:
        return json.loads(content)
    except ValueError:
        return content
