"""Grants: which shared tools a tenant may have."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.curation import Author, delete_grant
from toolcatalog.models import Grant, Tenant

from .addresses import link_to, model_field
from .effect_page import EffectAdmin, only
from .forms.grants import TARGETS, GrantForm
from .list_filters import filter_conditions, filter_words
from .tenant_filter import tenant_filter
from .words import EFFECTS, say


@admin.register(Grant)
class GrantAdmin(EffectAdmin):
    """One line for each grant: a deny beats an allow."""

    form = GrantForm
    list_display = ("tenant", "effect_words", "target_words", "note")
    list_display_links = ("tenant", "effect_words")
    list_filter = (
        filter_words("effect", _("effect"), EFFECTS),
        filter_conditions(
            "target",
            _("what"),
            {
                name: (words, {"everything": True} if name == "everything" else {f"{name}__isnull": False})
                for name, words in TARGETS.items()
            },
        ),
        tenant_filter("tenant"),
    )
    list_select_related = ("tenant", "tool", "category", "tag", "source")
    search_fields = (
        "tenant__slug",
        "tenant__title",
        "tool__name",
        "category__slug",
        "tag__slug",
        "source__slug",
        "note",
    )
    autocomplete_fields = ("tenant",)
    sections = (
        (
            None,
            {
                "fields": ("tenant", "effect", "target", "tool", "category", "tag", "source", "note"),
                "description": _(
                    "A tenant sees a shared tool only if a grant allows it and none denies it. "
                    "Tools of its own need no grant."
                ),
            },
        ),
    )

    def affected_tenants(self, thing: Grant | None, owner: Tenant | None) -> QuerySet[Tenant]:
        """The tenant that it is for."""
        return Tenant.objects.none() if owner is None else only(owner)

    def delete_document(self, thing: Grant, author: Author) -> None:
        """Delete it: what it allowed is gone at once, what it denied may be allowed by another."""
        delete_grant(thing)

    @admin.display(description=_("effect"), ordering="effect")
    def effect_words(self, grant: Grant) -> SafeString:
        """Allow or deny."""
        return format_html(
            '<span class="tc-badge tc-{}">{}</span>',
            "success" if grant.effect == "allow" else "danger",
            say(EFFECTS, grant.effect),
        )

    @admin.display(description=_("what"))
    def target_words(self, grant: Grant) -> SafeString | str:
        """The one target."""
        for name in ("tool", "category", "tag", "source"):
            target = getattr(grant, name)
            if target is not None:
                return format_html("{} {}", model_field(Grant, name).verbose_name, link_to(target))
        return gettext("every shared tool")
