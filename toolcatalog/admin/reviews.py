"""What a source changed after a tool was approved: shown, approved, turned down; imported text taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.curation import (
    Author,
    approve_revision,
    find_curated,
    find_pending,
    preview_approval,
    reject_revision,
    render_tool,
    restore_imported,
)
from toolcatalog.models import Revision, Tool

from .addresses import change_url
from .base import author_name
from .differences import PARTS, Change, compare_documents
from .translating import translate_sentence

PERMISSION = "toolcatalog.change_tool"


@dataclass(frozen=True, slots=True)
class Review:
    """A change that waits: what approval would change now, and what stays as curators wrote it."""

    changes: tuple[Change, ...]
    kept: tuple[str, ...]
    digest: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ImportedPart:
    """One part of a tool that curators wrote otherwise than its source."""

    name: str
    change: Change


@dataclass(frozen=True, slots=True)
class SourceNews:
    """What the source of a tool says: a change that waits for review, and parts that were written anew here."""

    tool: Tool
    pending: Revision | None
    parts: tuple[ImportedPart, ...]


def describe_review(revision: Revision) -> Review | None:
    """The review of a pending revision; None for every other one."""
    if revision.status != Revision.Status.PENDING:
        return None
    try:
        proposal = preview_approval(revision)
    except ToolCatalogError as error:
        return Review((), (), "", translate_sentence(error.detail))
    changes = compare_documents(proposal.before, proposal.after)
    kept = tuple(str(PARTS.get(name, name)) for name in proposal.kept)
    return Review(changes, kept, proposal.digest.hex())


def describe_source(tool: Tool) -> SourceNews | None:
    """What the source says of the tool; None for a tool that was written by hand."""
    if tool.source_id is None or not isinstance(tool.imported, dict):
        return None
    content = render_tool(tool)
    parts = tuple(
        ImportedPart(name, change)
        for name in find_curated(content, tool.imported)
        for change in compare_documents({name: tool.imported[name]}, {name: content[name]})[:1]
    )
    return SourceNews(tool, find_pending(tool), parts)


def decide(request: HttpRequest, revision_id: int, decision: str) -> HttpResponse:
    """Approve a pending revision, or turn it down (POST)."""
    _check(request)
    revision = get_object_or_404(Revision, pk=revision_id)
    author = Author(author_name(request), request.POST.get("reason", "")[:1000])
    try:
        if decision == "approve":
            approve_revision(revision, author, digest=_read_digest(request.POST.get("digest", "")))
            messages.success(request, gettext("The change is approved and live."))
        else:
            reject_revision(revision, author)
            messages.success(request, gettext("The change is turned down."))
    except ToolCatalogError as error:
        messages.error(request, translate_sentence(error.detail))
    return HttpResponseRedirect(change_url(revision))


def restore(request: HttpRequest, tool_id: int) -> HttpResponse:
    """Put the source's text back into one part of a tool (POST)."""
    _check(request)
    tool = get_object_or_404(Tool, pk=tool_id)
    try:
        restore_imported(tool, [request.POST.get("part", "")], Author(author_name(request)))
        messages.success(request, gettext("The imported text is back."))
    except ToolCatalogError as error:
        messages.error(request, translate_sentence(error.detail))
    return HttpResponseRedirect(change_url(tool))


def _check(request: HttpRequest) -> None:
    user: Any = request.user
    if request.method != "POST" or not user.has_perm(PERMISSION):
        raise PermissionDenied


def _read_digest(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b"not a digest"
