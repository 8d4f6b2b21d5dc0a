"""The answer of an MCP tool as one JSON value."""

from __future__ import annotations

from mcp_types import AudioContent, CallToolResult, ContentBlock, EmbeddedResource, ImageContent, TextContent
from mcp_types import TextResourceContents as TextResource

from toolcatalog.contract.json import JsonValue

from .results import RunResult, RunStatus


def read_mcp_result(result: CallToolResult) -> RunResult:
    """The structured part where there is one, else the texts, one line after another.

    Where there are pictures, sounds or resources, a list of all parts; those are described, not carried: a catalog's
    answers are text. What the tool calls an error is one.
    """
    value = _read_value(result)
    if result.is_error:
        return RunResult(RunStatus.ERROR, {"error": value or "The tool failed and did not say why."})
    return RunResult(RunStatus.OK, value)


def _read_value(result: CallToolResult) -> JsonValue:
    parts = [_read_block(block) for block in result.content]
    texts = [part for part in parts if isinstance(part, str)]
    is_only_text = len(texts) == len(parts)
    structured: JsonValue = result.structured_content
    if structured is None:
        return "\n".join(texts) if is_only_text else parts
    # Servers repeat the structured part as text, for clients that do not know it.
    return structured if is_only_text else {"structured": structured, "content": parts}


def _read_block(block: ContentBlock) -> JsonValue:
    if isinstance(block, TextContent):
        return block.text
    if isinstance(block, ImageContent | AudioContent):
        return {"type": block.type, "mime_type": block.mime_type, "bytes": _count_bytes(block.data)}
    if isinstance(block, EmbeddedResource):
        resource = block.resource
        described: dict[str, JsonValue] = {"type": "resource", "uri": resource.uri, "mime_type": resource.mime_type}
        if isinstance(resource, TextResource):
            return {**described, "text": resource.text}
        return {**described, "bytes": _count_bytes(resource.blob)}
    return {"type": "resource_link", "uri": block.uri, "name": block.name, "description": block.description}


def _count_bytes(base64: str) -> int:
    return len(base64.rstrip("=")) * 3 // 4
