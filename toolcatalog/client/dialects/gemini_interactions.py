"""Gemini's Interactions, in which Gemini has deferred tools: the messages of `gemini` in native disclosure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolcatalog.client.answers import UnhandledCall
from toolcatalog.client.errors import UnreadableReply
from toolcatalog.client.plain import dump_text

from .base import (
    ASSISTANT,
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

_ROLES = {"user_input": USER, "function_result": TOOL}
_STEPS = frozenset({"function_call", "function_result", "model_output", "thought", "user_input"})


class GeminiInteractions(Dialect):
    """Steps: a text, a call and a result are one each. All steps of an interaction are one turn."""

    formats = ("gemini",)
    messages_key = "input"
    system_path = ("system_instruction",)
    keeps_blocks = False
    joins_calls = True
    takes_plain = False

    def has_marks(self, message: Mapping[str, Any]) -> bool:
        return message.get("type") in _STEPS

    def outline(self, message: Mapping[str, Any]) -> Outline:
        kind = str(message.get("type"))
        if message.get("role") in SYSTEM_ROLES and kind not in _STEPS:
            return Outline(SYSTEM, bool(read_text(message.get("content"))))
        if kind == "function_call":
            name = str(message.get("name", ""))
            return Outline(ASSISTANT, calls=(CallName(choose_id(message.get("id"), name), name),))
        if kind == "function_result":
            return Outline(TOOL, answers=(choose_id(message.get("call_id"), str(message.get("name") or "")),))
        return Outline(_ROLES.get(kind, ASSISTANT), bool(read_text(message.get("content"))))

    def drop_media(self, message: Message) -> Message:
        return {**message, "content": keep_text_parts(message["content"])} if "content" in message else message

    def make_user_message(self, text: str) -> Message:
        return {"type": "user_input", "content": [self.make_text_block(text)]}

    def make_text_block(self, text: str) -> dict[str, Any]:
        return {"type": "text", "text": text}

    def read_reply(self, reply: Any) -> ModelReply:
        """A whole interaction, or its list of steps."""
        given = reply.get("steps") if isinstance(reply, Mapping) else reply
        if not isinstance(given, list):
            raise UnreadableReply("The answer of Gemini holds no steps.")
        steps = [_drop_none(step) for step in list_objects(given)]
        calls = tuple(call for step in steps for call in self.outline(step).calls)
        texts = [read_text(step.get("content")) for step in steps if step.get("type") == "model_output"]
        return ModelReply(tuple(steps), steps, calls, "\n".join(texts))

    def write_result(self, call: UnhandledCall, value: Any, *, is_error: bool) -> Message:
        step = {"type": "function_result", "call_id": call.call_id, "name": call.exported_name}
        marked = {"is_error": True} if is_error else {}
        return {**step, "result": dump_text(value), **marked}


def _drop_none(step: Message) -> Message:
    return {key: value for key, value in drop_parsed(step).items() if value is not None}
