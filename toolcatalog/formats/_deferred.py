"""Tools that the caller declares deferred by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from toolcatalog.contract.export import ExportedTool, Finding
from toolcatalog.contract.json import JsonObject

from .base import Format


def show_deferred(tools: Iterable[ExportedTool], format_: Format) -> tuple[ExportedTool, ...]:
    """The tools, none of them deferred: nothing in the request could load them, and vendors refuse one where all are.

    Each tool that is changed gets a finding.
    """
    return tuple(_show(tool, format_) if tool.payload.get("defer_loading") else tool for tool in tools)


def _show(tool: ExportedTool, format_: Format) -> ExportedTool:
    text = f"No search tool of {format_.label} is passed that could load “{tool.name}”: it is sent as a plain tool."
    finding = Finding(format_.name, "not_deferred", "defer_loading", text)
    relaxed = None if tool.relaxed is None else _without_mark(tool.relaxed)
    return replace(tool, payload=_without_mark(tool.payload), relaxed=relaxed, findings=(*tool.findings, finding))


def _without_mark(payload: JsonObject) -> JsonObject:
    return {key: value for key, value in payload.items() if key != "defer_loading"}
