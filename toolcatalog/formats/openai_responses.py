"""OpenAI Responses.

A tool is flat: `{"type": "function", "name", "description", "parameters", "strict"}`; `strict` is always said, since
the server otherwise tries strict mode by itself. Messages are the items of `input`. The request is
`client.responses.create(**request, model=…)`: `instructions` (the system prompt, text only), `input` and `tools`.

Several calls of one answer are several items here. They are read as the calls of one message, that of the first of
them, so that they are one turn as everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolcatalog.contract.conversation import Message, Role, ToolCall
from toolcatalog.contract.export import CallerTool, ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._answers import make_answer, write_result
from ._caller_tools import read_typed_tool
from ._chat import make_text_part, read_content
from ._deferred import show_deferred
from ._field import FieldFormat, drop_empty, join_calls
from ._names import LETTERS, WORD_AND_HYPHEN, NameRule
from ._native_responses import SEARCH_CALL_NAME, ResponsesNative, list_found, write_search_output
from ._notes import Notes
from ._openai import MAX_TOOLS, write_function
from ._prompts import read_prompt_text
from ._reading import (
    choose_id,
    is_list,
    is_one_of,
    iterate_objects,
    need_name,
    need_object,
    need_role,
    read_arguments,
    read_each,
)
from ._writing import write_name
from .base import CallResult
from .checker import PORTABLE, ROOT_COMBINATORS, ProviderRules
from .registry import register

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}
_OPTIONAL = frozenset({"allowed_callers", "async", "defer_loading", "output_schema"})
_OWN_PARTS = frozenset({"input_file", "input_image", "input_text", "output_text"})
_FOREIGN_TYPES = frozenset({"function_result", "model_output", "thought", "tool_search_result", "user_input"})
"""Types of Gemini's interaction steps."""


class OpenAIResponses(FieldFormat):
    """Tools and items of the Responses interface."""

    name = "openai_responses"
    label = "OpenAI Responses"
    name_rule = NameRule(WORD_AND_HYPHEN, first=LETTERS | {"_"}, prefix="t", stem="tool")
    max_tools = MAX_TOOLS
    rules = ProviderRules(
        schema_key=("parameters",),
        name_characters=PORTABLE,
        max_description=1024,
        members=frozenset({"type", "name", "description", "parameters", "strict"}) | _OPTIONAL,
        root_refused=ROOT_COMBINATORS,
        needs_items=True,
        strict="openai",
    )
    caller_members = _OPTIONAL | {"strict"}
    has_native_disclosure = True
    native = ResponsesNative()

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """Says `strict` in any case."""
        written = write_function(tool, strict=strict, notes=notes)
        head: dict[str, Any] = {"type": "function", "name": write_name(exported_name), **written.description}
        payload = {**head, "parameters": written.parameters, "strict": written.is_strict}
        return ExportedTool(exported_name, payload, written.arguments, notes.findings)

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions, functions, and entries of other types, which pass unchanged."""
        return read_each(tools, "tools", lambda value, path: read_typed_tool(value, path, members=self.caller_members))

    def fit_set(
        self, tools: Sequence[ExportedTool], vendor_entries: Sequence[JsonObject] = ()
    ) -> tuple[ExportedTool, ...]:
        """The caller's tools are deferred only where a search tool of the caller's is there to load them."""
        searches = any(entry.get("type") == "tool_search" for entry in vendor_entries)
        return tuple(tools) if searches else show_deferred(tools, self)

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Items have a type, and parts have types of their own."""
        return any(_is_own_item(item) for item in iterate_objects(messages))

    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """One message for each item; the calls of one answer stand together at its first call."""
        return join_calls(read_each(messages, "messages", _read_item))

    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The calls among the output items: a list of them, one of them, or a whole response."""
        if isinstance(message, Mapping) and is_list(message.get("output")):
            message = message["output"]
        items = message if is_list(message) else [message]
        return tuple(call for read in read_each(items, "message", _read_item) for call in read.calls)

    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """One output item for each result."""
        return tuple(map(_write_result, results))

    def make_block(self, text: str) -> JsonObject:
        """Instructions have no blocks; this one is joined into the text."""
        return make_text_part(text)

    def read_base(self, base: JsonValue) -> JsonValue:
        """Text, as which a list of text blocks is read."""
        prompt = super().read_base(base)
        return read_prompt_text(prompt) if is_list(prompt) else prompt

    def write_turn(self, message: Message) -> tuple[JsonObject, ...]:
        """A message item for the text, and an item for each call."""
        turn: tuple[JsonObject, ...] = ()
        if message.text is not None:
            turn = ({"role": message.role.value, "content": message.text},)
        return turn + tuple(_write_call(call) for call in message.calls)

    def prompt_request(self, messages: Sequence[JsonValue] | None, system: JsonValue) -> JsonObject:
        """`instructions` and `input`."""
        return drop_empty(instructions=system, input=messages)

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"tools": […]}`."""
        return drop_empty(tools=list(self.list_tools(vendor_entries, tools)))


