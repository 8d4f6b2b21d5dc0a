"""Brings the tools of a source up to date with what the source says now. Curators' work is never lost by it."""

from __future__ import annotations

from collections.abc import Sequence

from toolcatalog.models import Tenant, ToolSource

from .imported import ImportedTool, SyncPlan
from .transactions import Author


def sync_source(
    owner: Tenant | None,
    source: ToolSource,
    definitions: Sequence[ImportedTool],
    author: Author,
    *,
    dry_run: bool = False,
    allow_empty: bool = False,
) -> SyncPlan:
    """Compare the tools of the source with `definitions`, all that the source lists, and take over what is new.

    New tools are drafts. Of a draft, what no curator wrote is brought up to date at once; a change of any other tool
    becomes a pending revision beside the live one. Tools that are not listed any more are flagged as gone and shown to
    nobody until they are back. A definition that is wrong spoils nothing else. A dry run does the same work and keeps
    nothing. Raises InvalidInput when the source is not the owner's.
    """
    raise NotImplementedError


def find_or_make_source(owner: Tenant | None, slug: str, kind: str, title: str = "") -> ToolSource:
    """The owner's source of this slug, made when there is none. Raises InvalidInput when it is of another kind."""
    raise NotImplementedError
