"""Anthropic Messages.

A tool is `{"name", "description", "input_schema"}`, with `"strict": true` where strict mode is asked for and possible.
The request is `client.messages.create(**request, model=…, max_tokens=…)`: `system` (text, or blocks where the caller
gave blocks), `messages` and `tools`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolcatalog.contract.conversation import Message, Role, ToolAnswer, ToolCall
from toolcatalog.contract.export import ArgumentMap, CallerTool, ExportedTool, Finding
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._answers import make_answer, write_result
from ._caller_tools import read_typed_tool
from ._chat import make_text_part
from ._deferred import show_deferred
from ._field import FieldFormat, drop_empty
from ._names import LETTERS, WORD_AND_HYPHEN, NameRule
from ._native_anthropic import AnthropicNative, write_references
from ._notes import Notes
from ._reading import (
    choose_id,
    is_list,
    is_one_of,
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
from ._schemas import (
    ANTHROPIC_STRICT,
    count_optional_and_unions,
    has_refs,
    has_refused_keys,
    inline_refs,
    rename_data,
    rename_keys,
)
from ._writing import PARAMETERS, prepare_parameters, write_description, write_name, write_strictly
from .base import CallResult
from .checker import PORTABLE, ProviderRules
from .registry import register

MAX_STRICT_TOOLS = 20
MAX_STRICT_OPTIONALS = 24
MAX_STRICT_UNIONS = 16

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}
_OWN_BLOCKS = frozenset({"redacted_thinking", "server_tool_use", "thinking", "tool_result", "tool_use"})
_OPTIONAL = frozenset({"allowed_callers", "cache_control", "defer_loading", "eager_input_streaming"})
_OPTIONAL |= {"input_examples", "strict"}
_KEY_RULE = NameRule(WORD_AND_HYPHEN | {"."}, first=WORD_AND_HYPHEN | {"."}, prefix="p", stem="p")


class Anthropic(FieldFormat):
    """Tools and messages of the Messages interface."""

    name = "anthropic"
    label = "Anthropic"
    name_rule = NameRule(WORD_AND_HYPHEN, first=LETTERS | {"_"}, prefix="t", stem="tool")
    keeps_blocks = True
    rules = ProviderRules(
        schema_key=("input_schema",),
        name_characters=PORTABLE,
        members=frozenset({"name", "description", "input_schema"}) | _OPTIONAL,
        root_refused=frozenset({"allOf", "anyOf", "oneOf"}),
        key_characters=WORD_AND_HYPHEN | {"."},
        strict="anthropic",
    )
    caller_members = _OPTIONAL
    has_native_disclosure = True
    native = AnthropicNative()

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """Renames the properties whose names Anthropic refuses; references stay, unless properties are renamed."""
        root = prepare_parameters(tool, notes, inline=False)
        whole = root.schema
        if has_refused_keys(whole, _KEY_RULE) and has_refs(whole):
            whole, _ = inline_refs(whole, PARAMETERS, notes)
        schema, keys = rename_keys(whole, PARAMETERS, _KEY_RULE, notes)
        head: dict[str, Any] = {
            "name": write_name(exported_name),
            **write_description(tool.description, (*root.rules, *tool.closing), notes),
        }
        payload = {**head, "input_schema": schema}
        written = write_strictly(schema, ANTHROPIC_STRICT, notes, is_exact=root.is_exact) if strict else None
        arguments = ArgumentMap(keys)
        if written is None:
            return ExportedTool(exported_name, payload, arguments, notes.findings)
        strict_payload = {**head, "input_schema": written[0], "strict": True}
        return ExportedTool(exported_name, strict_payload, arguments, notes.findings, relaxed=payload)

    def export_caller_tool(self, tool: CallerTool, exported_name: str, *, strict: bool = False) -> ExportedTool:
        """The examples of input have to fit the schema, so that renamed properties have their new names there too."""
        exported = super().export_caller_tool(tool, exported_name, strict=strict)
        names = {original: key for key, original in exported.arguments.keys.items()}
        if not names:
            return exported
        relaxed = None if exported.relaxed is None else _rename_examples(exported.relaxed, names)
        return replace(exported, payload=_rename_examples(exported.payload, names), relaxed=relaxed)

    def fit_set(
        self, tools: Sequence[ExportedTool], vendor_entries: Sequence[JsonObject] = ()
    ) -> tuple[ExportedTool, ...]:
        """All strict, or none: the whole set goes without where it asks for more than a request may hold.

        The caller's tools are deferred only where a search tool of the vendor's is there to load them.
        """
        searches = any(str(entry.get("type")).startswith("tool_search_tool_") for entry in vendor_entries)
        return fit_strict_budget(tools if searches else show_deferred(tools, self))

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions, Anthropic's, and entries of the vendor's own types, which pass unchanged."""
        return read_each(tools, "tools", _read_tool)

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Calls, answers and thoughts that are blocks of the content are Anthropic's alone."""
        return any(
            is_one_of(block.get("type"), _OWN_BLOCKS)
            for message in iterate_objects(messages)
            for block in iterate_objects(message.get("content"))
        )

    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """Reads text and blocks; what the vendor runs itself is no call."""
        return read_each(messages, "messages", _read_message)

    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The `tool_use` blocks of an assistant message, or of its list of blocks."""
        value = {"role": "assistant", "content": message} if is_list(message) else message
        return _read_message(value, "message").calls

    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """One user message with all the results."""
        return ({"role": "user", "content": [_write_result(result) for result in results]},)

    def make_block(self, text: str) -> JsonObject:
        """A text block."""
        return make_text_part(text)

    def write_turn(self, message: Message) -> tuple[JsonObject, ...]:
        """Text as it is; with calls, a list of blocks."""
        if message.text is None and not message.calls:
            return ()
        if not message.calls:
            return ({"role": message.role.value, "content": message.text},)
        texts = [] if message.text is None else [make_text_part(message.text)]
        calls: list[JsonObject] = [
            {"type": "tool_use", "id": call.call_id, "name": call.name, "input": call.arguments or {}}
            for call in message.calls
        ]
        return ({"role": "assistant", "content": [*texts, *calls]},)

    def prompt_request(self, messages: Sequence[JsonValue] | None, system: JsonValue) -> JsonObject:
        """`system` and `messages`."""
        return drop_empty(system=system, messages=messages)

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"tools": […]}`."""
        return drop_empty(tools=list(self.list_tools(vendor_entries, tools)))


