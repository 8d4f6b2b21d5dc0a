"""The neutral form: the catalog's own names and schemas, for callers that write their vendor's form themselves.

A tool is `{"name", "title", "description", "parameters", "output_schema", "annotations"}`, the last two only where
there is something to say. Messages are OpenAI Chat's. The request is `{"messages": […], "tools": […]}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolcatalog.contract.export import CallerTool, ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.tools import NO_PARAMETERS, ToolDefinition

from ._caller_tools import read_typed_tool
from ._chat import ChatFormat
from ._notes import Notes
from ._plain import NotPlainError, copy_plain
from ._reading import read_each
from ._writing import PARAMETERS, write_name
from .registry import register


class Generic(ChatFormat):
    """Tools as the catalog holds them."""

    name = "generic"
    label = "the neutral form"

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        """Copies the canonical definition, with `type` and `properties` spelled out. There is no strict mode."""
        del strict, notes
        parameters = copy_plain(tool.parameters or {}, PARAMETERS)
        description = copy_plain(tool.description, "description")
        kind = parameters.get("type", "object") if isinstance(parameters, dict) else None
        if kind != "object" and not (isinstance(kind, list) and "object" in kind):
            raise NotPlainError(PARAMETERS, "is not the schema of an object")
        if kind != "object" or "type" not in parameters or "properties" not in parameters:
            parameters = {**NO_PARAMETERS, **parameters, "type": "object"}
        payload: dict[str, Any] = {
            "name": write_name(exported_name),
            "title": copy_plain(tool.title, "title"),
            "description": "\n\n".join(part for part in (description, " ".join(tool.closing)) if part),
            "parameters": parameters,
        }
        for key, value in (("output_schema", tool.output_schema), ("annotations", tool.annotations)):
            if value:
                payload[key] = copy_plain(value, key)
        return ExportedTool(exported_name, payload)

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """There is no neutral dialect: messages are some vendor's."""
        del messages
        return False

    def read_tools(self, tools: Sequence[JsonValue]) -> tuple[CallerTool, ...]:
        """Neutral definitions, and the forms of the vendors that are told apart without knowing the vendor."""
        return read_each(
            tools, "tools", lambda value, path: read_typed_tool(value, path, "input_schema", "inputSchema")
        )

    def tools_request(self, vendor_entries: Sequence[JsonObject], tools: Sequence[ExportedTool]) -> JsonObject:
        """`{"tools": […]}`."""
        entries = self.list_tools(vendor_entries, tools)
        return {"tools": list(entries)} if entries else {}


register(Generic())
