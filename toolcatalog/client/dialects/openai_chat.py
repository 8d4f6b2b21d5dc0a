"""OpenAI Chat Completions, and the many services that speak the same language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolcatalog.client.answers import UnhandledCall
from toolcatalog.client.errors import UnreadableReply
from toolcatalog.client.plain import dump_text

from .base import (
    ASSISTANT,
    OTHER,
    SYSTEM,
    SYSTEM_ROLES,
    TOOL,
    USER,
    CallName,
    Dialect,
    Message,
    ModelReply,
    Outline,
    choose_id,
    drop_parsed,
    keep_text_parts,
    list_objects,
    need_mapping,
    read_text,
)

_ROLES = {"user": USER, "assistant": ASSISTANT, "tool": TOOL, "function": TOOL, **dict.fromkeys(SYSTEM_ROLES, SYSTEM)}


class OpenAIChat(Dialect):
    """Messages with `tool_calls`, answered by one tool message each; the system prompt is a message."""

    formats = ("openai_chat", "generic")

    def has_marks(self, message: Mapping[str, Any]) -> bool:
        return "tool_calls" in message or "function_call" in message or message.get("role") in ("tool", "function")

    def outline(self, message: Mapping[str, Any]) -> Outline:
        role = _ROLES.get(str(message.get("role")), OTHER)
        has_text = bool(read_text(message.get("content")))
        if role == TOOL:
            return Outline(role, has_text, answers=(_read_answer_id(message),))
        return Outline(role, has_text, _read_calls(message) if role == ASSISTANT else ())

    def drop_media(self, message: Message) -> Message:
        return {**message, "content": keep_text_parts(message["content"])} if "content" in message else message

    def make_user_message(self, text: str) -> Message:
        return {"role": "user", "content": text}

    def make_text_block(self, text: str) -> dict[str, Any]:
        return {"type": "text", "text": text}

    def read_reply(self, reply: Any) -> ModelReply:
        """A whole completion, or its message."""
        answer = need_mapping(reply, "OpenAI Chat")
        choices = list_objects(answer.get("choices"))
        given = choices[0].get("message") if choices else answer
        if not isinstance(given, Mapping) or given.get("role", "assistant") != "assistant":
            raise UnreadableReply("The answer of OpenAI Chat holds no assistant's message.")
        said = {key: value for key, value in drop_parsed(given).items() if value not in (None, [])}
        message = {**said, "role": "assistant", "content": given.get("content")}
        if "tool_calls" in message:
            message["tool_calls"] = [_drop_parsed_arguments(call) for call in list_objects(message["tool_calls"])]
        return ModelReply((message,), message, _read_calls(message), read_text(message["content"]))

    def write_result(self, call: UnhandledCall, value: Any, *, is_error: bool) -> Message:
        """Errors have no mark of their own here: their text says so."""
        return {"role": "tool", "tool_call_id": call.call_id, "content": dump_text(value)}


def _drop_parsed_arguments(call: Message) -> Message:
    kept: Message = drop_parsed(call)
    return {**kept, "function": drop_parsed(kept["function"])} if "function" in kept else kept


def _read_answer_id(message: Mapping[str, Any]) -> str:
    name = message.get("name")
    given = message.get("tool_call_id") if message.get("role") == "tool" else None
    return choose_id(given, name if isinstance(name, str) else "")


def _read_calls(message: Mapping[str, Any]) -> tuple[CallName, ...]:
    calls = list_objects(message.get("tool_calls"))
    older = message.get("function_call")
    if not calls and isinstance(older, dict):
        name = str(older.get("name", ""))
        return (CallName(name, name),)
    names = [_name_of(call) for call in calls]
    return tuple(CallName(choose_id(call.get("id"), name), name) for call, name in zip(calls, names, strict=True))


def _name_of(call: Mapping[str, Any]) -> str:
    for kind in ("custom", "function"):
        function = call.get(kind)
        if isinstance(function, dict):
            return str(function.get("name", ""))
    return ""
