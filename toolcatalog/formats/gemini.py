"""Gemini's generateContent.

A tool is one function declaration, `{"name", "description", "parameters"}` with `parameters` in Gemini's own subset of
OpenAPI; the tool list wraps all of them in one `{"functionDeclarations": […]}`. Messages are `contents`. The request is
`client.models.generate_content(**request, model=…)`: `contents`, and `config` with `systemInstruction` and `tools`, in
the spelling of the REST interface, where the members of `config` stand beside `contents`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolcatalog.contract.conversation import Message, Role, ToolAnswer, ToolCall
from toolcatalog.contract.export import ArgumentMap, CallerTool, ExportedTool, Finding
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._answers import bound_result, make_answer
from ._caller_tools import make_caller_tool, make_vendor_entry, read_typed_tool
from ._field import FieldFormat, drop_empty
from ._gemini import KEY_RULE, MAX_TOOLS, NAME_RULE
from ._notes import Notes
from ._openapi import from_openapi
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
from ._schemas import COMBINATORS, CONDITIONS, fill_items, rename_keys, to_gemini_schema
from ._writing import PARAMETERS, prepare_parameters, write_description, write_name
from .base import CallResult, Format
from .checker import LETTERS, WORD, ProviderRules
from .gemini_interactions import INTERACTIONS
from .registry import register

SAFE_LEVELS = 5
"""How many objects and arrays inside one another are taken to be safe; the vendor states no limit."""

_OPTIONAL = frozenset({"behavior", "response", "responseJsonSchema"})
_KEYWORDS = frozenset(
    {"anyOf", "description", "enum", "format", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems"}
    | {"minLength", "minProperties", "minimum", "nullable", "pattern", "properties", "required", "title", "type"}
)
_ROLES = {"user": Role.USER, "model": Role.ASSISTANT, "function": Role.TOOL}


class Gemini(FieldFormat):
    """Tools and contents of generateContent."""

    name = "gemini"
    label = "Gemini"
    name_rule = NAME_RULE
    max_tools = MAX_TOOLS
    rules = ProviderRules(
        schema_key=("parameters",),
        name_characters=WORD | frozenset(".:-"),
        name_first=LETTERS | {"_"},
        members=frozenset({"name", "description", "parameters"}) | _OPTIONAL,
        needs_schema=False,
        keywords=_KEYWORDS,
        key_characters=WORD,
        key_first=LETTERS | {"_"},
        needs_items=True,
        takes_type_lists=False,
        is_openapi=True,
    )
    caller_members = _OPTIONAL
    reads_plain_messages = False
    has_native_disclosure = True

    def native_form(self) -> Format:
        """Deferred tools are a matter of the Interactions interface."""
        return INTERACTIONS

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """Writes everything in Gemini's subset; a tool without parameters has no `parameters`."""
        root = prepare_parameters(tool, notes, inline=True, refused=(*COMBINATORS, *CONDITIONS))
        schema, keys = rename_keys(root.schema, PARAMETERS, KEY_RULE, notes)
        parameters = to_gemini_schema(fill_items(schema, PARAMETERS, notes), PARAMETERS, notes)
        payload: dict[str, Any] = {
            "name": write_name(exported_name),
            **write_description(tool.description, (*root.rules, *tool.closing), notes),
        }
        if "properties" in parameters:
            payload["parameters"] = parameters
        if strict:
            notes.add("not_strict", "", "Gemini has no strict mode; the tool is sent without.")
        return ExportedTool(exported_name, payload, ArgumentMap(keys), notes.findings)

    def check_tool(self, tool: ToolDefinition, exported_name: str) -> tuple[Finding, ...]:
        """How deep a schema may be the vendor does not state, so that it is told here and nothing is cut."""
        findings = super().check_tool(tool, exported_name)
        if any(finding.fatal for finding in findings):
            return findings
        levels = _count_levels(self.export_tool(tool, exported_name).payload.get("parameters"))
        if levels <= SAFE_LEVELS:
            return findings
        text = f"Gemini refuses what is nested too deep, and does not say how deep that is. This has {levels} levels."
        return (*findings, Finding(self.name, "deeply_nested", "parameters", text))

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions, declarations with or without their wrapper, and the vendor's own entries."""
        groups = read_each(tools, "tools", lambda value, path: tuple(_read_tools(value, path)))
        return tuple(tool for group in groups for tool in group)

    def list_tools(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> tuple[JsonObject, ...]:
        """The vendor's entries, then one entry with all declarations."""
        if not tools:
            return tuple(vendor_entries)
        return (*vendor_entries, {"functionDeclarations": [tool.payload for tool in tools]})

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Contents have parts."""
        return any(is_list(message.get("parts")) for message in iterate_objects(messages))

    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """Reads text, calls and responses; thoughts are no text."""
        return read_each(messages, "messages", _read_content)

    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The `functionCall` parts of a model's content, of its list of parts, or of a candidate."""
        if isinstance(message, Mapping) and isinstance(message.get("content"), Mapping):
            message = message["content"]
        value: JsonValue = {"role": "model", "parts": message} if is_list(message) else message
        return _read_content(value, "message").calls

    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """One user content with all the responses, each under the exported name of its tool."""
        return ({"role": "user", "parts": [{"functionResponse": _write_response(result)} for result in results]},)

    def make_block(self, text: str) -> JsonObject:
        """A text part."""
        return {"text": text}

    def read_base(self, base: JsonValue) -> JsonValue:
        """Text, a list of parts, or a whole content."""
        if isinstance(base, Mapping) and is_list(base.get("parts")):
            return base if super().read_base(base["parts"]) is not None else None
        return super().read_base(base)

    def add_to_system(self, system: JsonValue, additions: str) -> JsonValue:
        """Inside a content, the additions are a new last part."""
        if not isinstance(system, Mapping):
            return super().add_to_system(system, additions)
        parts = super().add_to_system(system["parts"], additions)
        return system if parts is system["parts"] else {**system, "parts": parts}

    def write_turn(self, message: Message) -> tuple[JsonObject, ...]:
        """A content with a part for the text and one for each call."""
        texts: list[JsonObject] = [] if message.text is None else [{"text": message.text}]
        calls = [{"functionCall": _write_call(call)} for call in message.calls]
        parts = [*texts, *calls]
        return ({"role": "model" if message.role is Role.ASSISTANT else "user", "parts": parts},) if parts else ()

    def prompt_request(self, messages: Sequence[JsonValue] | None, system: JsonValue) -> JsonObject:
        """`contents`, and `config` with `systemInstruction`."""
        return drop_empty(contents=messages, config=drop_empty(systemInstruction=system))

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"config": {"tools": […]}}`."""
        return drop_empty(config=drop_empty(tools=list(self.list_tools(vendor_entries, tools))))


def _count_levels(schema: JsonValue) -> int:
    """How many objects and arrays stand inside one another in a schema of this vendor's."""
    if not isinstance(schema, Mapping):
        return 0
    properties = schema.get("properties")
    inner = [*(properties.values() if isinstance(properties, Mapping) else ()), schema.get("items")]
    inner += iterate_objects(schema.get("anyOf"))
    own = 1 if schema.get("type") in ("ARRAY", "OBJECT") else 0
    return own + max(map(_count_levels, inner), default=0)


def _read_tools(value: JsonValue, path: str) -> Iterator[CallerTool]:
    entry = need_object(value, path)
    wrappers = [key for key in ("functionDeclarations", "function_declarations") if entry.get(key) is not None]
    if not wrappers and "name" in entry:
        yield _read_declaration(entry, path)
        return
    rest = {key: member for key, member in entry.items() if key not in wrappers}
    if rest or not wrappers:
        yield make_vendor_entry(rest, path, next(iter(rest), None))
    for key in wrappers:
        yield from read_each(need_list(entry[key], f"{path}.{key}"), f"{path}.{key}", _read_declaration)


def _read_declaration(value: JsonValue, path: str) -> CallerTool:
    declaration = need_object(value, path)
    if "type" in declaration:
        return read_typed_tool(declaration, path)
    keys = ("parametersJsonSchema", "parameters_json_schema")
    tool = make_caller_tool(declaration, path, *keys, members=_OPTIONAL)
    return replace(tool, parameters=from_openapi(tool.parameters, f"{path}.parameters"))


def _read_content(value: JsonValue, path: str) -> Message:
    content = need_object(value, path)
    role = need_role(content.get("role") or "user", f"{path}.role", _ROLES)
    texts: list[str] = []
    calls: list[ToolCall] = []
    answers: list[ToolAnswer] = []
    parts = need_list(content.get("parts"), f"{path}.parts")
    for index, value_of_part in enumerate(parts):
        where = f"{path}.parts[{index}]"
        part = need_object(value_of_part, where)
        if "text" in part and not part.get("thought"):
            texts.append(need_text(part["text"], f"{where}.text"))
        elif (call := _get_either(part, "functionCall", "function_call")) is not None:
            calls.append(_read_call(need_object(call, where), where))
        elif (response := _get_either(part, "functionResponse", "function_response")) is not None:
            answers.append(_read_answer(need_object(response, where), where))
    only_answers = answers and len(answers) == len(parts)
    others = len(parts) - len(texts) - len(calls) - len(answers)
    return Message(Role.TOOL if only_answers else role, join_texts(texts), tuple(calls), tuple(answers), others)


def _get_either(part: JsonObject, camel: str, snake: str) -> JsonValue:
    value = part.get(camel)
    return part.get(snake) if value is None else value


def _read_call(call: JsonObject, path: str) -> ToolCall:
    name = need_name(call.get("name"), f"{path}.name")
    return ToolCall(choose_id(call.get("id"), name), name, read_arguments(call.get("args")))


def _read_answer(response: JsonObject, path: str) -> ToolAnswer:
    """The response's `output` or `result` is what the tool gave, its `error` an error text, else the whole is it."""
    name = need_name(response.get("name"), f"{path}.name")
    call_id = choose_id(response.get("id"), name)
    held = response.get("response")
    if not isinstance(held, Mapping):
        return make_answer(call_id, held)
    for key in ("output", "result"):
        if key in held:
            return make_answer(call_id, held[key])
    return make_answer(call_id, held["error"], is_error=True) if "error" in held else make_answer(call_id, held)


def _write_call(call: ToolCall) -> JsonObject:
    return {**_write_id(call.call_id, call.name), "name": call.name, "args": call.arguments or {}}


def _write_response(result: CallResult) -> JsonObject:
    held: JsonObject = {"error" if result.is_error else "output": bound_result(result.value)}
    return {**_write_id(result.call_id, result.name), "name": result.name, "response": held}


def _write_id(call_id: str, name: str) -> dict[str, str]:
    """A call that came without an id was given the tool's name as one, which the provider does not know."""
    return {} if call_id in ("", name) else {"id": call_id}


register(Gemini(), INTERACTIONS)
