"""Writes the tools of an answer in the asked format. What was written once for a revision is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import orjson

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import CallerTool, ExportedTool, Finding
from toolcatalog.contract.json import JsonObject, dump_json
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Notice, Omission
from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import Format, NotExportable, find_entry_name, get_format
from toolcatalog.text import count_model_tokens

from .assembling import Line, fit_budget, reasons_of_found
from .catalog import TenantCatalog
from .entry import EntryTool, define_entry_tool
from .names import ExportedNames, name_added_tools
from .permission import Permission

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
    """All that decides the bytes of one exported tool: equal keys are written once, whatever tool they are of.

    A number of a revision would not do: after a transaction was rolled back, it comes again with another content.
    """

    format: Format
    exported_name: str
    strict: bool
    name: str
    title: str
    description: str
    closing: tuple[str, ...]
    parameters: bytes
    output_schema: bytes | None
    annotations: bytes
    category: str | None


@dataclass(frozen=True, slots=True)
class _Exported:
    tool: ExportedTool | None
    finding: Finding | None
    json: bytes = b""
    tokens: int = 0


def export_lines(
    catalog: TenantCatalog,
    format_: Format,
    lines: Sequence[Line],
    *,
    strict: bool,
    limit: int,
    vendor_entries: Sequence[JsonObject] = (),
) -> SentTools:
    """Write the lines that fit, at most `limit` tools with the vendor's entries among them.

    A tool that the format cannot carry, or whose name an entry of the vendor's has, is left out with a reason and takes
    no place; the others go. Raises InvalidInput `too_many_tools`.
    """
    names = catalog.names(format_)
    taken_names = find_taken_names(vendor_entries)
    callers = [line.name for line in lines if line.caller is not None]
    own = name_added_tools(format_, callers, names, taken_names)
    hidden = [line for line in lines if line.caller is None and names.exported[line.name] in taken_names]
    _refuse_hidden_entry(hidden)
    lines = [line for line in lines if line not in hidden]
    refused: dict[str, Finding | None] = {}
    while True:
        kept, cut = fit_budget([line for line in lines if line.name not in refused], limit, len(vendor_entries))
        exported = [(line, _export_line(format_, line, names, own, strict=strict)) for line in kept]
        failed = {line.name: one.finding for line, one in exported if one.tool is None}
        refused |= failed
        if not failed:
            break
    sent = [SentTool(line, one.tool, one.json, one.tokens) for line, one in exported if one.tool is not None]
    sent = _fit_set(format_, sent, vendor_entries)
    omitted = [*cut, *(Omission(name, Reason.NOT_EXPORTABLE) for name in refused)]
    omitted += [Omission(line.name, Reason.HIDDEN_BY_OWN) for line in hidden]
    notices = [notice for tool in sent for notice in _notices(tool)]
    notices += [_describe_hidden(line, names) for line in hidden]
    notices += [Notice(found.code, name, found.message) for name, found in refused.items() if found is not None]
    return SentTools(tuple(sent), tuple(omitted), tuple(notices))


def find_taken_names(vendor_entries: Iterable[JsonObject]) -> frozenset[str]:
    """The names in the tool list that the vendor's entries have: vendors refuse a request with two tools of a name."""
    return frozenset(name for entry in vendor_entries if (name := find_entry_name(entry)) is not None)


def _refuse_hidden_entry(hidden: Sequence[Line]) -> None:
    for line in hidden:
        if line.entry is not None:
            message = f"An entry of yours has the name of the catalog's own tool “{line.name}”. Leave it out."
            raise InvalidInput.single("tools", "reserved_name", message)


def _describe_hidden(line: Line, names: ExportedNames) -> Notice:
    exported = names.exported[line.name]
    detail = f"Your own entry “{exported}” has the name that “{line.name}” is sent under; the catalog's is left out."
    return Notice("name_taken", line.name, detail)


