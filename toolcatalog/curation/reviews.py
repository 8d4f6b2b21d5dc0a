"""Decides on what a source changed after a tool was approved, and takes imported text back in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from toolcatalog.contract.errors import Conflict, FieldError, NotFound
from toolcatalog.contract.json import hash_json
from toolcatalog.models import Revision, Tool

from .lint import lint_tool
from .merging import RESTORABLE, TRACKED, Merge, merge_import
from .rendering import render_tool
from .serializers import read_tool
from .tool_batches import Draft, write_batch
from .tools import SavedTool
from .transactions import Author, editing
from .validation import raise_if_any


@dataclass(frozen=True, slots=True)
class Proposal:
    """What approving a pending revision would do to the tool as it stands now.

    `before` and `after` are contents as in the catalog document; `changed` and `kept` are as in a plan. `digest` pins
    what was looked at: approval with another one is refused.
    """

    tool: Tool
    before: dict[str, Any]
    after: dict[str, Any]
    changed: tuple[str, ...]
    kept: tuple[str, ...]
    digest: bytes


def preview_approval(revision: Revision) -> Proposal:
    """What approval would do now. Raises Conflict when the revision does not wait, NotFound when its tool is gone."""
    if revision.kind != Revision.Kind.TOOL or revision.status != Revision.Status.PENDING:
        raise Conflict("This revision does not wait for review any more.", code="not_pending")
    tool = Tool.objects.select_related("category", "replaced_by").filter(pk=revision.object_id).first()
    if tool is None:
        raise NotFound("The tool of this revision was deleted.")
    before = render_tool(tool)
    merge = merge_import(before, tool.accepted_import, tool.imported)
    return Proposal(tool, before, merge.content, merge.changed, merge.kept, _digest(merge))


def approve_revision(revision: Revision, author: Author, *, digest: bytes | None = None) -> SavedTool:
    """Make the proposed change live, as the tool's next revision; what curators wrote stays.

    `digest` is that of the preview which the reviewer saw. Raises Conflict when it does not wait any more or the
    outcome is another one than that, InvalidInput when it cannot be saved.
    """
    with editing():
        fresh = Revision.objects.get(pk=revision.pk)
        proposal = preview_approval(fresh)
        if digest is not None and digest != proposal.digest:
            raise Conflict("The proposal changed since you looked at it. Look at it again.", code="stale_proposal")
        reason = author.reason or f"Approved #{fresh.number}: {fresh.reason}".rstrip(": ")
        draft = _save(proposal.tool, proposal.after, replace(author, reason=reason))
        _accept(draft.row, draft.row.imported)
        close_proposal(fresh, Revision.Status.ACCEPTED, author)
    return SavedTool(draft.row, created=False, changed=draft.changed, warnings=lint_tool(draft.row))


def reject_revision(revision: Revision, author: Author) -> None:
    """Turn the proposed change down: it is not proposed again unless the source changes once more.

    Raises Conflict when it does not wait any more.
    """
    with editing():
        fresh = Revision.objects.get(pk=revision.pk)
        if fresh.status != Revision.Status.PENDING:
            raise Conflict("This revision does not wait for review any more.", code="not_pending")
        close_proposal(fresh, Revision.Status.REJECTED, author)


def restore_imported(tool: Tool, fields: Sequence[str], author: Author) -> SavedTool:
    """Put the source's present text back into these fields, which then follow the source again.

    Raises Conflict for a tool that was not imported, InvalidInput for a field that sources have no text for.
    """
    with editing():
        fresh = Tool.objects.select_related("owner", "category", "replaced_by").get(pk=tool.pk)
        imported: Any = fresh.imported
        if imported is None:
            raise Conflict("This tool was written here: there is no imported text.", code="not_imported")
        raise_if_any([_no_text(name) for name in fields if name not in RESTORABLE or name not in imported])
        texts = {name: imported[name] for name in fields}
        reason = author.reason or f"Restored as imported: {', '.join(fields)}"
        draft = _save(fresh, {**render_tool(fresh), **texts}, replace(author, reason=reason))
        accepted: Any = fresh.accepted_import or {}
        _accept(draft.row, {**accepted, **texts})
        _close_if_done(draft.row, author)
    return SavedTool(draft.row, created=False, changed=draft.changed, warnings=lint_tool(draft.row))


def close_proposal(revision: Revision, status: Revision.Status, author: Author) -> None:
    """Write down what became of a pending revision, and by whom."""
    revision.status, revision.reviewer, revision.review_reason = status, author.name, author.reason
    revision.reviewed_at = timezone.now()
    revision.save(update_fields=["status", "reviewer", "review_reason", "reviewed_at"])


def find_pending(tool: Tool) -> Revision | None:
    """The change of the tool that waits for review, if there is one."""
    return Revision.objects.filter(kind=Revision.Kind.TOOL, object_id=tool.pk, status=Revision.Status.PENDING).first()


def _save(tool: Tool, content: dict[str, Any], author: Author) -> Draft:
    document = read_tool({name: value for name, value in content.items() if name != "origin"})
    draft = write_batch(tool.owner, [(document, tool)], author)[0]
    raise_if_any(draft.errors)
    return draft


def _accept(tool: Tool, imported: Any) -> None:
    tool.accepted_import = imported
    tool.save(update_fields=["accepted_import"])


def _close_if_done(tool: Tool, author: Author) -> None:
    """Nothing is left to review when the tool is as the proposal wanted it."""
    pending = find_pending(tool)
    if pending and not merge_import(render_tool(tool), tool.accepted_import, tool.imported).changed:
        close_proposal(pending, Revision.Status.ACCEPTED, author)


def _no_text(name: str) -> FieldError:
    return FieldError(name, "not_imported", f"The source has no text for “{name}”.")


def _digest(merge: Merge) -> bytes:
    return hash_json({name: merge.content.get(name) for name in TRACKED})
