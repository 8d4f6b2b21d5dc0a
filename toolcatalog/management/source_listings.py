"""What the commands that import from a source share: from a listing to a plan, and the plan in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import (
    Author,
    ImportedTool,
    PlannedTool,
    SyncAction,
    SyncPlan,
    find_or_make_source,
    sync_source,
)
from toolcatalog.models import Tenant
from toolcatalog.sources import ListedTool, SourceListing

INCOMPLETE = (
    "The source did not list its tools to the end, so those that are missing would be taken for gone. Nothing was"
    " changed. Repeat with --allow-incomplete to go on all the same."
)
EMPTY = "The source lists no tools. Its tools were kept. Repeat with --allow-empty if they are gone for good."


def add_sync_arguments(parser: CommandParser) -> None:
    """The options of every import from a source."""
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    parser.add_argument("--allow-empty", action="store_true", help="take it seriously when the source lists nothing")
    parser.add_argument(
        "--allow-incomplete", action="store_true", help="go on although the source did not list its tools to the end"
    )


def sync_listing(
    owner: Tenant | None,
    name: str,
    kind: str,
    listing: SourceListing,
    author: Author,
    *,
    dry_run: bool,
    **allowed: bool,
) -> SyncPlan:
    """Bring the owner's source of this name up to date with the listing. A dry run keeps nothing.

    `allow_empty` and `allow_incomplete` as the options say. Raises CommandError.
    """
    if not listing.is_complete and not allowed["allow_incomplete"]:
        raise CommandError(" ".join([*listing.warnings, INCOMPLETE]))
    definitions = [_to_definition(tool) for tool in listing.tools]
    try:
        with transaction.atomic():
            source = find_or_make_source(owner, name, kind)
            plan = sync_source(owner, source, definitions, author, dry_run=dry_run, allow_empty=allowed["allow_empty"])
            transaction.set_rollback(dry_run)
    except InvalidInput as error:
        raise CommandError(error.detail) from error
    return plan


def describe_sync(plan: SyncPlan, listing: SourceListing) -> str:
    """What changes and what is wrong, line by line; then the source's warnings and the counts."""
    lines = [line for row in plan.rows for line in _describe_row(row)]
    counts = ", ".join(f"{sum(row.action is action for row in plan.rows)} {action}" for action in SyncAction)
    waiting = sum(row.waits for row in plan.rows)
    outcome = "Done" if plan.applied else "Not done"
    return "\n".join([*lines, *listing.warnings, f"{outcome}: {counts}; {waiting} to be reviewed"])


def _describe_row(row: PlannedTool) -> Iterator[str]:
    said = [
        *((f"changed: {', '.join(row.changed)}",) if row.changed else ()),
        *((f"kept as curated: {', '.join(row.kept)}",) if row.kept else ()),
        *(("waits for review",) if row.waits else ()),
        *row.notes,
        *(f"{error.path}: {error.message}" if error.path else error.message for error in row.errors),
        *(f"for {finding.provider}: {finding.message}" for finding in row.findings),
    ]
    if row.action is not SyncAction.UNCHANGED or said:
        yield f"{row.action:9} {row.name}"
        yield from (f"          {sentence}" for sentence in said)


def _to_definition(tool: ListedTool) -> ImportedTool:
    metadata: dict[str, Any] = {"deprecated_by_source": True} if tool.deprecated else {}
    return ImportedTool(
        name=tool.name or tool.path,
        title=tool.title,
        description=tool.description,
        parameters=tool.parameters,
        output_schema=tool.output_schema,
        annotations=tool.annotations,
        category=tool.category,
        tags=tool.tags,
        metadata=metadata,
        execution=tool.execution,
        origin=tool.origin,
        notes=tool.notes,
        errors=tool.errors,
    )
