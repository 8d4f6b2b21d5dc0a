"""Takes a catalog document: a plan first, then all valid rows in one transaction, the invalid ones listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.export import Finding
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.models import AgentProfile, Category, Tag, Tenant, Tool, ToolGroup
from toolcatalog.text import check_tool_name, is_blank, propose_tool_name

from .documents import ToolDocument
from .grants import find_grant, save_grant
from .groups import save_group
from .labels import save_label
from .old_schemas import modernise_schema
from .profiles import save_profile
from .rendering import render_category, render_grant, render_profile, render_tag
from .serializers import read_category, read_grant, read_group, read_profile, read_tag, read_tool
from .tools import save_tools
from .transactions import Author, editing
from .verdicts import find_deviations

DOCUMENT_VERSION = 1
NOT_AN_OBJECT = FieldError("", "not_an_object", "Write a JSON object.")
SECTIONS = ("categories", "tags", "tools", "tool_groups", "profiles", "grants")


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """What is done with one row of a document. `action` is create, update, unchanged or invalid.

    `path` is the row's place, such as `tools[3]`; `notes` say what was changed to make it fit, `errors` what is wrong.
    `findings` say what some provider would not take of the tool as it stands.
    """

    path: str
    name: str
    action: str
    notes: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class ImportPlan:
    """Every row of a document with what is done with it, and whether it was done."""

    rows: list[PlannedRow] = field(default_factory=list)
    applied: bool = False

    def count(self, action: str) -> int:
        """How many rows have this action."""
        return sum(row.action == action for row in self.rows)


def import_document(
    owner: Tenant | None, document: JsonValue, author: Author, *, dry_run: bool = False, strict: bool = False
) -> ImportPlan:
    """Apply the document to one owner's objects (None: shared ones).

    A dry run does the same work and keeps nothing, so that the plan is what would happen. Strict: one invalid row, and
    nothing is kept. Raises InvalidInput for what is no catalog document at all.
    """
    sections = read_sections(document)
    plan = ImportPlan()
    with editing(many=True):
        _Importer(owner, author, plan, strict=strict).run(sections)
        plan.applied = not dry_run and not (strict and plan.count("invalid"))
        transaction.set_rollback(not plan.applied)
    return plan


def read_sections(document: JsonValue) -> dict[str, Sequence[JsonValue]]:
    """The lists of the document. Raises InvalidInput."""
    if not isinstance(document, Mapping):
        raise InvalidInput.single("", "not_an_object", "A catalog document is a JSON object.")
    errors = []
    if document.get("version") is True or document.get("version") != DOCUMENT_VERSION:
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
        self._tools(sections["tools"])
        self._each("tool_groups", sections, self._group, order=_position)
        self._each("profiles", sections, self._profile, order=_is_no_default)
        self._each("grants", sections, self._grant)

    def _each(
        self,
        section: str,
        sections: Mapping[str, Sequence[JsonValue]],
        save: Callable[[JsonObject], tuple[str, tuple[str, ...]]],
        order: Callable[[JsonValue], Any] = lambda _: 0,
    ) -> None:
        rows = sorted(enumerate(sections[section]), key=lambda pair: order(pair[1]))
        planned = [(index, self._row(f"{section}[{index}]", row, save)) for index, row in rows]
        self.plan.rows.extend(row for _, row in sorted(planned, key=lambda pair: pair[0]))

    def _row(self, path: str, row: JsonValue, save: Callable[[JsonObject], tuple[str, tuple[str, ...]]]) -> PlannedRow:
        name = _name_of(row)
        if not isinstance(row, Mapping):
            return PlannedRow(path, name, "invalid", errors=(NOT_AN_OBJECT,))
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

    def _tools(self, rows: Sequence[JsonValue]) -> None:
        """All tools at once: their number makes no more queries."""
        read = [self._read_tool(row) for row in rows]
        documents = [document for document, _, _ in read if document is not None]
        existing = {
            tool.name: tool for tool in Tool.objects.filter(owner=self.owner, name__in=[d.name for d in documents])
        }
        tried = iter(save_tools(self.owner, [(d, existing.get(d.name)) for d in documents], self.author))
        for index, (document, notes, errors) in enumerate(read):
            path, name = f"tools[{index}]", _name_of(rows[index])
            if document is None:
                self.plan.rows.append(PlannedRow(path, name, "invalid", errors=errors))
                continue
            result = next(tried)
            action = "invalid" if result.errors else _word(result.created, result.changed)
            findings = () if result.errors else find_deviations(document)
            self.plan.rows.append(PlannedRow(path, document.name, action, notes, result.errors, findings))

    def _read_tool(self, row: JsonValue) -> tuple[ToolDocument | None, tuple[str, ...], tuple[FieldError, ...]]:
        """(document, notes, errors) of one row; unless strict, what does not fit is made to fit."""
        if not isinstance(row, Mapping):
            return None, (), (NOT_AN_OBJECT,)
        try:
            document = read_tool({"status": ToolStatus.DRAFT.value, **row})
        except InvalidInput as error:
            return None, (), error.errors
        return (document, (), ()) if self.strict else (*make_fit(document), ())

    def _group(self, row: JsonObject) -> tuple[str, tuple[str, ...]]:
        document = read_group({"status": ToolStatus.DRAFT.value, **row})
        old = ToolGroup.objects.filter(owner=self.owner, name=document.name).first()
        saved = save_group(self.owner, document, self.author, group=old)
        return _word(saved.created, saved.changed), ()

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
        old = find_grant(document)
        before = None if old is None else render_grant(old)
        return _action(before, render_grant(save_grant(document, grant=old))), ()


def make_fit(document: ToolDocument) -> tuple[ToolDocument, tuple[str, ...]]:
    """The document with a legal name (T16) and a schema of the present draft, and what was changed for that."""
    parameters, notes = modernise_schema(document.parameters)
    name = document.name
    if not is_blank(name) and check_tool_name(name) is not None:
        name = propose_tool_name(name)
        notes = (f"“{document.name}” cannot be a name; it is taken as “{name}”.", *notes)
    if not notes:
        return document, ()
    fitted: Any = parameters
    return replace(document, name=name, parameters=fitted), notes


def _word(created: bool, changed: bool) -> str:
    if created:
        return "create"
    return "update" if changed else "unchanged"


def _action(before: JsonObject | None, after: JsonObject) -> str:
    if before is None:
        return "create"
    return "unchanged" if before == after else "update"


def _name_of(row: JsonValue) -> str:
    if not isinstance(row, Mapping):
        return ""
    names = (row.get(key) for key in ("name", "slug", "tenant"))
    return next((name for name in names if isinstance(name, str) and name), "")


def _is_no_default(row: JsonValue) -> bool:
    """The default profile comes first: it takes over before the old one is changed."""
    return not isinstance(row, Mapping) or row.get("is_default") is not True


def _position(row: JsonValue) -> Any:
    position = row.get("position", 100) if isinstance(row, Mapping) else 100
    return position if isinstance(position, int) else 100
