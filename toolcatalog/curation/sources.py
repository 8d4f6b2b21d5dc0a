"""Brings the tools of a source up to date with what the source says now. Curators' work is never lost by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from toolcatalog.contract.catalog import Execution, ToolStatus
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.models import Tenant, Tool, ToolSource

from .documents import ToolDocument
from .imported import ImportedTool, PlannedTool, SyncAction, SyncPlan
from .merging import TRACKED, Merge, is_same, merge_import
from .proposals import Proposals
from .rendering import render_tool
from .serializers import read_tool
from .source_reading import ReadTool, read_definitions
from .tool_batches import entry_names_of, write_batch
from .tool_checks import check_tool_document
from .transactions import Author, editing
from .validation import clean_row, raise_if_any
from .verdicts import find_deviations

LISTED_NOTHING = "The source listed no tools when it was last asked. Its tools were kept."
_WRITTEN = ("source", "imported", "accepted_import", "gone_at")


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
    nobody until they are back. A definition that is wrong spoils nothing else. A tool of that name that was written by
    hand for the same runner is taken into the source with its texts. A dry run does the same work and keeps nothing.
    Raises InvalidInput when the source is not the owner's.
    """
    if source.owner_id != (owner.pk if owner else None):
        raise InvalidInput.single("source", "not_yours", f"The source “{source.slug}” belongs to another owner.")
    with editing(many=True):
        if not definitions and not allow_empty and _tools_of(source).filter(gone_at=None).exists():
            plan = SyncPlan(empty=True)
            _note_problem(source, LISTED_NOTHING)
        else:
            plan = SyncPlan(_Sync(owner, source, author).run(definitions), applied=not dry_run)
            _note_problem(source, "")
        transaction.set_rollback(dry_run)
    return plan


def find_or_make_source(owner: Tenant | None, slug: str, kind: str, title: str = "") -> ToolSource:
    """The owner's source of this slug, made when there is none. Raises InvalidInput when it is of another kind."""
    with editing():
        source = ToolSource.objects.filter(owner=owner, slug=slug).first()
        if source is None:
            source = ToolSource(owner=owner, slug=slug, kind=kind, title=title)
            raise_if_any(clean_row(source))
            source.save()
    if source.kind != kind:
        message = f"“{slug}” is a source of another kind: {source.get_kind_display()}. Choose another name."
        raise InvalidInput.single("source", "other_kind", message)
    return source


def _tools_of(source: ToolSource) -> QuerySet[Tool]:
    return Tool.objects.filter(source=source)


def _note_problem(source: ToolSource, problem: str) -> None:
    if source.problem != problem:
        source.problem = problem
        source.save(update_fields=["problem"])


@dataclass(frozen=True, slots=True)
class _Change:
    """A definition and the tool that it is about."""

    item: ReadTool
    tool: Tool
    merge: Merge
    document: ToolDocument


