"""Grants of shared tools to tenants, for the catalog manager."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from rest_framework.request import Request

from toolcatalog.api.schemas import GrantAnswerSerializer
from toolcatalog.api.views.base import caller_of, key_of
from toolcatalog.api.views.filters import TruthFilter
from toolcatalog.contract.catalog import Effect
from toolcatalog.contract.errors import Forbidden
from toolcatalog.curation import Author, GrantSerializer, delete_grant, read_grant, render_grant, save_grant
from toolcatalog.models import Grant

from .documentation import describe_list, describe_object
from .examples import GRANT
from .kinds import CatalogKind, Saved
from .ownership import SHARED, Ownership
from .views import CatalogListView, CatalogObjectView

TARGETS = ("tool", "category", "tag", "source")


class GrantFilter(django_filters.FilterSet):
    """What grants can be narrowed by."""

    tenant = django_filters.CharFilter("tenant__slug", label="Slug of the tenant")
    effect = django_filters.ChoiceFilter(choices=[(each.value, each.value) for each in Effect], label="The effect")
    tool = django_filters.CharFilter("tool__name", label="Name of the shared tool")
    category = django_filters.CharFilter("category__slug", label="Slug of the shared category")
    tag = django_filters.CharFilter("tag__slug", label="Slug of the shared tag")
    source = django_filters.CharFilter("source__slug", label="Slug of the shared source")
    everything = TruthFilter("everything", label="Whether it speaks of every shared tool")

    class Meta:
        model = Grant
        fields: list[str] = []


class GrantKind(CatalogKind[Grant]):
    """Grants. The server numbers them; all are the catalog manager's."""

    noun = "grant"
    key = "id"
    route = "grant"
    filters = GrantFilter
    searched = ("note",)
    ordered_by = ("created_at", "effect")
    order = "created_at"
    parameters = ()
    creates_by_address = False

    def ownership(self, request: Request, *, writing: bool) -> Ownership:
        if "manage" not in caller_of(request).scopes:
            raise Forbidden("Grants are the catalog manager's: this key lacks “manage”.", code="missing_scope")
        return Ownership(key_of(request).tenant, SHARED, manages=True)

    def rows(self) -> QuerySet[Grant]:
        return Grant.objects.select_related("tenant", "tool", "category", "tag", "source")

    def shared(self, ownership: Ownership) -> Q:
        """All: only managers come here."""
        return Q()

    def readable(self, ownership: Ownership) -> QuerySet[Grant]:
        return self.rows()

    def find(self, ownership: Ownership, address: str) -> Grant | None:
        return self.rows().filter(pk=address).first()

    def find_for_writing(self, ownership: Ownership, address: str) -> Grant | None:
        return self.find(ownership, address)

    def render(self, row: Grant, ownership: Ownership) -> dict[str, Any]:
        targets = {**dict.fromkeys(TARGETS), "everything": False}
        return {"id": row.pk, **targets, **render_grant(row), "created_at": row.created_at}

    def save(self, ownership: Ownership, data: Mapping[str, Any], author: Author, row: Grant | None) -> Saved[Grant]:
        return Saved(save_grant(read_grant(dict(data)), grant=row), row is None)

    def delete(self, row: Grant, author: Author) -> None:
        delete_grant(row)

    def check_address(self, address: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The server gives the number: whatever the body says of it is not looked at."""
        return dict(body)


KIND = GrantKind()


@describe_list(KIND, GrantSerializer, GrantAnswerSerializer, example=GRANT)
class GrantListView(CatalogListView):
    """Which tenants have which shared tools."""

    kind = KIND


@describe_object(KIND, GrantSerializer, GrantAnswerSerializer, example=GRANT)
class GrantView(CatalogObjectView):
    """One grant."""

    kind = KIND
