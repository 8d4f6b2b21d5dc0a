"""What categories and tags have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

import django_filters
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from toolcatalog.contract.catalog import LIVE_STATUSES, Effect
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import Author, LabelDocument, delete_label, save_label
from toolcatalog.models import Category, Grant, Tag, Tool

from .kinds import CatalogKind, Saved
from .ownership import SHARED, Ownership, one_of

Label = TypeVar("Label", Category, Tag)


class LabelFilter(django_filters.FilterSet):
    """What categories and tags can be narrowed by."""

    slug = django_filters.CharFilter("slug", label="The whole slug")
    title = django_filters.CharFilter("title", label="The whole title")


class LabelKind(CatalogKind[Label]):
    """Categories or tags. `on_tools` and `on_grants` are the fields that name one."""

    key = "slug"
    filters = LabelFilter
    searched: ClassVar[tuple[str, ...]] = ("slug", "title")
    order = "slug"
    ordered_by = ("slug", "title")
    model: type[Label]
    on_tools: ClassVar[str]
    on_grants: ClassVar[str]

    @abstractmethod
    def read(self, data: Any) -> LabelDocument:
        """The document in a body. Raises InvalidInput."""

    @abstractmethod
    def show(self, row: Label) -> dict[str, Any]:
        """The label as in the catalog document."""

    def rows(self) -> QuerySet[Label]:
        return self.model.objects.select_related("owner")

    def shared(self, ownership: Ownership) -> Q:
        """Shared labels that a tool of the tenant's catalog bears, or that a grant allows."""
        tools = Tool.objects.filter(Q(owner=ownership.tenant) | Q(pk__in=one_of(ownership.shown_tools)))
        allowed = Grant.objects.filter(tenant=ownership.tenant, effect=Effect.ALLOW)
        return Q(pk__in=_named(tools, self.on_tools)) | Q(pk__in=_named(allowed, self.on_grants))

    def listed(self, ownership: Ownership) -> QuerySet[Label]:
        """With the number of tools that the tenant may have; among shared labels, of all live shared tools."""
        all_shared = ownership.owner is None and ownership.manages
        counted = Q(owner=None, status__in=LIVE_STATUSES) if all_shared else Q(pk__in=one_of(ownership.usable_tools))
        tools = Tool.objects.filter(counted, **{self.on_tools: OuterRef("pk")}).order_by().values(self.on_tools)
        number = Subquery(tools.annotate(number=Count("pk")).values("number"), output_field=IntegerField())
        return self.readable(ownership).annotate(tool_count=Coalesce(number, 0))

    def render(self, row: Label, ownership: Ownership) -> dict[str, Any]:
        return {**self.show(row), "owner": row.owner.slug if row.owner else SHARED}

    def render_listed(self, row: Label, ownership: Ownership) -> dict[str, Any]:
        return {**self.render(row, ownership), "tool_count": getattr(row, "tool_count", 0)}

    def save(self, ownership: Ownership, data: Mapping[str, Any], author: Author, row: Label | None) -> Saved[Label]:
        saved = save_label(self.model, ownership.owner, self.read(dict(data)), label=row)
        return Saved(saved, row is None)

    def check_address(self, address: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """What is written is found at its address again: the address has to be a slug."""
        slug = self.read({self.key: address}).slug
        if slug != address:
            message = f"“{address}” is no slug: “{slug}” is what it would be called. Use that as the address."
            raise InvalidInput.single(self.key, "not_a_slug", message)
        return super().check_address(address, body)

    def delete(self, row: Label, author: Author) -> None:
        delete_label(row)


def _named(rows: QuerySet[Any], field: str) -> QuerySet[Any, Any]:
    return rows.exclude(**{field: None}).order_by().values(field)
