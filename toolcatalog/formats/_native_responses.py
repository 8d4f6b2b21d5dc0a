"""OpenAI's client-run tool search: the search tool is declared, the tools it found come in its output.

Found tools stand in namespaces, one for each category; those without a category stand beside them.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue, dump_json

from ._names import WORD_AND_HYPHEN, NameRule, allocate_names
from ._native_history import Stale, prune_list, prune_messages, replace_member
from ._reading import choose_id, iterate_objects, read_arguments
from .native import DeferredTool, KeptHistory, NativeDisclosure

SEARCH_CALL_NAME = "tool_search"
"""The name under which a client-run `tool_search_call` is read: the item itself has none."""

_NAMESPACE_RULE = NameRule(WORD_AND_HYPHEN, first=WORD_AND_HYPHEN - {"-"}, prefix="n", stem="category")


class ResponsesNative(NativeDisclosure):
    """`tool_search` with client execution."""

    declares_deferred = False
    search_call_name = SEARCH_CALL_NAME

    def declare(
        self,
        vendor_entries: Sequence[JsonObject],
        tools: Sequence[ExportedTool],
        entry: ExportedTool,
        deferred: Sequence[DeferredTool],
    ) -> tuple[JsonObject, ...]:
        """The search tool stands in the place of the entry tool's function; what may be found is not declared."""
        del deferred
        search: dict[str, Any] = {"type": "tool_search", "execution": "client"}
        search |= {key: entry.payload[key] for key in ("description", "parameters") if key in entry.payload}
        return (*vendor_entries, *(tool.payload for tool in tools), search)

    def drop_stale(
        self,
        messages: Sequence[JsonValue],
        known: Container[str],
        *,
        vendor_entries: Sequence[JsonObject] = (),
        entry_name: str | None = None,
    ) -> KeptHistory:
        """Definitions of tools that this caller may not have any more leave the outputs of earlier searches.

        Items of a search stand only in requests that declare `tool_search`.
        """
        kept = prune_messages(messages, known, _prune_item)
        if entry_name is None or any(entry.get("type") == "tool_search" for entry in vendor_entries):
            return kept
        return replace(kept, messages=tuple(_write_plainly(item, entry_name) for item in kept.messages))


def write_search_output(call_id: str, found: Sequence[DeferredTool]) -> JsonObject:
    """The output item of a search, with the definitions of what was found, best first."""
    return {
        "type": "tool_search_output",
        "call_id": call_id,
        "execution": "client",
        "status": "completed",
        "tools": _group(found),
    }


def _group(found: Sequence[DeferredTool]) -> list[JsonObject]:
    names = allocate_names(_NAMESPACE_RULE, {one.category for one in found if one.category})
    entries: list[JsonObject] = []
    members: dict[str, list[JsonObject]] = {}
    for one in found:
        definition = {**one.tool.payload, "defer_loading": True}
        if not one.category:
            entries.append(definition)
        elif one.category in members:
            members[one.category].append(definition)
        else:
            members[one.category] = [definition]
            entries.append(_make_namespace(one, names[one.category], members[one.category]))
    return entries


def _make_namespace(one: DeferredTool, name: str, members: list[JsonObject]) -> JsonObject:
    description = one.category_text if one.category_text.strip() else f"Tools of the category {one.category}."
    return {"type": "namespace", "name": name, "description": description, "tools": members}


def list_found(item: JsonObject) -> list[JsonObject]:
    """The function definitions of a search's output, those inside namespaces too."""
    found: list[JsonObject] = []
    for tool in iterate_objects(item.get("tools")):
        found.extend(iterate_objects(tool.get("tools")) if tool.get("type") == "namespace" else [tool])
    return found


def _write_plainly(item: JsonValue, entry_name: str) -> JsonValue:
    """A client-run search as the call of a function, or its answer; everything else as it is."""
    if not isinstance(item, Mapping) or item.get("execution") != "client":
        return item
    call_id = choose_id(item.get("call_id"), entry_name)
    if item.get("type") == "tool_search_call":
        arguments = dump_json(read_arguments(item.get("arguments")) or {}).decode()
        return {"type": "function_call", "call_id": call_id, "name": entry_name, "arguments": arguments}
    if item.get("type") == "tool_search_output":
        names = dump_json([tool.get("name") for tool in list_found(item)]).decode()
        return {"type": "function_call_output", "call_id": call_id, "output": names}
    return item


def _prune_item(item: JsonObject, stale: Stale) -> JsonObject:
    if item.get("type") != "tool_search_output" or item.get("execution") != "client":
        return item
    return replace_member(item, "tools", lambda tools: prune_list(tools, partial(_prune_tool, stale=stale)))


def _prune_tool(tool: JsonObject, stale: Stale) -> JsonObject | None:
    if tool.get("type") != "namespace":
        return tool if stale.keeps(tool.get("name")) else None
    kept = replace_member(tool, "tools", lambda tools: prune_list(tools, partial(_prune_tool, stale=stale)))
    return kept if kept.get("tools") else None