def _is_own_item(item: JsonObject) -> bool:
    kind = item.get("type")
    if kind in (None, "message"):
        has_own_part = any(is_one_of(part.get("type"), _OWN_PARTS) for part in iterate_objects(item.get("content")))
        return has_own_part or (kind is not None and not is_list(item.get("content")))
    return (
        isinstance(kind, str) and kind not in _FOREIGN_TYPES and not (kind == "function_call" and "call_id" not in item)
    )


def _read_item(value: JsonValue, path: str) -> Message:
    item = need_object(value, path)
    kind = item.get("type", "message")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is not None:
        return reader(item, path)
    is_output = isinstance(kind, str) and kind.endswith("_output")
    return Message(Role.TOOL if is_output else Role.ASSISTANT, other_parts=1)


def _read_message(item: JsonObject, path: str) -> Message:
    role = need_role(item.get("role"), f"{path}.role", _ROLES)
    text, others = read_content(item.get("content"), f"{path}.content")
    return Message(role, text, other_parts=others)


def _read_function_call(item: JsonObject, path: str) -> Message:
    name = need_name(item.get("name"), f"{path}.name")
    call = ToolCall(choose_id(item.get("call_id"), name), name, read_arguments(item.get("arguments")))
    return Message(Role.ASSISTANT, calls=(call,))


def _read_custom_call(item: JsonObject, path: str) -> Message:
    name = need_name(item.get("name"), f"{path}.name")
    call_id = choose_id(item.get("call_id"), name)
    return Message(Role.ASSISTANT, calls=(ToolCall(call_id, name, {"input": item.get("input")}, is_callers=True),))


def _read_search_call(item: JsonObject, _path: str) -> Message:
    if item.get("execution") != "client":
        return Message(Role.ASSISTANT, other_parts=1)
    call_id = choose_id(item.get("call_id"), SEARCH_CALL_NAME)
    return Message(Role.ASSISTANT, calls=(ToolCall(call_id, SEARCH_CALL_NAME, read_arguments(item.get("arguments"))),))


def _read_output(item: JsonObject, _path: str) -> Message:
    return Message(Role.TOOL, answers=(make_answer(choose_id(item.get("call_id"), ""), item.get("output")),))


def _read_search_output(item: JsonObject, _path: str) -> Message:
    if item.get("execution") != "client":
        return Message(Role.TOOL, other_parts=1)
    found: JsonObject = {"tools": list_found(item)}
    return Message(Role.TOOL, answers=(make_answer(choose_id(item.get("call_id"), SEARCH_CALL_NAME), found),))


_READERS: Mapping[str, Callable[[JsonObject, str], Message]] = {
    "message": _read_message,
    "function_call": _read_function_call,
    "custom_tool_call": _read_custom_call,
    "tool_search_call": _read_search_call,
    "function_call_output": _read_output,
    "custom_tool_call_output": _read_output,
    "tool_search_output": _read_search_output,
}


def _write_result(result: CallResult) -> JsonObject:
    if result.found is not None:
        return write_search_output(result.call_id, result.found)
    if result.name == SEARCH_CALL_NAME:  # a search that failed: only an output of a search may answer it
        return {**write_search_output(result.call_id, ()), "status": "incomplete"}
    return {"type": "function_call_output", "call_id": result.call_id, "output": write_result(result.value)}


def _write_call(call: ToolCall) -> JsonObject:
    arguments = write_result(call.arguments or {})
    return {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": arguments}


register(OpenAIResponses())
