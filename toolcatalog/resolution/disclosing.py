"""How found tools reach the model: in the tool list, in the vendor's own deferred form, or through the meta tools."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from toolcatalog.contract.catalog import Disclosure, ProfileRecord
from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Notice, Omission, ResolveRequest
from toolcatalog.formats import DeferredTool, Format
from toolcatalog.formats.native import MAX_DEFERRED

from .catalog import TenantCatalog
from .choices import read_choice
from .decided import Disclosed, Reading
from .exporting import SentTool, SentTools, export_allowed, find_taken_names
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
    strict = reading.disclosure is Disclosure.NATIVE and discloses_strictly(reading.profile, reading.format)
    found = tuple(export_allowed(catalog, reading.format, permission, active_tools, strict=strict))
    omitted = find_unwritten(active_tools, found)
    native = reading.format.native
    if reading.disclosure is Disclosure.META or native is None:
        return replace(plain, found=found, omitted=omitted)
    chosen = Deferred()
    if native.declares_deferred:
        chosen = choose_deferred(reading, permission, sent, found, find_taken_names(vendor_entries))
    visible = [tool.tool for tool in sent.tools if tool is not entry]
    tools = native.declare(vendor_entries, visible, entry.tool, [make_deferred(tool) for tool in chosen.tools])
    return Disclosed(
        tools,
        reading.format.tools_request(tools, ()),
        tuple(tool.line.name for tool in chosen.tools),
        found,
        tuple(dict.fromkeys((*omitted, *chosen.omitted))),
        chosen.notices,
    )


def discloses_strictly(profile: ProfileRecord, format_: Format) -> bool:
    """Whether the definitions in native answers of a search are strict.

    Where all that may be found is declared they are not: it would be more than a request may hold.
    """
    return profile.strict == "on" and format_.native is not None and not format_.native.declares_deferred


def find_unwritten(names: Iterable[str], written: Iterable[SentTool]) -> tuple[Omission, ...]:
    """The omissions of those tools that this caller may have and the format cannot carry."""
    done = {tool.line.name for tool in written}
    return tuple(Omission(name, Reason.NOT_EXPORTABLE) for name in names if name not in done)


def write_once(tool: SentTool) -> ExportedTool:
    """The tool with its payload as the bytes that are kept: they are not written again for each answer."""
    payload: Any = orjson.Fragment(tool.json)
    return replace(tool.tool, payload=payload)


@dataclass(frozen=True, slots=True)
class Deferred:
    """The tools that are declared without being disclosed, and what there is to say of those that are not."""

    tools: tuple[SentTool, ...] = ()
    omitted: tuple[Omission, ...] = ()
    notices: tuple[Notice, ...] = ()


def choose_deferred(
    reading: Reading, permission: Permission, sent: SentTools, found: Sequence[SentTool], taken: Container[str]
) -> Deferred:
    """All tools that may be found and are not visible, by name; of too many those that were found are kept (N5).

    None has one of the exported names that are `taken`.
    """
    catalog = permission.catalog
    exported = catalog.names(reading.format).exported
    visible = {tool.line.name for tool in sent.tools}
    kept = [tool.line.name for tool in found if tool.line.name not in visible and tool.tool.name not in taken]
    findable = {catalog.tool(tool_id).name for tool_id in permission.search_scope().ids}.difference(visible, kept)
    others = sorted(name for name in findable if exported[name] not in taken)
    needed = kept[:MAX_DEFERRED]
    names = sorted([*needed, *others[: MAX_DEFERRED - len(needed)]])
    tools = tuple(export_allowed(catalog, reading.format, permission, names))
    all_names = len(kept) + len(others)
    notices = (_describe_cut(all_names),) if all_names > MAX_DEFERRED else ()
    return Deferred(tools, find_unwritten(names, tools), notices)


def _describe_cut(findable: int) -> Notice:
    detail = (
        f"{findable:,} tools may be found, {MAX_DEFERRED:,} are declared. A search finds the other "
        f"{findable - MAX_DEFERRED:,} too; the next request declares them."
    )
    return Notice("deferred_cut", "", detail)


def make_deferred(tool: SentTool) -> DeferredTool:
    """A found or findable tool, as the vendor's own form takes it."""
    decision = tool.line.decision
    category = decision.tool.category if decision is not None and decision.tool is not None else None
    return DeferredTool(tool.tool, category, category or "")


def drop_stale(
    reading: Reading,
    permission: Permission,
    sent: SentTools,
    disclosed: Disclosed,
    vendor_entries: Sequence[JsonObject],
) -> tuple[Sequence[JsonValue] | None, list[Notice]]:
    """The messages without references to tools that this request does not declare: they would be refused (N1).

    Where earlier answers hold the definitions themselves, those of tools that may still be found stay.
    """
    messages, native = reading.request.messages, reading.format.native
    if messages is None or native is None or reading.dialect is not reading.format:
        return messages, []
    catalog = permission.catalog
    names = catalog.names(reading.format)
    others: Iterable[str] = disclosed.deferred
    if not native.declares_deferred:
        others = (catalog.tool(tool_id).name for tool_id in permission.search_scope().ids)
    known = {tool.tool.name for tool in sent.tools} | {names.exported[name] for name in others}
    is_native = reading.disclosure is Disclosure.NATIVE and any(tool.line.entry is not None for tool in sent.tools)
    entry_name = None if is_native else names.exported[reading.profile.search.entry_tool]
    history = native.drop_stale(messages, known, vendor_entries=vendor_entries, entry_name=entry_name)
    detail = "An earlier search answer names it, and it is not declared in this request: the reference is dropped."
    return history.messages, [Notice("stale_reference", names.read(name), detail) for name in history.dropped]