class _Sync:
    """One run, inside an edit."""

    def __init__(self, owner: Tenant | None, source: ToolSource, author: Author) -> None:
        self.owner = owner
        self.source = source
        self.author = author
        self.touched: list[Tool] = []

    def run(self, definitions: Sequence[ImportedTool]) -> tuple[PlannedTool, ...]:
        """Write everything; the rows are in the order of the definitions, then what is gone, by name."""
        read, rows = read_definitions(definitions, entry_names_of(self.owner))
        known = self._find_known(read)
        self.proposals = Proposals(self.author, known.values())
        rows += self._create([item for item in read if item.key not in known])
        rows += self._update([(item, known[item.key]) for item in read if item.key in known])
        places = {definition.key or definition.name: -place for place, definition in enumerate(reversed(definitions))}
        rows.sort(key=lambda row: (places[row.key], row.action is SyncAction.INVALID))
        rows += self._flag_gone(set(places))
        self.proposals.write()
        Tool.objects.bulk_update(self.touched, _WRITTEN, batch_size=500)
        return tuple(rows)

    def _find_known(self, read: Sequence[ReadTool]) -> dict[str, Tool]:
        """Key to tool: those of the source, and those that were written by hand for the same runner."""
        names = [item.document.name for item in read]
        by_hand = Q(source=None, owner=self.owner, name__in=names) & ~Q(execution=Execution.CLIENT)
        rows = Tool.objects.filter(Q(source=self.source) | by_hand).select_related("owner", "category", "replaced_by")
        tools = list(rows.prefetch_related("tags"))
        known = {_key_of(tool): tool for tool in tools if tool.source_id is not None}
        twins = {tool.name: tool for tool in tools if tool.source_id is None}
        for item in read:
            twin = twins.get(item.document.name)
            if item.key not in known and twin is not None and _has_same_runner(twin, item):
                known[item.key] = twin
        return known

    def _create(self, items: Sequence[ReadTool]) -> Iterator[PlannedTool]:
        drafts = write_batch(self.owner, [(item.document, None) for item in items], self.author)
        for item, draft in zip(items, drafts, strict=True):
            if draft.is_valid:
                self._keep(draft.row, item, accept=True)
                yield _row(item, SyncAction.CREATE)
            else:
                yield _row(item, SyncAction.INVALID, errors=draft.errors)

    def _update(self, pairs: Sequence[tuple[ReadTool, Tool]]) -> Iterator[PlannedTool]:
        """What is new in tools that are here: a draft takes it at once, for any other it waits for review."""
        changes = []
        for item, tool in pairs:
            try:
                change = self._read_change(item, tool)
            except InvalidInput as error:
                yield _row(item, SyncAction.INVALID, tool, errors=error.errors)
                continue
            if change is None:
                yield self._take_as_told(item, tool)
            elif change.merge.changed and tool.status == ToolStatus.DRAFT:
                changes.append(change)
            else:
                yield self._propose(change)
        yield from self._change_drafts(changes)

    def _read_change(self, item: ReadTool, tool: Tool) -> _Change | None:
        """What the source says now that it did not say before; None when that is nothing. Raises InvalidInput."""
        if tool.source_id is None or _says_the_same(tool, item):
            return None
        merge = merge_import(render_tool(tool), tool.accepted_import, item.imported)
        document = read_tool({name: value for name, value in merge.content.items() if name != "origin"})
        raise_if_any(check_tool_document(document, (), check_name=False))
        return _Change(item, tool, merge, document)

    def _take_as_told(self, item: ReadTool, tool: Tool) -> PlannedTool:
        """Nothing to decide: the tool joins the source with its texts, or the source says the same as before."""
        notes, waits = _notes_on(tool), tool.pk in self.proposals
        if not notes and is_same(tool.imported, item.imported):
            return _row(item, SyncAction.UNCHANGED, tool, waits=waits)
        self._keep(tool, item, accept=False)
        return _row(item, SyncAction.UPDATE, tool, waits=waits, notes=notes)

    def _propose(self, change: _Change) -> PlannedTool:
        waits = bool(change.merge.changed)
        if waits:
            self.proposals.add(change.tool, change.merge)
        else:
            self.proposals.withdraw(change.tool)
        return self._take(change, waits=waits)

    def _change_drafts(self, changes: Sequence[_Change]) -> Iterator[PlannedTool]:
        drafts = write_batch(self.owner, [(change.document, change.tool) for change in changes], self.author)
        for change, draft in zip(changes, drafts, strict=True):
            if draft.is_valid:
                self.proposals.withdraw(change.tool)
                yield self._take(change)
            else:
                yield _row(change.item, SyncAction.INVALID, change.tool, errors=draft.errors)

    def _take(self, change: _Change, *, waits: bool = False) -> PlannedTool:
        notes = _notes_on(change.tool)
        self._keep(change.tool, change.item, accept=not waits)
        return _row(change.item, SyncAction.UPDATE, change.tool, change.merge, waits=waits, notes=notes)

    def _keep(self, tool: Tool, item: ReadTool, *, accept: bool) -> None:
        tool.source, tool.imported, tool.gone_at = self.source, item.imported, None
        if accept or tool.accepted_import is None:
            tool.accepted_import = item.imported
        self.touched.append(tool)

    def _flag_gone(self, listed: set[str]) -> Iterator[PlannedTool]:
        for tool in _tools_of(self.source).filter(gone_at=None).order_by("name"):
            if _key_of(tool) not in listed:
                tool.gone_at = timezone.now()
                self.touched.append(tool)
                yield PlannedTool(_key_of(tool), tool.name, SyncAction.GONE)


def _key_of(tool: Tool) -> str:
    imported = tool.imported
    return str(imported["name"]) if isinstance(imported, dict) else tool.name


def _has_same_runner(tool: Tool, item: ReadTool) -> bool:
    return (tool.execution, tool.callback) == (item.document.execution, item.document.callback or "")


def _says_the_same(tool: Tool, item: ReadTool) -> bool:
    before = tool.imported if isinstance(tool.imported, dict) else {}
    return all(is_same(before.get(name), item.imported.get(name)) for name in TRACKED)


def _notes_on(tool: Tool) -> tuple[str, ...]:
    if tool.source_id is None:
        return ("The tool was here before. It belongs to the source now, and its texts stay.",)
    return ("The source lists it again.",) if tool.gone_at else ()


def _row(
    item: ReadTool,
    action: SyncAction,
    tool: Tool | None = None,
    merge: Merge | None = None,
    *,
    waits: bool = False,
    notes: tuple[str, ...] = (),
    errors: Iterable[FieldError] = (),
) -> PlannedTool:
    return PlannedTool(
        key=item.key,
        name=tool.name if tool else item.document.name,
        action=action,
        waits=waits,
        changed=merge.changed if merge else (),
        kept=merge.kept if merge else (),
        findings=find_deviations(item.document) if action in (SyncAction.CREATE, SyncAction.UPDATE) else (),
        notes=(*item.notes, *notes),
        errors=tuple(errors),
    )
