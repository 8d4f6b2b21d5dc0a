"""How found tools reach the model: in the tool list, in the vendor's own deferred form, or through the meta tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import orjson

from toolcatalog.contract.catalog import Disclosure, ProfileRecord
from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.resolve import Notice, ResolveRequest
from toolcatalog.formats import DeferredTool, Format
from toolcatalog.formats.native import MAX_DEFERRED

from .catalog import TenantCatalog
from .choices import read_choice
from .decided import Disclosed, Reading
from .exporting import SentTool, SentTools, export_allowed
from .permission import Permission


def choose_disclosure(request: ResolveRequest, profile: ProfileRecord) -> Disclosure:
    """The request's disclosure, else the profile's."""
    return read_choice(Disclosure, request.disclosure, "disclosure") if request.disclosure else profile.disclosure


def format_for(format_: Format, disclosure: Disclosure) -> Format:
    """The format that writes this disclosure. Raises InvalidInput where the vendor has no such form (N4)."""
    return format_.native_form() if disclosure is Disclosure.NATIVE else format_


def disclose(
    catalog: TenantCatalog,
    reading: Reading,
    permission: Permission,
    sent: SentTools,
    *,
    vendor_entries: Sequence[JsonObject],
    active_tools: Sequence[str],
) -> Disclosed:
    """The tool list of this request, with what is disclosed beside it."""
    entry = next((tool for tool in sent.tools if tool.line.entry is not None), None)
    plain = Disclosed(
        reading.format.list_tools(vendor_entries, [write_once(tool) for tool in sent.tools]),
        reading.format.tools_request(vendor_entries, [tool.tool for tool in sent.tools]),
    )
    if reading.disclosure is Disclosure.INLINE or entry is None:
        return plain
    found = tuple(export_allowed(catalog, reading.format, permission, active_tools))
    native = reading.format.native
    if reading.disclosure is Disclosure.META or native is None:
        return replace(plain, found=found)
    deferred = choose_deferred(catalog, reading, permission, sent, found) if native.declares_deferred else []
    visible = [tool.tool for tool in sent.tools if tool is not entry]
    tools = native.declare(vendor_entries, visible, entry.tool, [make_deferred(tool) for tool in deferred])
    fields = reading.format.tools_request(tools, ())
    return Disclosed(tools, fields, tuple(tool.line.name for tool in deferred), found)


def write_once(tool: SentTool) -> ExportedTool:
    """The tool with its payload as the bytes that are kept: they are not written again for each answer."""
    payload: Any = orjson.Fragment(tool.json)
    return replace(tool.tool, payload=payload)


def choose_deferred(
    catalog: TenantCatalog, reading: Reading, permission: Permission, sent: SentTools, found: Sequence[SentTool]
) -> list[SentTool]:
    """All tools that may be found and are not visible, by name; of too many those that were found are kept (N5)."""
    visible = {tool.line.name for tool in sent.tools}
    kept = {tool.line.name for tool in found}
    findable = sorted(catalog.tool(tool_id).name for tool_id in permission.search_scope().ids)
    others = [name for name in findable if name not in visible and name not in kept]
    needed = [tool.line.name for tool in found if tool.line.name not in visible][:MAX_DEFERRED]
    names = sorted([*needed, *others[: MAX_DEFERRED - len(needed)]])
    return list(export_allowed(catalog, reading.format, permission, names))


def make_deferred(tool: SentTool) -> DeferredTool:
    """A found or findable tool, as the vendor's own form takes it."""
    decision = tool.line.decision
    category = decision.tool.category if decision is not None and decision.tool is not None else None
    return DeferredTool(tool.tool, category, category or "")


def drop_stale(
    catalog: TenantCatalog, reading: Reading, permission: Permission, sent: SentTools, disclosed: Disclosed
) -> tuple[Sequence[JsonValue] | None, list[Notice]]:
    """The messages without references to tools that this request does not declare: they would be refused (N1).

    Where earlier answers hold the definitions themselves, those of tools that may still be found stay.
    """
    messages, native = reading.request.messages, reading.format.native
    if messages is None or native is None or reading.dialect is not reading.format:
        return messages, []
    names = catalog.names(reading.format)
    others: Iterable[str] = disclosed.deferred
    if not native.declares_deferred:
        others = (catalog.tool(tool_id).name for tool_id in permission.search_scope().ids)
    known = {tool.tool.name for tool in sent.tools} | {names.exported[name] for name in others}
    history = native.drop_stale(messages, known)
    detail = "An earlier search answer names it, and it is not declared in this request: the reference is dropped."
    return history.messages, [Notice("stale_reference", names.read(name), detail) for name in history.dropped]
