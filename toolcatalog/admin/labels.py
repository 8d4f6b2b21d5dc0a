"""Categories, tags and sources: what tools are sorted by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.curation import Author, delete_label
from toolcatalog.models import Category, Tag, Tool, ToolSource

from .base import CatalogAdmin, DocumentAdmin, Panel, say_owner
from .forms.labels import CategoryForm, TagForm
from .list_filters import OWNED, filter_words
from .tenant_filter import tenant_filter
from .tools import status_badge
from .translating import translate_sentence

MOST_TOOLS = 20


class LabelAdmin(DocumentAdmin):
    """What categories and tags have in common."""

    list_display = ("title_or_slug", "slug", "owner_words", "tools_link")
    list_filter = (OWNED, tenant_filter("owner"))
    list_select_related = ("owner",)
    search_fields = ("slug", "title")
    ordering = ("slug", "pk")
    autocomplete_fields = ("owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the number of tools."""
        rows: QuerySet[Any] = super().get_queryset(request).annotate(tool_count=Count("tools", distinct=True))
        return rows

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The owner is chosen once."""
        return ("owner_words",) if obj else ()

    def delete_document(self, thing: Category | Tag, author: Author) -> None:
        """Delete it; tools lose it."""
        delete_label(thing)

    def panels(self, request: HttpRequest, thing: Category | Tag) -> Iterable[Panel]:
        """The tools that have it."""
        yield tools_panel("category" if isinstance(thing, Category) else "tags", thing)

    @admin.display(description=_("title"), ordering="title")
    def title_or_slug(self, label: Category | Tag) -> str:
        """The name for people."""
        return label.title or label.slug

    @admin.display(description=_("owner"), ordering="owner")
    def owner_words(self, label: Category | Tag) -> str:
        """Whose it is."""
        return say_owner(label.owner)

    @admin.display(description=_("tools"), ordering="tool_count")
    def tools_link(self, label: Any) -> SafeString | str:
        """How many tools stand here, as a link to them."""
        if not label.tool_count:
            return "0"
        lookup = "category" if isinstance(label, Category) else "tags"
        address = reverse("admin:toolcatalog_tool_changelist")
        return format_html(
            '<a class="tc-link" href="{}?{}__id__exact={}">{}</a>', address, lookup, label.pk, label.tool_count
        )


def tools_panel(lookup: str, thing: Category | Tag | ToolSource) -> Panel:
    """The first tools that have a category or tag, or come from a source, and how many there are."""
    tools = Tool.objects.filter(**{lookup: thing}).select_related("owner").order_by("name", "pk")
    number = tools.count()
    more = f"{reverse('admin:toolcatalog_tool_changelist')}?{lookup}__id__exact={thing.pk}"
    said = ngettext("%(number)s tool", "%(number)s tools", number) % {"number": number}
    return Panel(said, "tools", tools=[(tool, status_badge(tool.status)) for tool in tools[:MOST_TOOLS]], more=more)


@admin.register(Category)
class CategoryAdmin(LabelAdmin):
    """The shelves of the catalog."""

    form = CategoryForm
    fields = ("owner", "slug", "title", "description")


@admin.register(Tag)
class TagAdmin(LabelAdmin):
    """Words that tools share."""

    form = TagForm
    fields = ("owner", "slug", "title")


@admin.register(ToolSource)
class ToolSourceAdmin(CatalogAdmin):
    """Where definitions come from. Made by imports; here to be seen and granted."""

    list_display = ("__str__", "slug", "kind", "owner")
    list_filter = (OWNED, filter_words("kind", _("kind"), dict(ToolSource.Kind.choices)))
    list_select_related = ("owner",)
    search_fields = ("slug", "title")
    fields = ("owner", "slug", "title", "kind")
    empty_words = _(
        "Nothing was imported yet. The commands import_openapi, import_mcp and sync_callbacks make sources."
    )

    def panels(self, request: HttpRequest, thing: ToolSource) -> Iterable[Panel]:
        """What was wrong when it was last asked, and the tools that come from it."""
        if thing.problem:
            yield Panel(gettext("What is wrong"), "problem", problem=translate_sentence(thing.problem))
        yield tools_panel("source", thing)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Imports make sources."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Imports keep them."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Their tools hang on them."""
        return False
