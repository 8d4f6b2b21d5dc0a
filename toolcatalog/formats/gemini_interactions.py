"""Gemini's Interactions, the interface in which Gemini has deferred tools: what `gemini` is in native disclosure.

A tool is `{"type": "function", "name", "description", "parameters"}` with JSON Schema, references written out. Messages
are the steps of `input`. The request is `client.interactions.create(**request, model=…)`: `input`, `system_instruction`
(text only) and `tools`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any

from toolcatalog.contract.conversation import Message, Role, ToolCall
from toolcatalog.contract.export import ArgumentMap, CallerTool, ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._answers import make_answer, write_result
from ._caller_tools import read_typed_tool
from ._chat import make_text_part, read_content
from ._field import FieldFormat, drop_empty, join_calls
from ._gemini import KEY_RULE, MAX_TOOLS, NAME_RULE
from ._native_history import NOTHING_FOUND, NOTHING_LEFT, Stale, prune_list, prune_messages, replace_member
from ._notes import Notes
from ._prompts import read_prompt_text
from ._reading import (
    choose_id,
    is_list,
    is_one_of,
    iterate_objects,
    need_name,
    need_object,
    read_arguments,
    read_each,
)
from ._schemas import fill_items, rename_keys
from ._writing import PARAMETERS, prepare_parameters, write_description, write_name
from .base import CallResult
from .checker import ROOT_COMBINATORS, ProviderRules
from .native import DeferredTool, KeptHistory, NativeDisclosure

_OWN_STEPS = frozenset({"function_result", "model_output", "thought", "user_input"})


class GeminiNative(NativeDisclosure):
    """`tool_search` with client execution, answered by a function result of definitions."""

    declares_deferred = False

    def declare(
        self,
        vendor_entries: Sequence[JsonObject],
        tools: Sequence[ExportedTool],
        entry: ExportedTool,
        deferred: Sequence[DeferredTool],
    ) -> tuple[JsonObject, ...]:
        """The search tool keeps the entry tool's name; what may be found is not declared."""
        del deferred
        search = {**entry.payload, "type": "tool_search", "execution": "client"}
        return (*vendor_entries, *(tool.payload for tool in tools), search)

    def drop_stale(
        self,
        messages: Sequence[JsonValue],
        known: Container[str],
        *,
        vendor_entries: Sequence[JsonObject] = (),
        entry_name: str | None = None,
    ) -> KeptHistory:
        """Definitions of tools that this caller may not have any more leave the results of earlier searches."""
        del vendor_entries, entry_name
        return prune_messages(messages, known, _prune_step)


class GeminiInteractions(FieldFormat):
    """Tools and steps of Interactions."""

    name = "gemini"
    label = "Gemini"
    name_rule = NAME_RULE
    max_tools = MAX_TOOLS
    rules = ProviderRules(
        schema_key=("parameters",),
        name_characters=NAME_RULE.characters,
        name_first=NAME_RULE.first,
        members=frozenset({"type", "name", "description", "parameters"}),
        root_refused=ROOT_COMBINATORS,
        refused=frozenset({"$defs", "$ref", "definitions"}),
        key_characters=KEY_RULE.characters,
        key_first=KEY_RULE.first,
        needs_items=True,
    )
    reads_plain_messages = False
    has_native_disclosure = True
    native = GeminiNative()

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """Keeps JSON Schema, with the same property names as everywhere at this vendor."""
        root = prepare_parameters(tool, notes, inline=True)
        schema, keys = rename_keys(root.schema, PARAMETERS, KEY_RULE, notes)
        payload: dict[str, Any] = {
            "type": "function",
            "name": write_name(exported_name),
            **write_description(tool.description, (*root.rules, *tool.closing), notes),
            "parameters": fill_items(schema, PARAMETERS, notes),
        }
        if strict:
            notes.add("not_strict", "", "Gemini has no strict mode; the tool is sent without.")
        return ExportedTool(exported_name, payload, ArgumentMap(keys), notes.findings)

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions, functions, and entries of other types, which pass unchanged."""
        return read_each(tools, "tools", read_typed_tool)

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Some steps have types that no other interface has."""
        return any(is_one_of(step.get("type"), _OWN_STEPS) for step in iterate_objects(messages))

    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """One message for each step; the calls of one answer stand together at its first call."""
        return join_calls(read_each(messages, "messages", _read_step))

    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The calls among the steps: a list of them, one of them, or a whole interaction."""
        if isinstance(message, Mapping) and is_list(message.get("steps")):
            message = message["steps"]
        steps = message if is_list(message) else [message]
        return tuple(call for read in read_each(steps, "message", _read_step) for call in read.calls)

    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """One step for each result; what a search found is a list of definitions."""
        return tuple(map(_write_result, results))

    def make_block(self, text: str) -> JsonObject:
        """Instructions have no blocks; this one is joined into the text."""
        return make_text_part(text)

    def read_base(self, base: JsonValue) -> JsonValue:
        """Text, as which a list of text blocks is read."""
        prompt = super().read_base(base)
        return read_prompt_text(prompt) if is_list(prompt) else prompt

    def write_turn(self, message: Message) -> tuple[JsonObject, ...]:
        """A step for the text, and a step for each call."""
        kind = "model_output" if message.role is Role.ASSISTANT else "user_input"
        turn: list[JsonObject] = []
        if message.text is not None:
            turn.append({"type": kind, "content": [make_text_part(message.text)]})
        turn.extend(map(_write_call, message.calls))
        return tuple(turn)

    def prompt_request(self, messages: Sequence[JsonValue] | None, system: JsonValue) -> JsonObject:
        """`system_instruction` and `input`."""
        return drop_empty(system_instruction=system, input=messages)

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"tools": […]}`."""
        return drop_empty(tools=list(self.list_tools(vendor_entries, tools)))


