"""Saves and deletes tools. Every door comes through here: REST, admin, imports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolcatalog.contract.errors import FieldError
from toolcatalog.models import Tenant, Tool

from .documents import ToolDocument
from .indexing import unindex_tool
from .lint import ToolWarning, lint_tool
from .proposals import Proposals
from .rendering import render_tool
from .revisions import keep_tombstone
from .tool_batches import write_batch
from .transactions import Author, editing
from .validation import raise_if_any


@dataclass(frozen=True, slots=True)
class SavedTool:
    """The tool after a save: `changed` is False when it was as it is; `warnings` never refuse."""

    tool: Tool
    created: bool
    changed: bool
    warnings: tuple[ToolWarning, ...]


@dataclass(frozen=True, slots=True)
class TriedTool:
    """One tool of many: what came of it, or what is wrong with it."""

    tool: Tool | None
    created: bool
    changed: bool
    errors: tuple[FieldError, ...] = ()


def save_tool(owner: Tenant | None, document: ToolDocument, author: Author, *, tool: Tool | None = None) -> SavedTool:
    """Create the tool, or replace the one given (which may get a new name). All of it is saved, or nothing.

    Raises InvalidInput with every finding, each with its JSON path.
    """
    with editing():
        draft = write_batch(owner, [(document, tool)], author)[0]
        raise_if_any(draft.errors)
    return SavedTool(draft.row, tool is None, draft.changed, lint_tool(draft.row))


def save_tools(
    owner: Tenant | None, items: Sequence[tuple[ToolDocument, Tool | None]], author: Author
) -> list[TriedTool]:
    """Save many tools in one edit, each as `save_tool` would; the invalid ones are told, the others saved.

    The number of queries does not grow with the tools. Nothing is linted.
    """
    with editing(many=True):
        drafts = write_batch(owner, items, author)
    return [
        TriedTool(draft.row if draft.is_valid else None, draft.existing is None, draft.changed, tuple(draft.errors))
        for draft in drafts
    ]


def delete_tool(tool: Tool, author: Author) -> None:
    """Delete the tool. Its history stays, and its last state with it."""
    with editing():
        keep_tombstone(tool, render_tool(tool), author)
        Proposals(author, [tool]).withdraw_all()
        unindex_tool(tool.pk)
        tool.delete()