def fit_strict_budget(tools: Sequence[ExportedTool]) -> tuple[ExportedTool, ...]:
    """The tools as they are, or, where the strict ones exceed what one request may hold, all without strict mode.

    A request may have 20 strict tools, with 24 optional and 16 union-typed parameters among them; each tool that loses
    strict mode gets a finding. Those that the caller itself declares strict count, and stay.
    """
    strict = [tool for tool in tools if tool.payload.get("strict") is True]
    counts = [count_optional_and_unions(_schema_of(tool.payload)) for tool in strict]
    fits = (
        len(strict) <= MAX_STRICT_TOOLS
        and sum(optional for optional, _ in counts) <= MAX_STRICT_OPTIONALS
        and sum(unions for _, unions in counts) <= MAX_STRICT_UNIONS
    )
    return tuple(tools) if fits else tuple(map(_relax, tools))


def _rename_examples(payload: JsonObject, names: Mapping[str, str]) -> JsonObject:
    examples = payload.get("input_examples")
    return payload if examples is None else {**payload, "input_examples": rename_data(examples, names)}


def _relax(tool: ExportedTool) -> ExportedTool:
    if tool.relaxed is None:
        return tool
    text = f"Together these tools are more than Anthropic checks strictly in one request; “{tool.name}” goes without."
    finding = Finding("anthropic", "strict_budget", "", text)
    return replace(tool, payload=tool.relaxed, relaxed=None, findings=(*tool.findings, finding))


def _schema_of(payload: JsonObject) -> Any:
    return payload["input_schema"]


def _read_tool(value: JsonValue, path: str) -> CallerTool:
    return read_typed_tool(value, path, "input_schema", members=_OPTIONAL)


def _write_result(result: CallResult) -> JsonObject:
    content: JsonValue = write_result(result.value) if result.found is None else write_references(result.found)
    block = {"type": "tool_result", "tool_use_id": result.call_id, "content": content}
    return {**block, "is_error": True} if result.is_error else block


def _read_message(value: JsonValue, path: str) -> Message:
    message = need_object(value, path)
    role = need_role(message.get("role"), f"{path}.role", _ROLES)
    content = message.get("content")
    if content is None or isinstance(content, str):
        return Message(role, content or None)
    texts: list[str] = []
    calls: list[ToolCall] = []
    answers: list[ToolAnswer] = []
    blocks = need_list(content, f"{path}.content")
    for index, value_of_block in enumerate(blocks):
        where = f"{path}.content[{index}]"
        block = need_object(value_of_block, where)
        match block.get("type"):
            case "text":
                texts.append(need_text(block.get("text"), f"{where}.text"))
            case "tool_use":
                calls.append(_read_call(block, where))
            case "tool_result":
                answers.append(_read_answer(block))
    only_answers = role is Role.USER and answers and len(answers) == len(blocks)
    others = len(blocks) - len(texts) - len(calls) - len(answers)
    return Message(Role.TOOL if only_answers else role, join_texts(texts), tuple(calls), tuple(answers), others)


def _read_call(block: Mapping[str, JsonValue], path: str) -> ToolCall:
    name = need_name(block.get("name"), f"{path}.name")
    is_member = block.get("toolset_name") is not None
    return ToolCall(choose_id(block.get("id"), name), name, read_arguments(block.get("input")), is_callers=is_member)


def _read_answer(block: Mapping[str, JsonValue]) -> ToolAnswer:
    call_id = choose_id(block.get("tool_use_id"), "")
    return make_answer(call_id, block.get("content"), is_error=block.get("is_error") is True)


register(Anthropic())
