"""OpenAI Responses."""

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
    read_text,
)

_ROLES = {"user": USER, "assistant": ASSISTANT, **dict.fromkeys(SYSTEM_ROLES, SYSTEM)}
_CALL_TYPES = ("function_call", "custom_tool_call")
_ANSWER_TYPES = ("function_call_output", "custom_tool_call_output")
_SEARCH_NAME = "tool_search"


class OpenAIResponses(Dialect):
    """Items: a message, a call and an answer are one each. All output items of a response are one turn."""

    formats = ("openai_responses",)
    messages_key = "input"
    system_path = ("instructions",)
    keeps_blocks = False
    joins_calls = True

    def has_marks(self, message: Mapping[str, Any]) -> bool:
        return str(message.get("type", "message")) != "message"

    def outline(self, message: Mapping[str, Any]) -> Outline:
        kind = message.get("type", "message")
        if kind == "message":
            role = _ROLES.get(str(message.get("role")), OTHER)
            return Outline(role, bool(read_text(message.get("content"))))
        if kind in _CALL_TYPES:
            name = str(message.get("name", ""))
            call_id, is_custom = choose_id(message.get("call_id"), name), kind == "custom_tool_call"
            return Outline(ASSISTANT, calls=(CallName(call_id, name, is_custom),))
        if kind in _ANSWER_TYPES:
            return Outline(TOOL, answers=(choose_id(message.get("call_id"), ""),))
        return _outline_search(message)

    def drop_media(self, message: Message) -> Message:
        return {**message, "content": keep_text_parts(message["content"])} if "content" in message else message

    def make_user_message(self, text: str) -> Message:
        return {"role": "user", "content": text}

    def make_text_block(self, text: str) -> dict[str, Any]:
        return {"type": "text", "text": text}

    def read_reply(self, reply: Any) -> ModelReply:
        """A whole response, or its list of output items."""
        items = reply.get("output") if isinstance(reply, Mapping) else reply
        if not isinstance(items, list):
            raise UnreadableReply("The answer of OpenAI Responses holds no output items.")
        output = [_drop_added(item) for item in list_objects(items)]
        outlines = [self.outline(item) for item in output]
        texts = [read_text(item.get("content")) for item in output if item.get("type") == "message"]
        calls = tuple(call for outline in outlines for call in outline.calls)
        return ModelReply(tuple(output), output, calls, "\n".join(texts))

    def write_result(self, call: UnhandledCall, value: Any, *, is_error: bool) -> Message:
        """Errors have no mark of their own here: their text says so."""
        return {"type": "function_call_output", "call_id": call.call_id, "output": dump_text(value)}

    def answer_custom(self, message: Message) -> Message:
        return {**message, "type": "custom_tool_call_output"}


def _drop_added(item: Message) -> Message:
    kept = {key: value for key, value in drop_parsed(item).items() if value is not None}
    return {**kept, "content": drop_parsed(kept["content"])} if "content" in kept else kept


def _outline_search(item: Mapping[str, Any]) -> Outline:
    """Items of the vendor's own search count where the caller runs it; all others are for the vendor."""
    kind = str(item.get("type"))
    if item.get("execution") == "client" and kind == "tool_search_call":
        return Outline(ASSISTANT, calls=(CallName(choose_id(item.get("call_id"), _SEARCH_NAME), _SEARCH_NAME),))
    if item.get("execution") == "client" and kind == "tool_search_output":
        return Outline(TOOL, answers=(choose_id(item.get("call_id"), _SEARCH_NAME),))
    return Outline(TOOL if kind.endswith("_output") else ASSISTANT)
