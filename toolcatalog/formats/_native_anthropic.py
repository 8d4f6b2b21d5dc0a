"""Anthropic's deferred tools: all findable tools are declared with `defer_loading`, searches answer with references.

The vendor thus receives the definitions of everything that this caller may find.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import partial

from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.json import JsonObject, JsonValue

from ._chat import make_text_part
from ._native_history import NOTHING_FOUND, NOTHING_LEFT, Stale, prune_list, prune_messages, replace_member
from ._reading import is_one_of
from .native import MAX_DEFERRED, DeferredTool, KeptHistory, NativeDisclosure


class AnthropicNative(NativeDisclosure):
    """`defer_loading` and `tool_reference`."""

    declares_deferred = True

    def declare(
        self,
        vendor_entries: Sequence[JsonObject],
        tools: Sequence[ExportedTool],
        entry: ExportedTool,
        deferred: Sequence[DeferredTool],
    ) -> tuple[JsonObject, ...]:
        """The search tool is a tool like any other, so at least one is not deferred."""
        visible = {entry.name, *(tool.name for tool in tools)}
        hidden = [found.tool for found in deferred if found.tool.name not in visible][:MAX_DEFERRED]
        payloads = (*(tool.payload for tool in tools), entry.payload)
        return (*vendor_entries, *payloads, *({**tool.payload, "defer_loading": True} for tool in hidden))

    def drop_stale(
        self,
        messages: Sequence[JsonValue],
        known: Container[str],
        *,
        vendor_entries: Sequence[JsonObject] = (),
        entry_name: str | None = None,
    ) -> KeptHistory:
        """A reference to a tool that is not declared would be refused, with the whole request.

        Which tools a toolset of an MCP server declares only the vendor knows: with one, what the vendor's own search
        found stays as it is.
        """
        del entry_name
        kinds = {"tool_result", "tool_search_tool_result"}
        if any(entry.get("type") == "mcp_toolset" for entry in vendor_entries):
            kinds.remove("tool_search_tool_result")
        return prune_messages(messages, known, partial(_prune_message, kinds=frozenset(kinds)))


def write_references(found: Sequence[DeferredTool]) -> list[JsonObject]:
    """The content of a search's result: a reference to each tool, or one text block."""
    if not found:
        return [make_text_part(NOTHING_FOUND)]
    return [{"type": "tool_reference", "tool_name": one.tool.name} for one in found]


def _prune_message(message: JsonObject, stale: Stale, *, kinds: Container[str]) -> JsonObject:
    def prune(block: JsonObject) -> JsonObject:
        return _prune_block(block, stale) if is_one_of(block.get("type"), kinds) else block

    return replace_member(message, "content", lambda blocks: prune_list(blocks, prune))


def _prune_block(block: JsonObject, stale: Stale) -> JsonObject:
    kind = block.get("type")
    if kind == "tool_result":
        return replace_member(block, "content", lambda content: _prune_result(content, stale))
    if kind == "tool_search_tool_result" and isinstance(found := block.get("content"), dict):
        pruned = replace_member(found, "tool_references", lambda value: _prune_references(value, stale))
        return block if pruned is found else {**block, "content": pruned}
    return block


def _prune_references(content: JsonValue, stale: Stale) -> JsonValue:
    def prune(block: JsonObject) -> JsonObject | None:
        if block.get("type") == "tool_reference" and not stale.keeps(block.get("tool_name")):
            return None
        return block

    return prune_list(content, prune)


def _prune_result(content: JsonValue, stale: Stale) -> JsonValue:
    pruned = _prune_references(content, stale)
    return content if pruned is content else pruned or [make_text_part(NOTHING_LEFT)]
