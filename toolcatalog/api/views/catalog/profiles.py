"""Agent profiles, for curators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet
from rest_framework.request import Request

from toolcatalog.api.schemas import ProfileAnswerSerializer
from toolcatalog.api.views.filters import TruthFilter
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import (
    Author,
    ProfileSerializer,
    delete_profile,
    read_profile,
    render_profile,
    save_profile,
)
from toolcatalog.models import AgentProfile, ProfileGroup, ProfileTool

from .documentation import describe_list, describe_object
from .examples import PROFILE
from .kinds import CatalogKind, Saved
from .ownership import OWNER, Ownership
from .views import CatalogListView, CatalogObjectView


class ProfileFilter(django_filters.FilterSet):
    """What profiles can be narrowed by."""

    slug = django_filters.CharFilter("slug", label="The whole slug")
    is_default = TruthFilter("is_default", label="Whether it is the default one")
    tool = django_filters.CharFilter(method="filter_tool", label="Name of a resident tool")
    group = django_filters.CharFilter(method="filter_group", label="Name of a group that it lists")

    class Meta:
        model = AgentProfile
        fields: list[str] = []

    def filter_tool(self, profiles: QuerySet[AgentProfile], _: str, name: str) -> QuerySet[AgentProfile]:
        return profiles.filter(Exists(ProfileTool.objects.filter(profile=OuterRef("pk"), tool__name=name)))

    def filter_group(self, profiles: QuerySet[AgentProfile], _: str, name: str) -> QuerySet[AgentProfile]:
        return profiles.filter(Exists(ProfileGroup.objects.filter(profile=OuterRef("pk"), group__name=name)))


class ProfileKind(CatalogKind[AgentProfile]):
    """Agent profiles. They are never shared."""

    noun = "profile"
    key = "slug"
    route = "profile"
    filters = ProfileFilter
    searched = ("slug", "title")
    ordered_by = ("slug", "title", "created_at", "updated_at")
    order = "slug"
    nested = ("search",)

    def ownership(self, request: Request, *, writing: bool) -> Ownership:
        ownership = super().ownership(request, writing=writing)
        if ownership.owner is None:
            raise InvalidInput.single(OWNER, "needs_tenant", "Profiles belong to a tenant; none is shared.")
        return ownership

    def rows(self) -> QuerySet[AgentProfile]:
        profiles = AgentProfile.objects.select_related("tenant")
        return profiles.prefetch_related("profile_tools__tool", "profile_groups__group")

    def shared(self, ownership: Ownership) -> Q:
        """None."""
        return Q(pk__in=())

    def readable(self, ownership: Ownership) -> QuerySet[AgentProfile]:
        return self.rows().filter(tenant=ownership.tenant)

    def find(self, ownership: Ownership, address: str) -> AgentProfile | None:
        return self.readable(ownership).filter(slug=address).first()

    def find_for_writing(self, ownership: Ownership, address: str) -> AgentProfile | None:
        return self.find(ownership, address)

    def render(self, row: AgentProfile, ownership: Ownership) -> dict[str, Any]:
        stamps = {"owner": row.tenant.slug, "created_at": row.created_at, "updated_at": row.updated_at}
        return {**render_profile(row), **stamps}

    def save(
        self, ownership: Ownership, data: Mapping[str, Any], author: Author, row: AgentProfile | None
    ) -> Saved[AgentProfile]:
        saved = save_profile(ownership.tenant, read_profile(dict(data)), profile=row)
        return Saved(saved.profile, saved.created)

    def delete(self, row: AgentProfile, author: Author) -> None:
        delete_profile(row)


KIND = ProfileKind()


@describe_list(KIND, ProfileSerializer, ProfileAnswerSerializer, example=PROFILE)
class ProfileListView(CatalogListView):
    """The tenant's agent profiles."""

    kind = KIND


@describe_object(KIND, ProfileSerializer, ProfileAnswerSerializer, example=PROFILE)
class ProfileView(CatalogObjectView):
    """One agent profile."""

    kind = KIND
