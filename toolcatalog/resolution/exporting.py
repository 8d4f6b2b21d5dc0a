"""Writes the tools of an answer in the asked format. What was written once for a revision is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import orjson

from toolcatalog.contract.catalog import ToolContent, ToolStatus
from toolcatalog.contract.export import ExportedTool, Finding
from toolcatalog.contract.json import dump_json
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Notice, Omission
from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import Format, NotExportable, export_names, get_format
from toolcatalog.text import count_model_tokens

from .assembling import Line
from .catalog import ExportedNames, TenantCatalog
from .entry import EntryTool, define_entry_tool

MAX_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class SentTool:
    """One tool as it is sent: `json` is the rendered payload, `tokens` its size."""

    line: Line
    tool: ExportedTool
    json: bytes
    tokens: int


@dataclass(frozen=True, slots=True)
class SentTools:
    """All tools as they are sent, in order, with what was left out and what was changed."""

    tools: tuple[SentTool, ...]
    omitted: tuple[Omission, ...]
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class _ExportKey:
    """What decides the bytes of one exported tool. The content itself is pinned by its revision."""

    format: Format
    tool_id: int
    revision: int
    exported_name: str
    strict: bool
    description: str
    content: ToolContent = field(compare=False)
    category: str | None = field(compare=False, default=None)


@dataclass(frozen=True, slots=True)
class _Exported:
    tool: ExportedTool | None
    finding: Finding | None
    json: bytes = b""
    tokens: int = 0


def export_lines(catalog: TenantCatalog, format_: Format, lines: Sequence[Line], *, strict: bool) -> SentTools:
    """Write every line. A tool that the format cannot carry is left out with a reason; the others go."""
    names = catalog.names(format_)
    taken = {names.exported[line.name] for line in lines if line.decision is not None or line.entry is not None}
    sent: list[SentTool] = []
    omitted: list[Omission] = []
    notices: list[Notice] = []
    for line in lines:
        exported = _export_line(format_, line, names, taken, strict=strict)
        if exported.tool is None:
            omitted.append(Omission(line.name, Reason.NOT_EXPORTABLE))
        else:
            sent.append(SentTool(line, exported.tool, exported.json, exported.tokens))
        notices.extend(_notices(line, exported))
    return SentTools(tuple(sent), tuple(omitted), tuple(notices))


def _notices(line: Line, exported: _Exported) -> list[Notice]:
    findings = [exported.finding] if exported.tool is None else exported.tool.findings
    notices = [Notice(finding.code, line.name, finding.message) for finding in findings if finding is not None]
    if exported.tool is not None and exported.tool.name != line.name and not any(n.code == "renamed" for n in notices):
        notices.insert(0, Notice("renamed", line.name, f"“{line.name}” is sent under the name “{exported.tool.name}”."))
    return notices


def _export_line(format_: Format, line: Line, names: ExportedNames, taken: set[str], *, strict: bool) -> _Exported:
    if line.caller is not None:
        name = name_caller_tool(format_, line.name, taken)
        taken.add(name)
        caller = line.caller
        return _export(format_, ToolDefinition(caller.name, caller.description, caller.parameters), name, strict=strict)
    if line.entry is not None:
        return _export_entry(format_, line.entry, names.exported[line.name])
    if line.decision is None or line.decision.content is None or line.decision.tool is None:
        raise AssertionError(f"{line.name} was assembled without being allowed")
    return _export_kept(_make_key(format_, line, names, strict=strict))


def name_caller_tool(format_: Format, name: str, taken: set[str]) -> str:
    """The exported name of a caller's own tool: legal, and different from the names of the catalog's tools."""
    plain = format_.export_name(name)
    if plain not in taken:
        return plain
    return export_names(format_, [name, *(f"{plain}_{index}" for index in range(2)), plain + " "])[name]


def _make_key(format_: Format, line: Line, names: ExportedNames, *, strict: bool) -> _ExportKey:
    decision = line.decision
    if decision is None or decision.content is None or decision.tool is None:
        raise AssertionError(f"{line.name} was assembled without being allowed")
    tool, content = decision.tool, decision.content
    description = content.description
    if tool.status is ToolStatus.DEPRECATED:
        description = _deprecate(description, tool.replaced_by, names)
    return _ExportKey(
        format_, tool.id, decision.revision, names.exported[tool.name], strict, description, content, tool.category
    )


def _deprecate(description: str, replaced_by: str | None, names: ExportedNames) -> str:
    """The description with a sentence that says so and names the replacement (X8). Search never reads it."""
    sentence = "This tool is deprecated."
    if replaced_by is not None:
        sentence = f"This tool is deprecated; use {names.exported.get(replaced_by, replaced_by)} instead."
    return f"{description.rstrip()} {sentence}".lstrip()


@lru_cache(maxsize=MAX_KEPT)
def _export_kept(key: _ExportKey) -> _Exported:
    content = key.content
    definition = ToolDefinition(
        name=content.name,
        description=key.description,
        parameters=orjson.loads(content.parameters),
        title=content.title,
        output_schema=None if content.output_schema is None else orjson.loads(content.output_schema),
        annotations=content.annotations,
        category=key.category,
    )
    return _export(key.format, definition, key.exported_name, strict=key.strict)


def _export(format_: Format, definition: ToolDefinition, name: str, *, strict: bool) -> _Exported:
    try:
        tool = format_.export_tool(definition, name, strict=strict)
    except NotExportable as error:
        return _Exported(None, error.finding)
    payload = dump_json(tool.payload)
    return _Exported(tool, None, payload, count_model_tokens(payload.decode()))


@lru_cache(maxsize=MAX_KEPT)
def _export_entry(format_: Format, entry: EntryTool, name: str) -> _Exported:
    return _export(format_, define_entry_tool(entry), name, strict=False)


@lru_cache(maxsize=64)
def wrapper_tokens(format_: Format) -> int:
    """How many tokens a format puts around each tool, beyond the neutral form's."""
    definition = ToolDefinition("tool", "A tool.")
    return (
        _export(format_, definition, "tool", strict=False).tokens
        - _export(get_format("generic"), definition, "tool", strict=False).tokens
    )
