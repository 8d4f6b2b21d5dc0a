"""Tools: what models may call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.contract.reasons import Reason
from toolcatalog.curation import Author, delete_tool, read_tool, render_tool, save_tool
from toolcatalog.models import Revision, Tenant, Tool

from .base import Panel, say_owner, say_time
from .callback_page import can_be_run
from .effect_page import EffectAdmin, granted_anything, only
from .forms.fields import JsonField
from .forms.tools import PREVIEW, ToolForm
from .list_filters import OWNED, filter_conditions, filter_words
from .parameter_table import list_parameters
from .playground.links import playground_url
from .reasons import describe_reason
from .reviews import describe_source, restore
from .tenant_filter import tenant_filter
from .translating import translate_sentence
from .usage import describe_usage
from .verdicts import judge_tool
from .words import EXECUTIONS, STATUS_COLOURS, STATUSES, say

REVISIONS_SHOWN = 10


@admin.register(Tool)
class ToolAdmin(EffectAdmin):
    """The tools of all tenants, and shared ones."""

    form = ToolForm
    list_display = (
        "name_and_title",
        "owner_words",
        "category",
        "status_words",
        "searchable",
        "tokens",
        "changed_words",
    )
    list_display_links = ("name_and_title",)
    list_select_related = ("owner", "category")
    list_filter = (
        filter_words("status", _("status"), STATUSES),
        OWNED,
        tenant_filter("owner"),
        tenant_filter("category"),
        tenant_filter("tags"),
        tenant_filter("source"),
        filter_words("execution", _("run by"), EXECUTIONS),
        filter_conditions(
            "lacks",
            _("what is missing"),
            {
                "description": (_("No description"), {"description": ""}),
                "category": (_("No category"), {"category__isnull": True}),
                "tags": (_("No tags"), {"tags__isnull": True}),
            },
        ),
    )
    search_fields = ("name", "title", "description")
    search_help_text = _("Name, title or description")
    autocomplete_fields = ("owner",)
    ordering = ("name", "pk")
    actions = ("publish_selected", "switch_off_selected")
    sections = (
        (None, {"fields": ("owner", "name", "title", "status")}),
        (_("What the model reads"), {"fields": ("description", "parameters")}),
        (_("How it is found"), {"fields": ("category", "tags", "keywords", "searchable")}),
        (_("How it is run"), {"fields": ("execution", "callback", "version", "replaced_by")}),
        (_("For programs"), {"fields": ("output_schema", "annotations", "metadata"), "classes": ("collapse",)}),
        (_("This change"), {"fields": ("reason",)}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The owner is chosen once."""
        return ("owner_words",) if obj else ()

    def get_urls(self) -> Any:
        """With the addresses that show parameters as a table, and take imported text back."""
        parameters = self.admin_site.admin_view(require_POST(self.parameters_view))
        back = self.admin_site.admin_view(restore)
        return [
            path("parameters/", parameters, name=PREVIEW.removeprefix("admin:")),
            path("<int:tool_id>/restore/", back, name=self.own_url("restore")),
            *super().get_urls(),
        ]

    def parameters_view(self, request: HttpRequest) -> HttpResponse:
        """The typed parameters as a table; nothing while they are not JSON yet."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            schema = JsonField(only_objects=False).clean(request.POST.get("parameters", ""))
        except ValidationError as error:
            return render(request, "toolcatalog/admin/parameters.html", {"problem": " ".join(error.messages)})
        return render(request, "toolcatalog/admin/parameters.html", {"rows": list_parameters(schema), "schema": schema})

    def affected_tenants(self, thing: Tool | None, owner: Tenant | None) -> QuerySet[Tenant]:
        """Its owner; where it is shared those that have grants."""
        return granted_anything() if owner is None else only(owner)

    def delete_document(self, thing: Tool, author: Author) -> None:
        """Delete it. Its history stays."""
        delete_tool(thing, author)

    def panels(self, request: HttpRequest, thing: Tool) -> Iterable[Panel]:
        """Where the tool is used, who may see it, what vendors make of it, and its history."""
        news = describe_source(thing)
        if news is not None:
            yield Panel(gettext("What its source says"), "source", news=news)
        if not can_be_run(thing):
            yield Panel(gettext("What is wrong"), "problem", problem=describe_reason(Reason.NO_CALLBACK).sentence)
        usage = describe_usage(thing)
        tenant = thing.owner or next((reach.tenant for reach in usage.reach if reach.allowed), None)
        link = playground_url(tenant=tenant.slug, tool=thing.name) if tenant else ""
        yield Panel(gettext("Where it is used"), "usage", tool=thing, usage=usage, playground=link)
        if self.may_view(request, "grant"):
            sees_keys = self.may_view(request, "apikey")
            yield Panel(gettext("Who may see it"), "reach", tool=thing, usage=usage, sees_keys=sees_keys)
        yield Panel(gettext("What vendors make of it"), "verdicts", verdicts=judge_tool(thing))
        if self.may_view(request, "revision"):
            yield history_panel(Revision.Kind.TOOL, thing)

    # Bulk actions

    @admin.action(description=_("Publish the selected tools"), permissions=["change"])
    def publish_selected(self, request: HttpRequest, queryset: QuerySet[Tool]) -> None:
        """Publish many tools."""
        self._set_status(request, queryset, ToolStatus.PUBLISHED)

    @admin.action(description=_("Switch the selected tools off"), permissions=["change"])
    def switch_off_selected(self, request: HttpRequest, queryset: QuerySet[Tool]) -> None:
        """Switch many tools off."""
        self._set_status(request, queryset, ToolStatus.DISABLED)

    def _set_status(self, request: HttpRequest, queryset: QuerySet[Tool], status: ToolStatus) -> None:
        done = 0
        for tool in queryset.select_related("owner", "category", "replaced_by").prefetch_related("tags"):
            document = replace(read_tool(render_tool(tool)), status=status)
            try:
                done += save_tool(tool.owner, document, self.author(request), tool=tool).changed
            except ToolCatalogError as error:
                self.message_user(request, f"{tool.name}: {translate_sentence(error.detail)}", messages.ERROR)
        said = ngettext("%(number)s tool was changed.", "%(number)s tools were changed.", done)
        self.message_user(request, said % {"number": done}, messages.SUCCESS)

    # Columns

    @admin.display(description=_("tool"), ordering="name")
    def name_and_title(self, tool: Tool) -> SafeString:
        """The name, and the title beneath it."""
        return format_html('<span class="tc-name">{}</span><span class="tc-under">{}</span>', tool.name, tool.title)

    @admin.display(description=_("owner"), ordering="owner")
    def owner_words(self, tool: Tool) -> str:
        """Whose it is."""
        return say_owner(tool.owner)

    @admin.display(description=_("changed"), ordering="updated_at")
    def changed_words(self, tool: Tool) -> str:
        """When it was changed last."""
        return say_time(tool.updated_at)

    @admin.display(description=_("status"), ordering="status")
    def status_words(self, tool: Tool) -> SafeString:
        """Where it stands in its life."""
        return status_badge(tool.status)


def history_panel(kind: str, thing: Any) -> Panel:
    """The latest revisions of a tool or group."""
    revisions = Revision.objects.filter(kind=kind, object_id=thing.pk).order_by("-number")
    return Panel(gettext("History"), "history", revisions=list(revisions[:REVISIONS_SHOWN]), live=thing.revision)


def status_badge(status: str) -> SafeString:
    """A status in words, in its colour."""
    return format_html('<span class="tc-badge tc-{}">{}</span>', STATUS_COLOURS.get(status, ""), say(STATUSES, status))
