"""Saves many tools with a number of queries that does not grow with them. One tool is a batch of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db.models import F, Max, OuterRef, Q, Subquery
from django.utils import timezone

from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.json import JsonObject, dump_json
from toolcatalog.models import AgentProfile, Category, Revision, Tag, Tenant, Tool

from .documents import ToolDocument
from .indexing import index_documents, measure_tokens, search_document_of
from .references import find_or_make_labels
from .renaming import rename_in_profiles
from .rendering import render_tool
from .revisions import hash_tool, make_revision
from .tool_checks import check_tool_document
from .transactions import Author
from .validation import NAME_TAKEN, flatten_validation

WRITTEN = (
    "name", "title", "description", "parameters", "output_schema", "annotations", "metadata", "category", "keywords",
    "version", "execution", "callback", "searchable", "status", "replaced_by", "tokens", "revision", "sha256",
    "updated_at",
)  # fmt: skip
_RELATIONS = ("owner", "category", "replaced_by", "source", "tags")


@dataclass(slots=True)
class Draft:
    """One tool on its way: the row as it was (None: new), what it shall be, and what is wrong with that."""

    document: ToolDocument
    existing: Tool | None
    row: Tool
    errors: list[FieldError] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    content: JsonObject = field(default_factory=dict)
    changed: bool = False

    @property
    def is_valid(self) -> bool:
        return not self.errors


def write_batch(owner: Tenant | None, items: Sequence[tuple[ToolDocument, Tool | None]], author: Author) -> list[Draft]:
    """Check and write tools of one owner inside an edit; drafts with errors are left alone, the others are written."""
    drafts = [Draft(document, existing, existing or Tool(owner=owner)) for document, existing in items]
    old_names = [draft.row.name for draft in drafts]
    _check(owner, drafts)
    _fill(owner, [draft for draft in drafts if draft.is_valid])
    _check_replacements(owner, drafts)
    _write([draft for draft in drafts if draft.is_valid], author)
    pairs = [(old, draft.document.name) for old, draft in zip(old_names, drafts, strict=True) if draft.is_valid]
    rename_in_profiles(owner, {old: new for old, new in pairs if old and old != new})
    return drafts


def _check(owner: Tenant | None, drafts: Sequence[Draft]) -> None:
    entry_names = entry_names_of(owner)
    taken = _taken_names(owner, drafts)
    for draft in drafts:
        renamed = draft.existing is None or draft.existing.name != draft.document.name
        draft.errors += check_tool_document(draft.document, entry_names, check_name=renamed)
        holder = taken.setdefault(draft.document.name, draft)
        if holder is not draft and holder != draft.row.pk:
            draft.errors.append(FieldError("name", NAME_TAKEN, "This owner already has a tool of that name."))


def _check_replacements(owner: Tenant | None, drafts: Sequence[Draft]) -> None:
    """A replacement is there already or is saved with this batch: one that is refused takes its followers along."""
    known = _known_names(owner, drafts)
    while True:
        valid = [draft for draft in drafts if draft.is_valid]
        names = known | {draft.document.name for draft in valid}
        lost = [draft for draft in valid if draft.document.replaced_by and draft.document.replaced_by not in names]
        for draft in lost:
            message = f"There is no tool “{draft.document.replaced_by}”. Create it first, or mend the name."
            draft.errors.append(FieldError("replaced_by", "unknown_tool", message))
        if not lost:
            return


def entry_names_of(owner: Tenant | None) -> list[str]:
    """The names that profiles gave their tool search: all profiles' for shared tools, else the owner's."""
    profiles = AgentProfile.objects.all() if owner is None else AgentProfile.objects.filter(tenant=owner)
    return list(profiles.order_by("entry_tool").values_list("entry_tool", flat=True).distinct())


def _visible(owner: Tenant | None) -> Q:
    return Q(owner=None) if owner is None else Q(owner=owner) | Q(owner=None)


def _known_names(owner: Tenant | None, drafts: Sequence[Draft]) -> set[str]:
    wanted = {draft.document.replaced_by for draft in drafts if draft.document.replaced_by}
    if not wanted:
        return set()
    return set(Tool.objects.filter(_visible(owner), name__in=wanted).values_list("name", flat=True))


def _taken_names(owner: Tenant | None, drafts: Sequence[Draft]) -> dict[str, int | Draft]:
    """Name to the id of the owner's tool that has it; while checking, also to the draft that takes it first."""
    names = [draft.document.name for draft in drafts]
    return dict(Tool.objects.filter(owner=owner, name__in=names).values_list("name", "pk"))


