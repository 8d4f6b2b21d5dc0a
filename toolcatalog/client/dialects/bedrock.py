"""Amazon Bedrock's Converse."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.client.answers import UnhandledCall
from toolcatalog.client.errors import UnreadableReply
from toolcatalog.client.plain import dump_text

from .base import (
    ASSISTANT,
    OTHER,
    SYSTEM,
    USER,
    CallName,
    Dialect,
    Message,
    ModelReply,
    Outline,
    choose_id,
    list_objects,
)
from .bedrock_calls import has_calls, tell_calls

_ROLES = {"user": USER, "assistant": ASSISTANT, "system": SYSTEM}
_KEPT_BLOCKS = frozenset({"text", "toolUse", "toolResult"})
_BLOCKS = _KEPT_BLOCKS | {"cachePoint", "document", "guardContent", "image", "reasoningContent", "video"}
_BINARY = ("bytes", "redactedContent")
"""Members that boto3 takes as bytes. JSON has them as base64."""
EMPTY = "The result is empty."


class Bedrock(Dialect):
    """Messages of blocks, each an object of one key; all results of one reply stand in one user message."""

    formats = ("bedrock",)
    system_path = ("system",)
    wraps_system = True
    takes_plain = False

    def has_marks(self, message: Mapping[str, Any]) -> bool:
        blocks = list_objects(message.get("content"))
        return any("type" not in block and not _BLOCKS.isdisjoint(block) for block in blocks)

    def outline(self, message: Mapping[str, Any]) -> Outline:
        blocks = list_objects(message.get("content"))
        uses = [block["toolUse"] for block in blocks if isinstance(block.get("toolUse"), dict)]
        results = [block["toolResult"] for block in blocks if isinstance(block.get("toolResult"), dict)]
        named = [(use, str(use.get("name", ""))) for use in uses]
        return Outline(
            _ROLES.get(str(message.get("role")), OTHER),
            bool(_read_text(blocks)),
            tuple(CallName(choose_id(use.get("toolUseId"), name), name) for use, name in named),
            tuple(choose_id(result.get("toolUseId"), "") for result in results),
        )

    def drop_media(self, message: Message) -> Message:
        if not isinstance(message.get("content"), list):
            return message
        blocks = [block for block in list_objects(message["content"]) if not _KEPT_BLOCKS.isdisjoint(block)]
        return {**message, "content": [_drop_media_of_result(block) for block in blocks]}

    def make_user_message(self, text: str) -> Message:
        return {"role": "user", "content": [{"text": text}]}

    def make_text_block(self, text: str) -> dict[str, Any]:
        return {"text": text}

    def read_reply(self, reply: Any) -> ModelReply:
        """A whole answer of Converse, its `output`, or its message. Blank texts are left out: Converse refuses them."""
        message = _find_message(reply)
        blocks = [block for block in list_objects(message.get("content")) if not _is_blank(block)]
        said = {"role": "assistant", "content": blocks}
        return ModelReply((said,) if blocks else (), said, self.outline(said).calls, _read_text(blocks))

    def write_result(self, call: UnhandledCall, value: Any, *, is_error: bool) -> Message:
        """Objects go as JSON, everything else as text, which is never blank: models take no other JSON at the top."""
        text = dump_text(value)
        block = {"json": value} if isinstance(value, dict) else {"text": text if text.strip() else EMPTY}
        status = {"status": "error"} if is_error else {}
        return {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": call.call_id, "content": [block], **status}}],
        }

    def join_results(self, messages: Sequence[Message]) -> list[Message]:
        blocks = [block for message in messages for block in message["content"]]
        return [{"role": "user", "content": blocks}] if blocks else []

    def finish_request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Pictures and the like as bytes again: boto3 encodes them itself. Without tools, no blocks of calls."""
        messages = request.get("messages", [])
        if "toolConfig" not in request and has_calls(messages):
            messages = tell_calls(messages)
        finished: dict[str, Any] = {**request, "messages": _decode(messages)}
        return finished


def _find_message(reply: Any) -> Mapping[str, Any]:
    value = reply
    for key in ("output", "message"):
        if isinstance(value, Mapping) and isinstance(value.get(key), Mapping):
            value = value[key]
    if not isinstance(value, Mapping) or not isinstance(value.get("content"), list):
        raise UnreadableReply("The answer of Bedrock holds no message.")
    if value.get("role", "assistant") != "assistant":
        raise UnreadableReply("The answer of Bedrock is no assistant's message.")
    return value


def _read_text(blocks: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(block["text"] for block in blocks if isinstance(block.get("text"), str))


def _is_blank(block: Mapping[str, Any]) -> bool:
    text = block.get("text")
    return isinstance(text, str) and not text.strip()


def _drop_media_of_result(block: dict[str, Any]) -> dict[str, Any]:
    result = block.get("toolResult")
    if not isinstance(result, dict) or not isinstance(result.get("content"), list):
        return block
    kept = [part for part in list_objects(result["content"]) if "text" in part or "json" in part]
    return {**block, "toolResult": {**result, "content": kept}}


def _decode(value: Any) -> Any:
    """A copy with bytes in the places where Converse has them. What a tool was given or gave has no such places."""
    if isinstance(value, list):
        return [_decode(member) for member in value]
    if not isinstance(value, dict):
        return value
    kept = {"toolUse": value["toolUse"]} if "toolUse" in value else {"json": value["json"]} if "json" in value else {}
    return {key: _decode_member(key, member) for key, member in value.items() if key not in kept} | kept


def _decode_member(key: str, member: Any) -> Any:
    if key in _BINARY and isinstance(member, str):
        try:
            return base64.b64decode(member, validate=True)
        except binascii.Error:
            return member
    return _decode(member)