def export_allowed(
    catalog: TenantCatalog, format_: Format, permission: Permission, names: Iterable[str], *, strict: bool = False
) -> Iterator[SentTool]:
    """Write the tools of these names that this caller may have and the format can carry; the others are passed over."""
    exported_names = catalog.names(format_)
    for name in names:
        decision = permission.decide(name)
        if decision.allowed:
            line = Line(name, reasons_of_found(decision), decision=decision)
            one = _export_line(format_, line, exported_names, {}, strict=strict)
            if one.tool is not None:
                yield SentTool(line, one.tool, one.json, one.tokens)


def _fit_set(format_: Format, sent: Sequence[SentTool], vendor_entries: Sequence[JsonObject]) -> list[SentTool]:
    """The same tools, written anew where the vendor limits a request as a whole."""
    fitted = format_.fit_set([one.tool for one in sent], vendor_entries)
    return [one if tool is one.tool else _rewrite(one, tool) for one, tool in zip(sent, fitted, strict=True)]


def _rewrite(sent: SentTool, tool: ExportedTool) -> SentTool:
    payload = dump_json(tool.payload)
    return replace(sent, tool=tool, json=payload, tokens=count_model_tokens(payload.decode()))


def _notices(sent: SentTool) -> list[Notice]:
    name, exported_name = sent.line.name, sent.tool.name
    notices = [Notice(finding.code, name, finding.message) for finding in sent.tool.findings]
    if exported_name != name and not any(notice.code == "renamed" for notice in notices):
        notices.insert(0, Notice("renamed", name, f"“{name}” is sent under the name “{exported_name}”."))
    return notices


def _export_line(
    format_: Format, line: Line, names: ExportedNames, own: Mapping[str, str], *, strict: bool
) -> _Exported:
    if line.caller is not None:
        return _export_callers(format_, line.caller, own[line.name], strict=strict)
    if line.entry is not None:
        return _export_entry(format_, line.entry, names.exported[line.name])
    if line.decision is None or line.decision.content is None or line.decision.tool is None:
        raise AssertionError(f"{line.name} was assembled without being allowed")
    return _export_kept(_make_key(format_, line, names, strict=strict))


def _make_key(format_: Format, line: Line, names: ExportedNames, *, strict: bool) -> _ExportKey:
    decision = line.decision
    if decision is None or decision.content is None or decision.tool is None:
        raise AssertionError(f"{line.name} was assembled without being allowed")
    tool, content = decision.tool, decision.content
    return _ExportKey(
        format=format_,
        exported_name=names.exported[tool.name],
        strict=strict,
        name=content.name,
        title=content.title,
        description=content.description,
        closing=(_deprecation(tool.replaced_by, names),) if tool.status is ToolStatus.DEPRECATED else (),
        parameters=content.parameters,
        output_schema=content.output_schema,
        annotations=dump_json(content.annotations) if content.annotations else b"{}",
        category=tool.category,
    )


def _deprecation(replaced_by: str | None, names: ExportedNames) -> str:
    """The sentence that says so (X8). It names the replacement only to a tenant that has it; search never reads it."""
    replacement = None if replaced_by is None else names.exported.get(replaced_by)
    return "This tool is deprecated." if replacement is None else f"This tool is deprecated; use {replacement} instead."


@lru_cache(maxsize=MAX_KEPT)
def _export_kept(key: _ExportKey) -> _Exported:
    definition = ToolDefinition(
        name=key.name,
        description=key.description,
        parameters=orjson.loads(key.parameters),
        title=key.title,
        output_schema=None if key.output_schema is None else orjson.loads(key.output_schema),
        annotations=orjson.loads(key.annotations),
        category=key.category,
        closing=key.closing,
    )
    return _export(key.format, definition, key.exported_name, strict=key.strict)


def _export(format_: Format, definition: ToolDefinition, name: str, *, strict: bool) -> _Exported:
    try:
        return _render(format_.export_tool(definition, name, strict=strict))
    except NotExportable as error:
        return _Exported(None, error.finding)


def _export_callers(format_: Format, tool: CallerTool, name: str, *, strict: bool) -> _Exported:
    try:
        return _render(format_.export_caller_tool(tool, name, strict=strict))
    except NotExportable as error:
        return _Exported(None, error.finding)


def _render(tool: ExportedTool) -> _Exported:
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
