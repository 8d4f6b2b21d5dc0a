"""Earlier calls and results in words, as the server writes them: Converse takes their blocks only with tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.client.plain import dump_text

from .base import list_objects


def has_calls(messages: Sequence[Any]) -> bool:
    """Whether a `toolUse` or `toolResult` block stands anywhere in the messages."""
    return any(
        not block.keys().isdisjoint(("toolUse", "toolResult"))
        for message in list_objects(messages)
        for block in list_objects(message.get("content"))
    )


def tell_calls(messages: Sequence[Any]) -> list[Any]:
    """The messages with a text block in the place of each `toolUse` and `toolResult` block."""
    names: dict[str, str] = {}
    return [_tell_message(message, names) for message in messages]


def _tell_message(message: Any, names: dict[str, str]) -> Any:
    if not isinstance(message, Mapping) or not isinstance(message.get("content"), list):
        return message
    return {**message, "content": [_tell_block(block, names) for block in list_objects(message["content"])]}


def _tell_block(block: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    if isinstance(use := block.get("toolUse"), Mapping):
        names[str(use.get("toolUseId"))] = name = str(use.get("name"))
        return {"text": f"(Called {name} with {dump_text(use.get('input'))}.)"}
    if isinstance(result := block.get("toolResult"), Mapping):
        name = names.get(str(result.get("toolUseId")), "a tool")
        return {"text": f"(Result of {name}: {' '.join(map(_read_part, list_objects(result.get('content'))))})"}
    return block


def _read_part(part: Mapping[str, Any]) -> str:
    if "json" in part:
        return dump_text(part["json"])
    text = part.get("text")
    return text if isinstance(text, str) else f"[{', '.join(part)}]"
