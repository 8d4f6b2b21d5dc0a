"""Gemini's generateContent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.client.answers import UnhandledCall
from toolcatalog.client.errors import UnreadableReply

from .base import (
    ASSISTANT,
    OTHER,
    TOOL,
    USER,
    CallName,
    Dialect,
    Message,
    ModelReply,
    Outline,
    choose_id,
    list_objects,
)

_ROLES = {"user": USER, "model": ASSISTANT, "function": TOOL}
_CALL = ("functionCall", "function_call")
_ANSWER = ("functionResponse", "function_response")


class Gemini(Dialect):
    """Contents of parts; all responses to the calls of one reply stand in one content."""

    formats = ("gemini",)
    messages_key = "contents"
    takes_plain = False
    system_path = ("config", "systemInstruction")

    def has_marks(self, message: Mapping[str, Any]) -> bool:
        return isinstance(message.get("parts"), list)

    def outline(self, message: Mapping[str, Any]) -> Outline:
        parts = list_objects(message.get("parts"))
        calls = [call for part in parts if (call := _get_object(part, _CALL)) is not None]
        answers = [answer for part in parts if (answer := _get_object(part, _ANSWER)) is not None]
        return Outline(
            _ROLES.get(str(message.get("role") or "user"), OTHER),
            bool(_read_text(parts)),
            tuple(CallName(choose_id(call.get("id"), name), name) for call, name in _named(calls)),
            tuple(choose_id(answer.get("id"), name) for answer, name in _named(answers)),
        )

    def drop_media(self, message: Message) -> Message:
        if not isinstance(message.get("parts"), list):
            return message
        kept = [part for part in list_objects(message["parts"]) if _is_kept(part)]
        return {**message, "parts": kept}

    def make_user_message(self, text: str) -> Message:
        return {"role": "user", "parts": [{"text": text}]}

    def make_text_block(self, text: str) -> dict[str, Any]:
        return {"text": text}

    def read_reply(self, reply: Any) -> ModelReply:
        """A whole response, a candidate, or a content. A content without parts is left out."""
        content = _find_content(reply)
        parts = list_objects(content.get("parts"))
        message = {**content, "role": "model", "parts": parts}
        return ModelReply((message,) if parts else (), message, self.outline(message).calls, _read_text(parts))

    def write_result(self, call: UnhandledCall, value: Any, *, is_error: bool) -> Message:
        """A call without an id has its name for one, which the vendor does not know."""
        given = {} if call.call_id in ("", call.exported_name) else {"id": call.call_id}
        held = {"error" if is_error else "output": value}
        return {
            "role": "user",
            "parts": [{"functionResponse": {**given, "name": call.exported_name, "response": held}}],
        }

    def join_results(self, messages: Sequence[Message]) -> list[Message]:
        parts = [part for message in messages for part in message["parts"]]
        return [{"role": "user", "parts": parts}] if parts else []


def _find_content(reply: Any) -> Mapping[str, Any]:
    """The first candidate's content. An answer that was blocked has none: it says nothing."""
    value = reply
    if isinstance(value, Mapping) and isinstance(value.get("candidates"), list):
        candidates = list_objects(value["candidates"])
        value = candidates[0] if candidates else {"content": {}}
    if isinstance(value, Mapping) and ("content" in value or "finishReason" in value):
        value = value.get("content") or {}
    if not isinstance(value, Mapping):
        raise UnreadableReply("The answer of Gemini holds no content.")
    return value


def _get_object(part: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any] | None:
    return next((part[key] for key in keys if isinstance(part.get(key), dict)), None)


def _named(objects: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    return [(item, str(item.get("name", ""))) for item in objects]


def _read_text(parts: Sequence[Mapping[str, Any]]) -> str:
    """Thoughts are no text."""
    return "\n".join(
        str(part["text"]) for part in parts if isinstance(part.get("text"), str) and not part.get("thought")
    )


def _is_kept(part: Mapping[str, Any]) -> bool:
    return any(key in part for key in (*_CALL, *_ANSWER)) or ("text" in part and not part.get("thought"))
