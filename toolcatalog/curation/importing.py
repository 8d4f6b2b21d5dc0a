"""Takes a catalog document: a plan first, then all valid rows in one transaction, the invalid ones listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.models import AgentProfile, Category, Grant, Tag, Tenant, Tool, ToolGroup
from toolcatalog.text import check_tool_name, propose_tool_name

from .grants import save_grant
from .groups import save_group
from .labels import save_label
from .profiles import save_profile
from .rendering import render_category, render_grant, render_profile, render_tag
from .serializers import read_category, read_grant, read_group, read_profile, read_tag, read_tool
from .tools import save_tool
from .transactions import Author, editing

DOCUMENT_VERSION = 1
SECTIONS = ("categories", "tags", "tools", "tool_groups", "profiles", "grants")


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """What is done with one row of a document. `action` is create, update, unchanged or invalid.

    `path` is the row's place, such as `tools[3]`; `notes` say what was changed to make it fit, `errors` what is wrong.
    """

    path: str
    name: str
    action: str
    notes: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()


@dataclass(slots=True)
class ImportPlan:
    """Every row of a document with what is done with it, and whether it was done."""

    rows: list[PlannedRow] = field(default_factory=list)
    applied: bool = False

    def count(self, action: str) -> int:
        """How many rows have this action."""
        return sum(row.action == action for row in self.rows)


class _RollBack(Exception):
    """Leaves the transaction without keeping anything."""


def import_document(
    owner: Tenant | None, document: JsonValue, author: Author, *, dry_run: bool = False, strict: bool = False
) -> ImportPlan:
    """Apply the document to one owner's objects (None: shared ones).

    A dry run does the same work and keeps nothing, so that the plan is what would happen. Strict: one invalid row, and
    nothing is kept. Raises InvalidInput for what is no catalog document at all.
    """
    sections = read_sections(document)
    plan = ImportPlan()
    try:
        with editing():
            _Importer(owner, author, plan, strict=strict).run(sections)
            if dry_run or (strict and plan.count("invalid")):
                raise _RollBack
    except _RollBack:
        return plan
    plan.applied = True
    return plan


def read_sections(document: JsonValue) -> dict[str, Sequence[JsonValue]]:
    """The lists of the document. Raises InvalidInput."""
    if not isinstance(document, Mapping):
        raise InvalidInput.single("", "not_an_object", "A catalog document is a JSON object.")
    errors = []
    if document.get("version") != DOCUMENT_VERSION:
        errors.append(FieldError("version", "unknown_version", f'Write "version": {DOCUMENT_VERSION}.'))
    for key, value in document.items():
        if key != "version" and key not in SECTIONS:
            errors.append(
                FieldError(key, "unknown_field", f"There is no section “{key}”. Known: {', '.join(SECTIONS)}.")
            )
        elif key != "version" and (not isinstance(value, Sequence) or isinstance(value, str)):
            errors.append(FieldError(key, "not_a_list", f"“{key}” is a list of objects."))
    if errors:
        raise InvalidInput(errors)
    sections: Any = {section: document.get(section, ()) for section in SECTIONS}
    return dict(sections)


class _Importer:
    """One run: each row in a savepoint of its own, so that a bad one leaves nothing behind."""

    def __init__(self, owner: Tenant | None, author: Author, plan: ImportPlan, *, strict: bool) -> None:
        self.owner = owner
        self.author = author
        self.plan = plan
        self.strict = strict

    def run(self, sections: Mapping[str, Sequence[JsonValue]]) -> None:
        """All sections, in the order in which they refer to each other."""
        self._each("categories", sections, self._category)
        self._each("tags", sections, self._tag)
        self._each("tools", sections, self._tool)
        self._each("tool_groups", sections, self._group, order=_position)
        self._each("profiles", sections, self._profile)
        self._each("grants", sections, self._grant)

    def _each(
        self,
        section: str,
        sections: Mapping[str, Sequence[JsonValue]],
        save: Callable[[JsonObject], tuple[str, tuple[str, ...]]],
        order: Callable[[JsonValue], Any] = lambda _: 0,
    ) -> None:
        rows = sorted(enumerate(sections[section]), key=lambda pair: order(pair[1]))
        if section == "tools":
            rows = list(_replaced_last(rows))
        planned = [(index, self._row(f"{section}[{index}]", row, save)) for index, row in rows]
        self.plan.rows.extend(row for _, row in sorted(planned, key=lambda pair: pair[0]))

    def _row(self, path: str, row: JsonValue, save: Callable[[JsonObject], tuple[str, tuple[str, ...]]]) -> PlannedRow:
        name = _name_of(row)
        if not isinstance(row, Mapping):
            return PlannedRow(path, name, "invalid", errors=(FieldError("", "not_an_object", "Write a JSON object."),))
        try:
            with transaction.atomic():
                action, notes = save(row)
        except InvalidInput as error:
            return PlannedRow(path, name, "invalid", errors=error.errors)
        return PlannedRow(path, name, action, notes)

    def _category(self, row: JsonObject) -> tuple[str, tuple[str, ...]]:
        document = read_category(row)
        old = Category.objects.filter(owner=self.owner, slug=document.slug).first()
        before = None if old is None else render_category(old)
        return _action(before, render_category(save_label(Category, self.owner, document, label=old))), ()

    def _tag(self, row: JsonObject) -> tuple[str, tuple[str, ...]]:
        document = read_tag(row)
        old = Tag.objects.filter(owner=self.owner, slug=document.slug).first()
        before = None if old is None else render_tag(old)
        return _action(before, render_tag(save_label(Tag, self.owner, document, label=old))), ()

    def _tool(self, row: JsonObject) -> tuple[str, tuple[str, ...]]:
        document = read_tool({"status": ToolStatus.DRAFT.value, **row})
        notes: tuple[str, ...] = ()
        if not self.strict and check_tool_name(document.name) is not None:
            proposal = propose_tool_name(document.name)
            notes = (f"“{document.name}” cannot be a name; it is taken as “{proposal}”.",)
            document = replace(document, name=proposal)
        old = Tool.objects.filter(owner=self.owner, name=document.name).first()
        saved = save_tool(self.owner, document, self.author, tool=old)
        return "create" if saved.created else "update" if saved.changed else "unchanged", notes

    def _group(self, row: JsonObject) -> tuple[str, tuple[str, ...]]:
        document = read_group({"status": ToolStatus.DRAFT.value, **row})
        old = ToolGroup.objects.filter(owner=self.owner, name=document.name).first()
        saved = save_group(self.owner, document, self.author, group=old)
        return "create" if saved.created else "update" if saved.changed else "unchanged", ()

    def _profile(self, row: JsonObject) -> tuple[str, tuple[str, ...]]:
        if self.owner is None:
            raise InvalidInput.single("", "needs_tenant", "Profiles belong to a tenant: import them for one.")
        document = read_profile(row)
        old = AgentProfile.objects.filter(tenant=self.owner, slug=document.slug).first()
        before = None if old is None else render_profile(old)
        return _action(before, render_profile(save_profile(self.owner, document, profile=old).profile)), ()

    def _grant(self, row: JsonObject) -> tuple[str, tuple[str, ...]]:
        if self.owner is not None:
            raise InvalidInput.single("", "needs_manager", "Grants are the catalog manager's: import them as shared.")
        document = read_grant(row)
        wanted = render_grant(save_grant(document))
        same = [grant for grant in Grant.objects.filter(tenant__slug=document.tenant) if render_grant(grant) == wanted]
        for repeated in same[1:]:
            repeated.delete()
        return "unchanged" if len(same) > 1 else "create", ()


def _action(before: JsonObject | None, after: JsonObject) -> str:
    if before is None:
        return "create"
    return "unchanged" if before == after else "update"


def _name_of(row: JsonValue) -> str:
    if not isinstance(row, Mapping):
        return ""
    return str(row.get("name") or row.get("slug") or row.get("tenant") or "")


def _position(row: JsonValue) -> Any:
    position = row.get("position", 100) if isinstance(row, Mapping) else 100
    return position if isinstance(position, int) else 100


def _replaced_last(rows: Sequence[tuple[int, JsonValue]]) -> Iterator[tuple[int, JsonValue]]:
    """Tools that name a replacement come after it, however long the chain; a ring keeps the order it has."""
    waiting = list(rows)
    while waiting:
        names = {_name_of(row) for _, row in waiting}
        free = [pair for pair in waiting if not isinstance(pair[1], Mapping) or pair[1].get("replaced_by") not in names]
        yield from free or waiting
        waiting = [pair for pair in waiting if pair not in free] if free else []
