"""The callbacks of this process as a source of tools."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from toolcatalog.callbacks import CallbackDefinition, registered_callbacks
from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import FieldError
from toolcatalog.models import Tenant, ToolSource

from .imported import ImportedTool, SyncPlan
from .sources import find_or_make_source, sync_source
from .transactions import Author

SLUG = "callbacks"
TITLE = "Python callbacks"


def sync_callbacks(
    owner: Tenant | None, author: Author, *, dry_run: bool = False, allow_empty: bool = False
) -> SyncPlan:
    """Bring the owner's tools that run callbacks up to date with what is installed here: see `sync_source`.

    A callback that cannot be used at the moment is told as invalid, and its tool is not taken for gone.
    """
    with transaction.atomic():
        source = find_or_make_source(owner, SLUG, ToolSource.Kind.CALLBACK, TITLE)
        plan = sync_source(owner, source, list(list_callbacks()), author, dry_run=dry_run, allow_empty=allow_empty)
        transaction.set_rollback(dry_run)
    return plan


def list_callbacks() -> Iterator[ImportedTool]:
    """Every callback that is installed and allowed, by name; all of them are imported for that."""
    registry = registered_callbacks()
    for name, problem in sorted(registry.problems().items()):
        yield ImportedTool(name=name, errors=(FieldError("", "broken_callback", problem),))
    for name, callback in registry.load_all().items():
        yield _to_imported(name, callback.definition)


def _to_imported(name: str, definition: CallbackDefinition) -> ImportedTool:
    return ImportedTool(
        name=definition.name,
        key=name,
        title=definition.title,
        description=definition.description,
        parameters=definition.parameters,
        output_schema=definition.output_schema,
        annotations=definition.annotations,
        version=definition.version,
        category=definition.category,
        tags=definition.tags,
        keywords=definition.keywords,
        metadata=definition.metadata,
        execution=Execution.CALLBACK,
        callback=name,
    )
