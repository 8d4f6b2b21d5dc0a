"""OpenAI Chat Completions, and the many services that speak the same language.

A tool is `{"type": "function", "function": {"name", "description", "parameters"}}`, with `"strict": true` where strict
mode is asked for and possible. The request is `client.chat.completions.create(**request, model=…)`: `messages` with the
system prompt as its first message, and `tools`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolcatalog.contract.export import CallerTool, ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import ToolDefinition

from ._caller_tools import read_typed_tool
from ._chat import ChatFormat
from ._notes import Notes
from ._openai import MAX_TOOLS, NAME_RULE, write_function
from ._reading import read_each
from ._writing import write_name
from .checker import LETTERS, PORTABLE, ROOT_COMBINATORS, ProviderRules
from .registry import register


class OpenAIChat(ChatFormat):
    """Tools and messages of Chat Completions."""

    name = "openai_chat"
    label = "OpenAI"
    name_rule = NAME_RULE
    max_tools = MAX_TOOLS
    rules = ProviderRules(
        schema_key=("parameters",),
        wrapped_in="function",
        name_characters=PORTABLE,
        name_first=LETTERS,
        max_description=1024,
        members=frozenset({"name", "description", "parameters", "strict"}),
        root_refused=ROOT_COMBINATORS,
        needs_items=True,
        strict="openai",
    )
    caller_members = frozenset({"strict"})

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """Leaves `strict` out where it is off: not every service that speaks this language knows it."""
        written = write_function(tool, strict=strict, notes=notes)
        function: dict[str, Any] = {
            "name": write_name(exported_name),
            **written.description,
            "parameters": written.parameters,
        }
        mode = {"strict": True} if written.is_strict else {}
        payload: dict[str, Any] = {"type": "function", "function": {**function, **mode}}
        return ExportedTool(exported_name, payload, written.arguments, notes.findings)

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions, `{"type": "function"}` entries, and entries of other types, which pass unchanged."""
        return read_each(tools, "tools", lambda value, path: read_typed_tool(value, path, members=self.caller_members))

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"tools": […]}`."""
        entries = self.list_tools(vendor_entries, tools)
        return {"tools": list(entries)} if entries else {}


register(OpenAIChat())
