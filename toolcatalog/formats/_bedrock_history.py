"""Calls and results of earlier turns in words: Converse takes their blocks only in requests that have tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolcatalog.contract.json import JsonObject, JsonValue

from ._answers import write_result
from ._reading import is_list, iterate_objects


def tell_calls(messages: Sequence[JsonValue]) -> list[JsonValue]:
    """The messages with a text block in the place of each `toolUse` and `toolResult` block."""
    names: dict[str, str] = {}
    return [_tell_message(message, names) for message in messages]


def _tell_message(message: JsonValue, names: dict[str, str]) -> JsonValue:
    if not isinstance(message, Mapping) or not is_list(message.get("content")):
        return message
    return {**message, "content": [_tell_block(block, names) for block in iterate_objects(message["content"])]}


def _tell_block(block: JsonObject, names: dict[str, str]) -> JsonObject:
    if isinstance(use := block.get("toolUse"), Mapping):
        names[str(use.get("toolUseId"))] = name = str(use.get("name"))
        return {"text": f"(Called {name} with {write_result(use.get('input'))}.)"}
    if isinstance(result := block.get("toolResult"), Mapping):
        name = names.get(str(result.get("toolUseId")), "a tool")
        return {"text": f"(Result of {name}: {' '.join(map(_read_part, iterate_objects(result.get('content'))))})"}
    return block


def _read_part(part: JsonObject) -> str:
    if "json" in part:
        return write_result(part["json"])
    text = part.get("text")
    return text if isinstance(text, str) else f"[{', '.join(part)}]"
