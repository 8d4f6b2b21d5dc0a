"""Tool groups, for curators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet

from toolcatalog.api.schemas import ToolGroupAnswerSerializer
from toolcatalog.api.views.filters import TimeFilter, TruthFilter
from toolcatalog.contract.matching import Source
from toolcatalog.curation import Author, GroupSerializer, delete_group, read_group, render_group, save_group
from toolcatalog.matchers import keep_own
from toolcatalog.models import GroupTool, ProfileGroup, ToolGroup
from toolcatalog.models.groups import GROUP_STATUSES

from .documentation import describe_list, describe_object
from .examples import GROUP
from .kinds import CatalogKind, Saved
from .ownership import SHARED, SHOWN_STATUSES, Ownership
from .views import CatalogListView, CatalogObjectView


class GroupFilter(django_filters.FilterSet):
    """What tool groups can be narrowed by."""

    name = django_filters.CharFilter("name", label="The whole name")
    status = django_filters.MultipleChoiceFilter(
        choices=[(status, status) for status, _ in GROUP_STATUSES], distinct=False, label="One or more statuses"
    )
    match = django_filters.CharFilter("match", label="always, rules, or the name of a matcher")
    tool = django_filters.CharFilter(method="filter_tool", label="Name of a tool that it lists")
    for_all_tenants = TruthFilter("for_all_tenants", label="Whether a shared one counts for every tenant")
    updated_since = TimeFilter("updated_at", "gte", label="Changed from this time on (ISO 8601)")

    class Meta:
        model = ToolGroup
        fields: list[str] = []

    def filter_tool(self, groups: QuerySet[ToolGroup], _: str, name: str) -> QuerySet[ToolGroup]:
        return groups.filter(Exists(GroupTool.objects.filter(group=OuterRef("pk"), tool__name=name)))


class GroupKind(CatalogKind[ToolGroup]):
    """Tool groups."""

    noun = "tool group"
    route = "tool-group"
    filters = GroupFilter
    searched = ("name", "title", "description", "system_prompt")
    ordered_by = ("position", "name", "title", "status", "created_at", "updated_at")
    order = "position,name"

    def rows(self) -> QuerySet[ToolGroup]:
        return ToolGroup.objects.select_related("owner").prefetch_related("matchers", "group_tools__tool")

    def shared(self, ownership: Ownership) -> Q:
        """Shared groups that count for the tenant: for all, or listed by one of its profiles."""
        listed = ProfileGroup.objects.filter(profile__tenant=ownership.tenant).values("group")
        return Q(status__in=SHOWN_STATUSES) & (Q(for_all_tenants=True) | Q(pk__in=listed))

    def render(self, row: ToolGroup, ownership: Ownership) -> dict[str, Any]:
        shown = render_group(row)
        if row.owner_id is None and not ownership.manages:
            hidden = {each.tool.name for each in row.group_tools.all() if each.tool_id not in ownership.shown_tools}
            shown["tools"] = [name for name in shown["tools"] if name not in hidden]
            shown["matchers"] = [_hide_others(row, ownership.tenant.slug) for row in shown["matchers"]]
        return {
            **shown,
            "owner": row.owner.slug if row.owner else SHARED,
            "revision": row.revision,
            "created_at": row.created_at,
            "updated_at": row.updated_at,
        }

    def document(self, row: ToolGroup, ownership: Ownership) -> dict[str, Any]:
        """Where the curator left open whether access is restricted, it follows from the new conditions again (G17)."""
        document = super().document(row, ownership)
        return {**document, "restricts_access": row.restricts_access}

    def save(
        self, ownership: Ownership, data: Mapping[str, Any], author: Author, row: ToolGroup | None
    ) -> Saved[ToolGroup]:
        saved = save_group(ownership.owner, read_group(dict(data)), author, group=row)
        return Saved(saved.group, saved.created, saved.warnings)

    def delete(self, row: ToolGroup, author: Author) -> None:
        delete_group(row, author)


def _hide_others(matcher: dict[str, Any], tenant: str) -> dict[str, Any]:
    """A shared group's condition on tenants names nobody but the reader."""
    if matcher["source"] != Source.TENANT:
        return matcher
    return {**matcher, "value": keep_own(matcher["value"], tenant), "note": ""}


KIND = GroupKind()


@describe_list(KIND, GroupSerializer, ToolGroupAnswerSerializer, example=GROUP)
class GroupListView(CatalogListView):
    """The tenant's tool groups, and the shared ones that count for it."""

    kind = KIND


@describe_object(KIND, GroupSerializer, ToolGroupAnswerSerializer, example=GROUP)
class GroupView(CatalogObjectView):
    """One tool group."""

    kind = KIND