def _fill(owner: Tenant | None, drafts: Sequence[Draft]) -> None:
    """Put the documents into the rows; labels that are not there are made. Wrong values become errors."""
    categories = find_or_make_labels(Category, owner, [d.document.category for d in drafts if d.document.category])
    tags = find_or_make_labels(Tag, owner, [tag for draft in drafts for tag in draft.document.tags])
    for draft in drafts:
        document, row = draft.document, draft.row
        row.name, row.title, row.description = document.name, document.title, document.description
        row.parameters, row.output_schema = document.parameters, document.output_schema
        row.annotations, row.metadata = document.annotations, document.metadata
        row.keywords = {language: list(words) for language, words in document.keywords.items()}
        row.version, row.execution, row.callback = document.version, document.execution, document.callback or ""
        row.searchable, row.status = document.searchable, document.status
        row.category = categories[document.category] if document.category else None
        draft.tags = list({tag.pk: tag for tag in (tags[text] for text in document.tags)}.values())
        draft.errors += _clean(row)
        row.tokens = measure_tokens(row)


def _clean(row: Tool) -> list[FieldError]:
    try:
        row.clean_fields(exclude=_RELATIONS)
    except ValidationError as error:
        return list(flatten_validation(error))
    return []


def _write(drafts: Sequence[Draft], author: Author) -> None:
    """Write what changed: rows, tags, revisions, index."""
    latest = _latest_contents([draft.row.pk for draft in drafts if draft.existing is not None])
    for draft in drafts:
        draft.content = render_tool(draft.row, tags=draft.tags, replaced_by=draft.document.replaced_by)
        number, before = latest.get(draft.row.pk or 0, (0, None))
        # Compared with the order of keys: models read properties in the order in which they are sent.
        draft.changed = before is None or dump_json(before) != dump_json(draft.content)
        if draft.changed:
            draft.row.revision, draft.row.sha256 = number + 1, hash_tool(draft.content)
            draft.row.updated_at = timezone.now()
    changed = [draft for draft in drafts if draft.changed]
    Tool.objects.bulk_create([draft.row for draft in changed if draft.existing is None], batch_size=1000)
    _point_to_replacements(changed)
    Tool.objects.bulk_update([draft.row for draft in changed if _needs_update(draft)], WRITTEN, batch_size=500)
    _write_tags(changed)
    Revision.objects.bulk_create(
        [make_revision(draft.row, draft.content, author) for draft in changed], batch_size=1000
    )
    index_documents(search_document_of(draft.row, draft.tags) for draft in changed)


def _needs_update(draft: Draft) -> bool:
    return draft.existing is not None or draft.row.replaced_by_id is not None


def _latest_contents(ids: Sequence[int]) -> dict[int, tuple[int, JsonObject | None]]:
    """Tool id to (highest revision number, content of the live revision)."""
    if not ids:
        return {}
    numbers = dict(
        Revision.objects.filter(kind=Revision.Kind.TOOL, object_id__in=ids)
        .values_list("object_id")
        .annotate(last=Max("number"))
    )
    live = Tool.objects.filter(pk=OuterRef("object_id")).values("revision")[:1]
    contents = dict(
        Revision.objects.filter(kind=Revision.Kind.TOOL, object_id__in=ids, number=Subquery(live)).values_list(
            "object_id", "content"
        )
    )
    return {tool_id: (number, contents.get(tool_id)) for tool_id, number in numbers.items()}


def _point_to_replacements(drafts: Sequence[Draft]) -> None:
    """Set `replaced_by`, which may name a tool of the same batch; the owner's own come before shared ones."""
    wanted = {draft.document.replaced_by for draft in drafts if draft.document.replaced_by}
    found: dict[str, Tool] = {}
    if wanted:
        owner = drafts[0].row.owner
        tools = Tool.objects.filter(_visible(owner), name__in=wanted).order_by(F("owner").asc(nulls_first=True))
        found = {tool.name: tool for tool in tools}
    for draft in drafts:
        draft.row.replaced_by = found[draft.document.replaced_by] if draft.document.replaced_by else None


def _write_tags(drafts: Sequence[Draft]) -> None:
    through = Tool.tags.through
    links = through.objects.filter(tool_id__in=[draft.row.pk for draft in drafts if draft.existing is not None])
    present = set(links.values_list("tool_id", "tag_id"))
    wanted = {(draft.row.pk, tag.pk) for draft in drafts for tag in draft.tags}
    gone = present - wanted
    if gone:
        stale = [link.pk for link in links if (link.tool_id, link.tag_id) in gone]
        through.objects.filter(pk__in=stale).delete()
    through.objects.bulk_create(
        [through(tool_id=tool_id, tag_id=tag_id) for tool_id, tag_id in sorted(wanted - present)], batch_size=5000
    )
