"""The Model Context Protocol: the answer of `tools/list`.

A tool is `{"name", "title", "description", "inputSchema", "outputSchema", "annotations"}`; the schema stays as it is.
The protocol has no conversation of its own: messages are read and returned as OpenAI Chat's, and the system prompt is
their first message. Results are written as the answer of `tools/call`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.contract.export import CallerTool, ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._answers import bound_result, write_result
from ._caller_tools import read_typed_tool
from ._chat import ChatFormat, make_text_part
from ._names import WORD, NameRule
from ._notes import Notes
from ._plain import copy_plain
from ._reading import read_each
from ._writing import copy_annotations, prepare_parameters, write_description, write_name
from .base import CallResult
from .checker import ProviderRules
from .registry import register

_CHARACTERS = WORD | frozenset(".-")
_OPTIONAL = frozenset({"_meta", "annotations", "execution", "icons", "outputSchema", "title"})


class Mcp(ChatFormat):
    """Tools as an MCP server lists them."""

    name = "mcp"
    label = "MCP"
    name_rule = NameRule(_CHARACTERS, first=_CHARACTERS, prefix="t", stem="tool")
    """The protocol takes 128 characters, some of its best known clients 64."""
    rules = ProviderRules(
        schema_key=("inputSchema",),
        name_characters=_CHARACTERS,
        members=frozenset({"name", "description", "inputSchema"}) | _OPTIONAL,
    )
    caller_members = _OPTIONAL

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """The whole of JSON Schema is taken, as long as the root is an object."""
        root = prepare_parameters(tool, notes, inline=False, refused=())
        payload: dict[str, Any] = {"name": write_name(exported_name)}
        if tool.title.strip():
            payload["title"] = copy_plain(tool.title, "title")
        payload |= {**write_description(tool.description, tool.closing, notes), "inputSchema": root.schema}
        output_schema = _write_output_schema(tool.output_schema, notes)
        annotations = copy_annotations(tool.annotations)
        payload |= {"outputSchema": output_schema} if output_schema else {}
        payload |= {"annotations": annotations} if annotations else {}
        if strict:
            notes.add("not_strict", "", "MCP has no strict mode; the tool is sent without.")
        return ExportedTool(exported_name, payload, findings=notes.findings)

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """There are no messages of this protocol."""
        del messages
        return False

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions and MCP's."""
        return read_each(tools, "tools", _read_tool)

    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """One `tools/call` answer for each result; an object is given as structured content too, an error never is."""
        return tuple(map(_write_call_result, results))

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"tools": […]}`."""
        entries = self.list_tools(vendor_entries, tools)
        return {"tools": list(entries)} if entries else {}


def _read_tool(value: JsonValue, path: str) -> CallerTool:
    return read_typed_tool(value, path, "inputSchema", members=_OPTIONAL)


def _write_output_schema(schema: JsonObject | None, notes: Notes) -> Any:
    plain = copy_plain(schema, "output_schema")
    if not plain:
        return None
    if plain.get("type") != "object":
        notes.add("output_schema_left_out", "output_schema", "MCP takes schemas of objects only; this one is left out.")
        return None
    return plain


def _write_call_result(result: CallResult) -> JsonObject:
    value = bound_result(result.value)
    answer: dict[str, Any] = {"content": [make_text_part(write_result(value))], "isError": result.is_error}
    if isinstance(value, Mapping) and not result.is_error:
        answer["structuredContent"] = value
    return answer


register(Mcp())