def _read_step(value: JsonValue, path: str) -> Message:
    step = need_object(value, path)
    kind = step.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    return reader(step, path) if reader is not None else Message(Role.ASSISTANT, other_parts=1)


def _read_content(step: JsonObject, path: str, role: Role) -> Message:
    text, others = read_content(step.get("content"), f"{path}.content")
    return Message(role, text, other_parts=others)


def _read_call(step: JsonObject, path: str) -> Message:
    name = need_name(step.get("name"), f"{path}.name")
    call = ToolCall(choose_id(step.get("id"), name), name, read_arguments(step.get("arguments")))
    return Message(Role.ASSISTANT, calls=(call,))


def _read_result(step: JsonObject, _path: str) -> Message:
    name = step.get("name")
    call_id = choose_id(step.get("call_id"), name if isinstance(name, str) else "")
    result = step.get("result")
    held: JsonValue = {"tools": result} if _are_definitions(result) else result
    return Message(Role.TOOL, answers=(make_answer(call_id, held, is_error=step.get("is_error") is True),))


_READERS: Mapping[str, Callable[[JsonObject, str], Message]] = {
    "user_input": partial(_read_content, role=Role.USER),
    "model_output": partial(_read_content, role=Role.ASSISTANT),
    "function_call": _read_call,
    "function_result": _read_result,
}


def _write_call(call: ToolCall) -> JsonObject:
    return {"type": "function_call", "id": call.call_id, "name": call.name, "arguments": call.arguments or {}}


def _are_definitions(result: JsonValue) -> bool:
    return is_list(result) and any(item.get("type") == "function" for item in iterate_objects(result))


def _write_result(result: CallResult) -> JsonObject:
    step: dict[str, Any] = {"type": "function_result", "call_id": result.call_id, "name": result.name}
    if result.found is None:
        step["result"] = write_result(result.value)
    else:
        step["result"] = [one.tool.payload for one in result.found] or NOTHING_FOUND
    return {**step, "is_error": True} if result.is_error else step


def _prune_step(step: JsonObject, stale: Stale) -> JsonObject:
    if step.get("type") != "function_result" or not _are_definitions(step.get("result")):
        return step
    return replace_member(step, "result", lambda result: _prune_definitions(result, stale) or NOTHING_LEFT)


def _prune_definitions(result: JsonValue, stale: Stale) -> JsonValue:
    def prune(item: JsonObject) -> JsonObject | None:
        return item if item.get("type") != "function" or stale.keeps(item.get("name")) else None

    return prune_list(result, prune)


INTERACTIONS = GeminiInteractions()
