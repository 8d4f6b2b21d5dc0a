"""Short forms for the tests of formats."""

from __future__ import annotations

from typing import Any

from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import FORMATS, get_format

ALL = tuple(FORMATS)
VENDORS = tuple(name for name in FORMATS if name != "generic")
INLINING = ("bedrock", "gemini")


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def make_tool(parameters: Any = None, **members: Any) -> ToolDefinition:
    given = {"name": "get_order", "description": "Looks an order up.", **members}
    return ToolDefinition(parameters=obj() if parameters is None else parameters, **given)


def export(format_name: str, parameters: Any = None, *, strict: bool = False, **members: Any) -> ExportedTool:
    tool = make_tool(parameters, **members)
    format_ = get_format(format_name)
    return format_.export_tool(tool, format_.export_name(tool.name), strict=strict)


def definition_of(format_name: str, exported: ExportedTool) -> Any:
    """The member of the payload that has name and description."""
    rules = get_format(format_name).rules
    return exported.payload[rules.wrapped_in] if rules is not None and rules.wrapped_in else exported.payload


def schema_of(format_name: str, exported: ExportedTool) -> Any:
    value: Any = definition_of(format_name, exported)
    rules = get_format(format_name).rules
    for key in ("parameters",) if rules is None else rules.schema_key:
        value = value[key]
    return value


def export_schema(format_name: str, parameters: Any, *, strict: bool = False) -> Any:
    return schema_of(format_name, export(format_name, parameters, strict=strict))


def export_property(format_name: str, schema: Any, *, strict: bool = False) -> Any:
    """What becomes of the schema of one property called `x`."""
    return export_schema(format_name, obj(x=schema), strict=strict)["properties"]["x"]


def codes(exported: ExportedTool) -> set[str]:
    return {finding.code for finding in exported.findings}
