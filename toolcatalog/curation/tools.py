"""Saves and deletes tools. Every door comes through here: REST, admin, imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F, Q

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import FieldError
from toolcatalog.models import AgentProfile, Category, Tag, Tenant, Tool
from toolcatalog.text import check_tool_name, is_reserved

from .documents import ToolDocument
from .indexing import index_tools, measure_tokens, unindex_tool
from .lint import ToolWarning, lint_tool
from .references import find_or_make_label
from .rendering import render_tool
from .revisions import keep_revision, keep_tombstone
from .schemas import check_output_schema, check_parameters
from .transactions import Author, editing
from .validation import check_storable, clean_row, raise_if_any


@dataclass(frozen=True, slots=True)
class SavedTool:
    """The tool after a save: `changed` is False when it was as it is; `warnings` never refuse."""

    tool: Tool
    created: bool
    changed: bool
    warnings: tuple[ToolWarning, ...]


def save_tool(owner: Tenant | None, document: ToolDocument, author: Author, *, tool: Tool | None = None) -> SavedTool:
    """Create the tool, or replace the one given (which may get a new name). All of it is saved, or nothing.

    Raises InvalidInput with every finding, each with its JSON path.
    """
    with editing():
        created = tool is None
        row = Tool(owner=owner) if tool is None else tool
        raise_if_any(check_tool_document(owner, document, tool))
        tags = _fill(row, owner, document)
        raise_if_any(clean_row(row))
        row.tokens = measure_tokens(row)
        row.save()
        row.tags.set(tags)
        changed = keep_revision(row, render_tool(row), author) is not None
        if changed:
            index_tools([row])
    return SavedTool(row, created, changed, lint_tool(row))


def check_tool_document(owner: Tenant | None, document: ToolDocument, tool: Tool | None) -> list[FieldError]:
    """Everything that is wrong with the document by itself, and beside the owner's other things."""
    errors = check_storable(_texts(document))
    if errors:
        return errors
    if tool is None or tool.name != document.name:
        errors += _check_name(owner, document.name)
    errors += check_parameters(document.parameters)
    errors += check_output_schema(document.output_schema)
    errors += _check_keywords(document.keywords)
    needs_callback = document.execution == Execution.CALLBACK
    if needs_callback and not document.callback:
        errors.append(FieldError("callback", "required", "Name the callback that runs this tool."))
    if not needs_callback and document.callback:
        message = "Only a tool that a callback runs has one. Set “run by” to callback, or leave this empty."
        errors.append(FieldError("callback", "not_expected", message))
    if document.replaced_by and _find_replacement(owner, document.replaced_by) is None:
        message = f"There is no tool “{document.replaced_by}”. Create it first, or mend the name."
        errors.append(FieldError("replaced_by", "unknown_tool", message))
    return errors


def _texts(document: ToolDocument) -> dict[str, object]:
    return {name: getattr(document, name) for name in document.__slots__}


def _check_name(owner: Tenant | None, name: str) -> list[FieldError]:
    error = check_tool_name(name)
    if error is not None:
        return [error]
    profiles = AgentProfile.objects.all() if owner is None else AgentProfile.objects.filter(tenant=owner)
    if is_reserved(name, profiles.values_list("entry_tool", flat=True)):
        message = f"“{name}” is kept for the tool search itself. Choose another name."
        return [FieldError("name", "reserved_name", message)]
    return []


def _check_keywords(keywords: Mapping[str, object]) -> list[FieldError]:
    errors = []
    for language, words in keywords.items():
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) and word.strip() for word in words):
            message = 'Write a list of words for each language, like {"en": ["parcel"]}.'
            errors.append(FieldError(f"keywords.{language}", "not_a_list_of_words", message))
    return errors


def _find_replacement(owner: Tenant | None, name: str) -> Tool | None:
    owners = Q(owner=None) if owner is None else Q(owner=owner) | Q(owner=None)
    return Tool.objects.filter(owners, name=name).order_by(F("owner").asc(nulls_last=True)).first()


def _fill(row: Tool, owner: Tenant | None, document: ToolDocument) -> list[Tag]:
    row.name = document.name
    row.title = document.title
    row.description = document.description
    row.parameters = document.parameters
    row.output_schema = document.output_schema
    row.annotations = document.annotations
    row.metadata = document.metadata
    row.keywords = {language: list(words) for language, words in document.keywords.items()}
    row.version = document.version
    row.execution = document.execution
    row.callback = document.callback or ""
    row.searchable = document.searchable
    row.status = document.status
    row.category = find_or_make_label(Category, owner, document.category) if document.category else None
    row.replaced_by = _find_replacement(owner, document.replaced_by) if document.replaced_by else None
    return [find_or_make_label(Tag, owner, tag) for tag in dict.fromkeys(document.tags)]


def delete_tool(tool: Tool, author: Author) -> None:
    """Delete the tool. Its history stays, and its last state with it."""
    with editing():
        keep_tombstone(tool, render_tool(tool), author)
        unindex_tool(tool.pk)
        tool.delete()
