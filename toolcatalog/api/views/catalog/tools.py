"""Tools, for curators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet

from toolcatalog.api.schemas import ToolAnswerSerializer
from toolcatalog.api.views.filters import TimeFilter, TruthFilter
from toolcatalog.contract.catalog import HIDING_STATUSES, Execution, ToolStatus
from toolcatalog.curation import (
    Author,
    ToolDocument,
    ToolSerializer,
    ToolWarning,
    delete_tool,
    lint_rename,
    read_tool,
    render_tool,
    save_tool,
)
from toolcatalog.models import GroupTool, Tag, Tool

from .documentation import describe_list, describe_object
from .examples import TOOL
from .kinds import CatalogKind, Saved
from .ownership import SHARED, Ownership, one_of
from .views import CatalogListView, CatalogObjectView


class ToolFilter(django_filters.FilterSet):
    """What tools can be narrowed by."""

    name = django_filters.CharFilter("name", label="The whole name")
    category = django_filters.CharFilter("category__slug", label="Slug of the category")
    tag = django_filters.CharFilter(method="filter_tag", label="Slug of one of the tags")
    status = django_filters.MultipleChoiceFilter(
        choices=[(status.value, status.value) for status in ToolStatus], distinct=False, label="One or more statuses"
    )
    source = django_filters.CharFilter("source__slug", label="Slug of the source")
    execution = django_filters.ChoiceFilter(choices=[(way.value, way.value) for way in Execution], label="Who runs it")
    callback = django_filters.CharFilter("callback", label="Name of the callback that runs it")
    searchable = TruthFilter("searchable", label="Whether search may find it")
    version = django_filters.CharFilter("version", label="The version label")
    group = django_filters.CharFilter(method="filter_group", label="Name of a group that lists it")
    updated_since = TimeFilter("updated_at", "gte", label="Changed from this time on (ISO 8601)")

    class Meta:
        model = Tool
        fields: list[str] = []

    def filter_tag(self, tools: QuerySet[Tool], _: str, slug: str) -> QuerySet[Tool]:
        return tools.filter(Exists(Tag.objects.filter(tools=OuterRef("pk"), slug=slug)))

    def filter_group(self, tools: QuerySet[Tool], _: str, name: str) -> QuerySet[Tool]:
        listed = GroupTool.objects.filter(tool=OuterRef("pk"), group__name=name)
        return tools.filter(Exists(listed.filter(group__owner=OuterRef("owner")) | listed.filter(group__owner=None)))


class ToolKind(CatalogKind[Tool]):
    """Tools."""

    noun = "tool"
    route = "tool"
    filters = ToolFilter
    searched = ("name", "title", "description")
    ordered_by = ("name", "title", "status", "created_at", "updated_at")

    def rows(self) -> QuerySet[Tool]:
        related = Tool.objects.select_related("owner", "category", "source", "replaced_by")
        return related.prefetch_related("tags")

    def shared(self, ownership: Ownership) -> Q:
        return Q(pk__in=one_of(ownership.shown_tools))

    def render(self, row: Tool, ownership: Ownership) -> dict[str, Any]:
        shown = render_tool(row)
        hides = row.owner_id is None and not ownership.manages and row.replaced_by_id not in ownership.shown_tools
        return {
            **shown,
            "replaced_by": None if hides else shown["replaced_by"],
            "owner": row.owner.slug if row.owner else SHARED,
            "source": row.source.slug if row.source else None,
            "revision": row.revision,
            "created_at": row.created_at,
            "updated_at": row.updated_at,
        }

    def save(self, ownership: Ownership, data: Mapping[str, Any], author: Author, row: Tool | None) -> Saved[Tool]:
        document = read_tool(dict(data))
        beside = [*self._hidden(ownership, document), *([] if row is None else lint_rename(row, document.name))]
        saved = save_tool(ownership.owner, document, author, tool=row)
        return Saved(saved.tool, saved.created, (*saved.warnings, *beside))

    def _hidden(self, ownership: Ownership, document: ToolDocument) -> list[ToolWarning]:
        """A warning where a tenant's own tool takes the place of a shared one (T3)."""
        if ownership.owner is None or document.status not in HIDING_STATUSES:
            return []
        if not Tool.objects.filter(self.shared(ownership), name=document.name).exists():
            return []
        message = f"A shared tool is called “{document.name}” too. Yours stands before it from now on."
        return [ToolWarning("name", "hides_shared", message)]

    def delete(self, row: Tool, author: Author) -> None:
        delete_tool(row, author)


KIND = ToolKind()


@describe_list(KIND, ToolSerializer, ToolAnswerSerializer, example=TOOL)
class ToolListView(CatalogListView):
    """The tenant's tools, and the shared ones that it has."""

    kind = KIND


@describe_object(KIND, ToolSerializer, ToolAnswerSerializer, example=TOOL)
class ToolView(CatalogObjectView):
    """One tool."""

    kind = KIND
