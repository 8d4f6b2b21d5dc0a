"""Tenants: who the catalog is for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.models import Tenant, Tool, ToolGroup

from .base import DocumentAdmin, Panel
from .forms.tenants import TenantForm
from .keys import ACTIVE, key_state
from .list_filters import filter_conditions


@admin.register(Tenant)
class TenantAdmin(DocumentAdmin):
    """Customers and business units. A tenant is switched off, not deleted: its audit stays."""

    form = TenantForm
    list_display = ("title_or_slug", "slug", "active_words", "profile_count", "key_count")
    list_filter = (
        filter_conditions(
            "active",
            _("state"),
            {"yes": (_("Active"), {"is_active": True}), "no": (_("Switched off"), {"is_active": False})},
        ),
    )
    search_fields = ("slug", "title")
    ordering = ("slug",)
    sections = (
        (None, {"fields": ("slug", "title", "is_active")}),
        (_("What the audit keeps"), {"fields": ("text_policy",)}),
        (_("Sessions"), {"fields": ("eviction", "max_sessions", "session_ttl_seconds")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the numbers of profiles and live keys."""
        profiles, keys = (
            Count("profiles", distinct=True),
            Count("api_keys", filter=Q(**{f"api_keys__{k}": v for k, v in ACTIVE.items()}), distinct=True),
        )
        rows: QuerySet[Any] = super().get_queryset(request).annotate(profiles_number=profiles, keys_number=keys)
        return rows

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: a tenant is switched off."""
        return False

    def panels(self, request: HttpRequest, thing: Tenant) -> Iterable[Panel]:
        """The tenant's keys and what it owns."""
        if self.may_view(request, "apikey"):
            keys = [(key, key_state(key)) for key in thing.api_keys.order_by("revoked_at", "name")]
            yield Panel(gettext("API keys"), "keys", keys=keys, tenant=thing)
        yield Panel(
            gettext("What it has"),
            "tenant",
            tenant=thing,
            profiles=thing.profiles.order_by("-is_default", "slug"),
            tools=Tool.objects.filter(owner=thing).count(),
            groups=ToolGroup.objects.filter(owner=thing).count(),
            grants=thing.grants.count(),
        )

    @admin.display(description=_("title"), ordering="title")
    def title_or_slug(self, tenant: Tenant) -> str:
        """The name for people."""
        return tenant.title or tenant.slug

    @admin.display(description=_("active"), boolean=True, ordering="is_active")
    def active_words(self, tenant: Tenant) -> bool:
        """Whether its keys are accepted."""
        return tenant.is_active

    @admin.display(description=_("profiles"), ordering="profiles_number")
    def profile_count(self, tenant: Any) -> int:
        """How many agents it has."""
        return int(tenant.profiles_number)

    @admin.display(description=_("live keys"), ordering="keys_number")
    def key_count(self, tenant: Any) -> int:
        """How many keys are not revoked."""
        return int(tenant.keys_number)
