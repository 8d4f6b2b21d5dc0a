"""Models that say what a test wants, in the vendors' wire formats, and complain as the vendors do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from .scripted import Call, Calls, Model, RefusedRequest, Say, call, need_answers, open_text

__all__ = [
    "MODELS",
    "AnthropicModel",
    "BedrockModel",
    "Call",
    "Calls",
    "ChatModel",
    "GeminiModel",
    "Model",
    "RefusedRequest",
    "ResponsesModel",
    "Say",
    "call",
]


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
        return [open_text(m["content"]) for m in request["messages"] if m["role"] == "tool"]

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
        return [open_text(item["output"]) for item in request["input"] if item.get("type") == "function_call_output"]

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
            open_text(block["content"])
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


class BedrockModel(Model):
    """Bedrock's Converse."""

    format = "bedrock"

    def check(self, request: dict[str, Any]) -> None:
        open_calls: list[str] = []
        for message in request["messages"]:
            if not message["content"] or any(block.get("text", "x").strip() == "" for block in message["content"]):
                raise RefusedRequest("a message without content, or a blank text")
            answered = [block["toolResult"]["toolUseId"] for block in message["content"] if "toolResult" in block]
            need_answers(open_calls, answered, "messages")
            open_calls = [block["toolUse"]["toolUseId"] for block in message["content"] if "toolUse" in block]
        need_answers(open_calls, [], "messages")
        if not all(isinstance(block, dict) for block in request.get("system", [])):
            raise RefusedRequest("system is no list of blocks")

    def list_tools(self, request: dict[str, Any]) -> list[str]:
        return [tool["toolSpec"]["name"] for tool in request.get("toolConfig", {}).get("tools", [])]

    def results(self, request: dict[str, Any]) -> list[Any]:
        contents = [
            block["toolResult"]["content"][0]
            for message in request["messages"]
            for block in message["content"]
            if "toolResult" in block
        ]
        return [content["json"] if "json" in content else open_text(content["text"]) for content in contents]

    def write_text(self, text: str) -> dict[str, Any]:
        return self._complete([{"text": text}], "end_turn")

    def write_calls(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        uses = [{"toolUse": {"toolUseId": id_, "name": name, "input": given}} for id_, name, given in calls]
        return self._complete([{"text": "One moment."}, *uses], "tool_use")

    def _complete(self, content: list[Any], reason: str) -> dict[str, Any]:
        usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        message = {"role": "assistant", "content": content}
        return {"output": {"message": message}, "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}}


MODELS: tuple[type[Model], ...] = (ChatModel, ResponsesModel, AnthropicModel, GeminiModel, BedrockModel)
