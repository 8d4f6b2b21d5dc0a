"""Amazon Bedrock's Converse.

A tool is `{"toolSpec": {"name", "description", "inputSchema": {"json": …}}}`, with references written out and one type
a schema, since what a model takes beyond that depends on the model. The request is
`client.converse(**request, modelId=…)`: `messages`, `system` (always blocks) and `toolConfig`, which is left out when
there are no tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from toolcatalog.contract.conversation import Message, Role, ToolAnswer, ToolCall
from toolcatalog.contract.export import CallerTool, ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._answers import bound_result, make_answer, write_result
from ._bedrock_history import tell_calls
from ._caller_tools import make_caller_tool, make_vendor_entry, read_typed_tool
from ._field import FieldFormat, drop_empty
from ._names import LETTERS, WORD_AND_HYPHEN, NameRule
from ._notes import Notes
from ._reading import (
    choose_id,
    is_list,
    iterate_objects,
    join_texts,
    need_list,
    need_name,
    need_object,
    need_role,
    need_text,
    read_arguments,
    read_each,
)
from ._schemas import spread_type_lists
from ._writing import PARAMETERS, prepare_parameters, write_description, write_name
from .base import CallResult
from .checker import PORTABLE, ROOT_COMBINATORS, ProviderRules
from .registry import register

EMPTY = "The result is empty."

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


class Bedrock(FieldFormat):
    """Tools and messages of Converse."""

    name = "bedrock"
    label = "Bedrock"
    name_rule = NameRule(WORD_AND_HYPHEN, first=LETTERS | {"_"}, prefix="t", stem="tool")
    reads_plain_messages = False
    rules = ProviderRules(
        schema_key=("inputSchema", "json"),
        wrapped_in="toolSpec",
        name_characters=PORTABLE,
        members=frozenset({"name", "description", "inputSchema", "strict"}),
        root_refused=ROOT_COMBINATORS,
        refused=frozenset({"$ref", "$defs", "definitions"}),
        takes_type_lists=False,
    )
    caller_members = frozenset({"strict"})

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """Inlines references and spreads lists of types."""
        root = prepare_parameters(tool, notes, inline=True)
        specification: dict[str, Any] = {
            "name": write_name(exported_name),
            **write_description(tool.description, (*root.rules, *tool.closing), notes),
            "inputSchema": {"json": spread_type_lists(root.schema, PARAMETERS)},
        }
        if strict:
            notes.add("not_strict", "", "Strict mode is not the same for all models on Bedrock; the tool goes without.")
        return ExportedTool(exported_name, {"toolSpec": specification}, findings=notes.findings)

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions, `toolSpec` entries, and `systemTool` and `cachePoint`, which pass unchanged."""
        return read_each(tools, "tools", _read_tool)

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Blocks have no type: what they are is their one key."""
        return any(
            "type" not in block and bool(block.keys() & _BLOCK_KEYS)
            for message in iterate_objects(messages)
            for block in iterate_objects(message.get("content"))
        )

    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """Reads text, `toolUse` and `toolResult` blocks."""
        return read_each(messages, "messages", _read_message)

    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The `toolUse` blocks of an assistant message, of its list of blocks, or of a whole `output`."""
        if isinstance(message, Mapping) and isinstance(message.get("message"), Mapping):
            message = message["message"]
        value: JsonValue = {"role": "assistant", "content": message} if is_list(message) else message
        return _read_message(value, "message").calls

    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """One user message with all the results."""
        return ({"role": "user", "content": [{"toolResult": _write_result(result)} for result in results]},)

    def make_block(self, text: str) -> JsonObject:
        """A text block."""
        return {"text": text}

    def write_turn(self, message: Message) -> tuple[JsonObject, ...]:
        """A message with a block for the text and one for each call."""
        texts: list[JsonObject] = [] if message.text is None else [{"text": message.text}]
        calls: list[JsonObject] = [
            {"toolUse": {"toolUseId": call.call_id, "name": call.name, "input": call.arguments or {}}}
            for call in message.calls
        ]
        blocks = [*texts, *calls]
        return ({"role": message.role.value, "content": blocks},) if blocks else ()

    def write_messages(self, messages: Iterable[Message]) -> Iterator[JsonObject]:
        """User and assistant take turns: what one of them says in a row is one message."""
        turns: list[JsonObject] = []
        for turn in super().write_messages(messages):
            if turns and turns[-1]["role"] == turn["role"]:
                turns[-1] = {**turns[-1], "content": _join_blocks(turns[-1], turn)}
            else:
                turns.append(turn)
        yield from turns

    def prompt_request(self, messages: Sequence[JsonValue] | None, system: JsonValue) -> JsonObject:
        """`system`, as blocks, and `messages`."""
        blocks = [self.make_block(system)] if isinstance(system, str) else system
        return drop_empty(system=blocks, messages=messages)

    def complete_request(self, request: JsonObject) -> JsonObject:
        """Without tools, calls and results of earlier turns are told in words: their blocks would be refused."""
        messages = request.get("messages")
        if "toolConfig" in request or not is_list(messages) or not _has_calls(messages):
            return request
        return {**request, "messages": tell_calls(messages)}

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"toolConfig": {"tools": […]}}`."""
        return drop_empty(toolConfig=drop_empty(tools=list(self.list_tools(vendor_entries, tools))))


_BLOCK_KEYS = frozenset(
    {"cachePoint", "document", "guardContent", "image", "reasoningContent", "text", "toolResult", "toolUse", "video"}
)


def _has_calls(messages: Sequence[JsonValue]) -> bool:
    return any(
        not block.keys().isdisjoint(("toolUse", "toolResult"))
        for message in iterate_objects(messages)
        for block in iterate_objects(message.get("content"))
    )


def _read_tool(value: JsonValue, path: str) -> CallerTool:
    entry = need_object(value, path)
    if entry.get("toolSpec") is not None:
        where = f"{path}.toolSpec"
        specification = need_object(entry["toolSpec"], where)
        schema = specification.get("inputSchema")
        held = need_object(schema, f"{where}.inputSchema").get("json") if schema is not None else None
        return make_caller_tool({**specification, "parameters": held}, where, members=Bedrock.caller_members)
    if "name" in entry:
        return read_typed_tool(entry, path, members=Bedrock.caller_members)
    return make_vendor_entry(entry, path, next(iter(entry), None))


def _read_message(value: JsonValue, path: str) -> Message:
    message = need_object(value, path)
    role = need_role(message.get("role"), f"{path}.role", _ROLES)
    texts: list[str] = []
    calls: list[ToolCall] = []
    answers: list[ToolAnswer] = []
    blocks = need_list(message.get("content"), f"{path}.content")
    for index, value_of_block in enumerate(blocks):
        where = f"{path}.content[{index}]"
        block = need_object(value_of_block, where)
        if "text" in block:
            texts.append(need_text(block["text"], f"{where}.text"))
        elif "toolUse" in block:
            calls.append(_read_call(need_object(block["toolUse"], f"{where}.toolUse"), f"{where}.toolUse"))
        elif "toolResult" in block:
            answers.append(_read_answer(need_object(block["toolResult"], f"{where}.toolResult")))
    only_answers = answers and len(answers) == len(blocks)
    others = len(blocks) - len(texts) - len(calls) - len(answers)
    return Message(Role.TOOL if only_answers else role, join_texts(texts), tuple(calls), tuple(answers), others)


def _read_call(use: JsonObject, path: str) -> ToolCall:
    name = need_name(use.get("name"), f"{path}.name")
    return ToolCall(choose_id(use.get("toolUseId"), name), name, read_arguments(use.get("input")))


def _read_answer(result: JsonObject) -> ToolAnswer:
    content = result.get("content")
    held = [block["json"] for block in iterate_objects(content) if "json" in block]
    is_error = result.get("status") == "error"
    return make_answer(
        choose_id(result.get("toolUseId"), ""), held[0] if len(held) == 1 else content, is_error=is_error
    )


def _join_blocks(first: JsonObject, second: JsonObject) -> list[JsonObject]:
    return [*iterate_objects(first["content"]), *iterate_objects(second["content"])]


def _write_result(result: CallResult) -> JsonObject:
    """Objects go as JSON, everything else as text, which is never blank: the models take no other JSON at the top."""
    value = bound_result(result.value)
    text = write_result(value)
    block: JsonObject = {"json": value} if isinstance(value, Mapping) else {"text": text if text.strip() else EMPTY}
    status = {"status": "error"} if result.is_error else {}
    return {"toolUseId": result.call_id, "content": [block], **status}


register(Bedrock())
