"""Answers to calls: what they hold, which tool names they carry (R4, R5), and how results are written as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolcatalog.contract.conversation import ToolAnswer
from toolcatalog.contract.json import JsonValue, dump_json

from ._reading import is_deep, is_list, is_one_of, iterate_objects, parse_json

_TEXT_TYPES = frozenset({"text", "input_text", "output_text"})


def make_answer(call_id: str, content: JsonValue, *, is_error: bool = False) -> ToolAnswer:
    """The answer that `content` makes: text, a list of blocks, or any JSON value, as it stands in the message."""
    value = _open_blocks(content)
    names = None if is_error else read_names(value)
    return ToolAnswer(call_id, value, names, is_error)


def read_names(value: JsonValue) -> tuple[str, ...] | None:
    """The tool names that a search's answer carries, in order and once each; None when it is no such answer.

    Names come as a JSON array, as `{"tools": [{"name": …}]}`, as text of one of the two, or as `tool_reference` blocks.
    What is not a name is skipped. Anything else, such as the text of an error, is no answer of a search.
    """
    value = _open_blocks(value)
    if isinstance(value, Mapping):
        tools = value.get("tools")
        return _collect(_name_of(tool) for tool in tools) if is_list(tools) else None
    if not is_list(value):
        return None
    return _collect(_name_of_reference(item) if isinstance(item, Mapping) else item for item in value)


def bound_result(value: JsonValue) -> JsonValue:
    """A result that can be sent as JSON: the value itself, or a sentence when it is nested too deep for that."""
    return "The result is nested too deep to be sent." if is_deep(value) else value


def write_result(value: JsonValue) -> str:
    """A result as the text of a tool message: text as it is, everything else as JSON."""
    bounded = bound_result(value)
    return bounded if isinstance(bounded, str) else dump_json(bounded).decode()


def _open_blocks(content: JsonValue) -> JsonValue:
    """What stands in text, or in a list of text blocks, as JSON where it is JSON. References stay as they are."""
    if isinstance(content, str):
        parsed = parse_json(content)
        return parsed if isinstance(parsed, str) or not _are_text_blocks(parsed) else _open_text(parsed)
    return _open_text(content) if _are_text_blocks(content) else content


def _open_text(blocks: JsonValue) -> JsonValue:
    return parse_json("".join(str(block["text"]) for block in iterate_objects(blocks)))


def _are_text_blocks(value: JsonValue) -> bool:
    """Whether a value is a list of blocks that hold nothing but text."""
    if not is_list(value) or not value:
        return False
    return all(isinstance(block, Mapping) and _is_text_block(block) for block in value)


def _is_text_block(block: Mapping[str, JsonValue]) -> bool:
    return isinstance(block.get("text"), str) and is_one_of(block.get("type", "text"), _TEXT_TYPES)


def _name_of(tool: JsonValue) -> JsonValue:
    return tool.get("name") if isinstance(tool, Mapping) else tool


def _name_of_reference(block: Mapping[str, JsonValue]) -> JsonValue:
    return block.get("tool_name") if block.get("type") == "tool_reference" else None


def _collect(names: Iterable[JsonValue]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name.strip()))
