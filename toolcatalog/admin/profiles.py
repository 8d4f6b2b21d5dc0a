"""Agent profiles: what one agent of a tenant is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.curation import Author, delete_profile
from toolcatalog.models import AgentProfile, Tenant

from .base import Panel
from .effect_page import EffectAdmin, only
from .forms.profiles import ProfileForm
from .list_filters import filter_words
from .playground.links import playground_url
from .profile_summary import summarise_profile
from .tenant_filter import tenant_filter
from .words import DISCLOSURES, SEARCH_MODES, say


@admin.register(AgentProfile)
class AgentProfileAdmin(EffectAdmin):
    """The agents of all tenants."""

    form = ProfileForm
    list_display = ("title_or_slug", "slug", "tenant", "is_default", "residents", "groups_words", "search_words")
    list_display_links = ("title_or_slug", "slug")
    list_select_related = ("tenant",)
    list_filter = (
        tenant_filter("tenant"),
        filter_words("search_mode", _("tool search"), SEARCH_MODES),
        filter_words("disclosure", _("disclosure"), DISCLOSURES),
    )
    search_fields = ("slug", "title", "tenant__slug", "tenant__title")
    ordering = ("tenant__slug", "slug")
    autocomplete_fields = ("tenant",)
    sections = (
        (None, {"fields": ("tenant", "slug", "title", "is_default", "default_model")}),
        (_("Always sent"), {"fields": ("resident_tools",)}),
        (_("Groups"), {"fields": ("which_groups", "groups")}),
        (
            _("Tool search"),
            {
                "fields": (
                    "search_mode",
                    "search_categories",
                    "search_tags",
                    "exclude_tools",
                    ("default_results", "max_results"),
                    "inline_below_tokens",
                    "exposure_policy",
                )
            },
        ),
        (
            _("Finer points of the search"),
            {
                "fields": (
                    "search_provider",
                    "entry_tool",
                    "min_score",
                    "prefer_used",
                    "which_suffix",
                    "suffix",
                    "disclosure",
                ),
                "classes": ("collapse",),
            },
        ),
        (
            _("Limits and versions"),
            {
                "fields": ("max_tools", "strict", "execute_gate", "gate_hours", "valid_for_seconds", "versions"),
                "classes": ("collapse",),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the numbers of resident tools and listed groups."""
        tools, groups = Count("profile_tools", distinct=True), Count("profile_groups", distinct=True)
        rows: QuerySet[Any] = super().get_queryset(request).annotate(tools_number=tools, groups_number=groups)
        return rows

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The tenant is chosen once."""
        return ("tenant",) if obj else ()

    def affected_tenants(self, thing: AgentProfile | None, owner: Tenant | None) -> QuerySet[Tenant]:
        """Its tenant."""
        return Tenant.objects.none() if owner is None else only(owner)

    def delete_document(self, thing: AgentProfile, author: Author) -> None:
        """Delete it; the default one is refused."""
        delete_profile(thing)

    def panels(self, request: HttpRequest, thing: AgentProfile) -> Iterable[Panel]:
        """What the profile comes to, and where to try it."""
        yield Panel(
            gettext("What it comes to"),
            "profile",
            summary=summarise_profile(thing),
            profile=thing,
            playground=playground_url(tenant=thing.tenant.slug, profile=thing.slug),
        )

    @admin.display(description=_("title"), ordering="title")
    def title_or_slug(self, profile: AgentProfile) -> str:
        """The name for people."""
        return profile.title or profile.slug

    @admin.display(description=_("always sent"), ordering="tools_number")
    def residents(self, profile: Any) -> int:
        """How many resident tools."""
        return int(profile.tools_number)

    @admin.display(description=_("groups"))
    def groups_words(self, profile: Any) -> str:
        """All of them, or how many."""
        return gettext("all") if profile.all_groups else str(profile.groups_number)

    @admin.display(description=_("tool search"), ordering="search_mode")
    def search_words(self, profile: AgentProfile) -> str:
        """Whether the model may search."""
        return say(SEARCH_MODES, profile.search_mode)
