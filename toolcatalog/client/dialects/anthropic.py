"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.client.answers import UnhandledCall
from toolcatalog.client.errors import UnreadableReply
from toolcatalog.client.plain import dump_text

from .base import (
    ASSISTANT,
    OTHER,
    SYSTEM,
    SYSTEM_ROLES,
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
_OWN_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use")
_KEPT_BLOCKS = ("text", "tool_use", "tool_result")


class Anthropic(Dialect):
    """Messages of blocks; all answers to the calls of one reply stand in one user message."""

    formats = ("anthropic",)
    system_path = ("system",)

    def has_marks(self, message: Mapping[str, Any]) -> bool:
        return any(block.get("type") in _OWN_BLOCKS for block in list_objects(message.get("content")))

    def outline(self, message: Mapping[str, Any]) -> Outline:
        content = message.get("content")
        blocks = list_objects(content)
        calls = [(block, str(block.get("name", ""))) for block in blocks if block.get("type") == "tool_use"]
        return Outline(
            _ROLES.get(str(message.get("role")), OTHER),
            bool(read_text(content)),
            tuple(CallName(choose_id(block.get("id"), name), name) for block, name in calls),
            tuple(choose_id(b.get("tool_use_id"), "") for b in blocks if b.get("type") == "tool_result"),
        )

    def drop_media(self, message: Message) -> Message:
        content = message.get("content")
        if not isinstance(content, list):
            return message
        blocks = [block for block in list_objects(content) if block.get("type") in _KEPT_BLOCKS]
        return {**message, "content": [_drop_media_of_answer(block) for block in blocks]}

    def make_user_message(self, text: str) -> Message:
        return {"role": "user", "content": text}

    def make_text_block(self, text: str) -> dict[str, Any]:
        return {"type": "text", "text": text}

    def read_reply(self, reply: Any) -> ModelReply:
        """A whole message, or only its role and content. What is empty is left out: the vendor refuses to read it."""
        content = reply.get("content") if isinstance(reply, Mapping) else None
        if not isinstance(content, list | str) or reply.get("role", "assistant") != "assistant":
            raise UnreadableReply("The answer of Anthropic is no assistant's message.")
        blocks = _drop_empty(content)
        message = {"role": "assistant", "content": blocks}
        return ModelReply(
            messages=(message,) if blocks else (),
            payload=message,
            calls=self.outline(message).calls,
            text=read_text(blocks),
            paused=reply.get("stop_reason") == "pause_turn",
        )

    def write_result(self, call: UnhandledCall, value: Any, *, is_error: bool) -> Message:
        block = {"type": "tool_result", "tool_use_id": call.call_id, "content": dump_text(value)}
        return {"role": "user", "content": [{**block, "is_error": True} if is_error else block]}

    def join_results(self, messages: Sequence[Message]) -> list[Message]:
        blocks = [block for message in messages for block in message["content"]]
        return [{"role": "user", "content": blocks}] if blocks else []


def _drop_empty(content: list[Any] | str) -> Any:
    if isinstance(content, str):
        return content
    plain = drop_parsed(list_objects(content))
    blocks = [{key: value for key, value in block.items() if value is not None} for block in plain]
    return [block for block in blocks if block.get("type") != "text" or block.get("text")]


def _drop_media_of_answer(block: dict[str, Any]) -> dict[str, Any]:
    """Answers of a search may be references to tools."""
    content = block.get("content")
    if block["type"] != "tool_result" or not isinstance(content, list):
        return block
    references = [part for part in list_objects(content) if part.get("type") == "tool_reference"]
    return {**block, "content": [*keep_text_parts(content), *references]}
