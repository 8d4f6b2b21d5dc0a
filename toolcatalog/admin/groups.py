"""Tool groups: tools, a piece of system prompt, and the rule that says when they apply."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.contract.matching import RULES
from toolcatalog.curation import Author, delete_group, read_group, render_group, save_group
from toolcatalog.matchers import check_rules
from toolcatalog.models import Revision, Tenant, ToolGroup

from .base import Panel, say_owner
from .effect_page import EffectAdmin, only, taking_group
from .forms.groups import GroupForm, RuleForm
from .forms.rows import PREFIX, make_row_set
from .forms.values import shape_table
from .group_reach import describe_group_reach
from .list_filters import OWNED, filter_conditions, filter_words
from .playground.links import playground_url
from .rule_words import say_group, say_rules, says_automatic
from .tenant_filter import tenant_filter
from .tools import history_panel, status_badge
from .translating import translate_sentence
from .words import STATUSES

GROUP_STATUSES = {status: words for status, words in STATUSES.items() if status != ToolStatus.DEPRECATED}


@admin.register(ToolGroup)
class ToolGroupAdmin(EffectAdmin):
    """The groups of all tenants, and shared ones, in the order in which they are taken."""

    form = GroupForm
    change_form_template = "toolcatalog/admin/group_form.html"
    list_display = ("position", "name_and_title", "owner_words", "rule_words", "tools_number", "status_words")
    list_display_links = ("name_and_title",)
    list_select_related = ("owner",)
    list_filter = (
        filter_words("status", _("status"), GROUP_STATUSES),
        OWNED,
        tenant_filter("owner"),
        filter_conditions(
            "applies",
            _("applies"),
            {
                "always": (_("Always"), {"match": "always"}),
                "rules": (_("By its conditions"), {"match": "rules"}),
            },
        ),
    )
    search_fields = ("name", "title", "description", "system_prompt")
    search_help_text = _("Name, title, description or prompt")
    autocomplete_fields = ("owner",)
    ordering = ("position", "name", "pk")
    actions = ("publish_selected", "switch_off_selected")
    sections = (
        (None, {"fields": ("owner", "name", "title", "status", "position", "description")}),
        (_("What it adds"), {"fields": ("tools", "system_prompt", "offers_search", "for_all_tenants")}),
        (_("When it applies"), {"fields": ("match", "match_params"), "classes": ("rows-after",)}),
        (_("Who may have its tools"), {"fields": ("restricts_access",), "classes": ("access-words-after",)}),
        (_("This change"), {"fields": ("reason",)}),
    )

    class Media:
        js = ("toolcatalog/admin/rules.js",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the conditions and the number of tools."""
        rows: QuerySet[Any] = (
            super().get_queryset(request).prefetch_related("matchers").annotate(tool_count=Count("group_tools"))
        )
        return rows

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The owner is chosen once."""
        return ("owner_words",) if obj else ()

    def get_urls(self) -> Any:
        """With the address that says a rule in words."""
        view = self.admin_site.admin_view(require_POST(self.words_view))
        return [path("words/", view, name=self.own_url("words")), *super().get_urls()]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """With what the script of the rows needs to know."""
        extra = {**(extra_context or {}), "shapes": shape_table(), "rows_prefix": PREFIX}
        return super().changeform_view(request, object_id, form_url, extra)

    def words_view(self, request: HttpRequest) -> HttpResponse:
        """The rule as it is typed right now, in words."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        form, rows = RuleForm(request.POST), make_row_set(request.POST)
        if not (form.is_valid() and rows.is_valid()):
            return render(request, "toolcatalog/admin/rule_words.html", {"unreadable": True})
        rules = form.make_rules(rows)
        context = {
            "words": say_rules(rules),
            "automatic": says_automatic(rules),
            "is_automatic": form.cleaned_data["restricts_access"] is None,
            "unused_rows": bool(rules.rows) and rules.match != RULES,
            "problems": [translate_sentence(error.message) for error in check_rules(rules)],
        }
        return render(request, "toolcatalog/admin/rule_words.html", context)

    def affected_tenants(self, thing: ToolGroup | None, owner: Tenant | None) -> QuerySet[Tenant]:
        """Its owner; where it is shared those that take it, and all that take every group, should it become theirs."""
        return taking_group(thing.pk if thing else None, for_all=True) if owner is None else only(owner)

    def delete_document(self, thing: ToolGroup, author: Author) -> None:
        """Delete it. Its history stays."""
        delete_group(thing, author)

    def panels(self, request: HttpRequest, thing: ToolGroup) -> Iterable[Panel]:
        """For whom it counts, where to try it, and its history."""
        reach = describe_group_reach(thing)
        yield Panel(
            gettext("For whom it counts"), "group_reach", group=thing, reach=reach, link=self._try_link(thing, reach)
        )
        if self.may_view(request, "revision"):
            yield history_panel(Revision.Kind.GROUP, thing)

    def _try_link(self, group: ToolGroup, reach: Any) -> str:
        first = next((profile for profile in reach.profiles), None)
        if first is None:
            return playground_url(tenant=group.owner.slug if group.owner else None)
        return playground_url(tenant=first.tenant.slug, profile=first.slug)

    # Bulk actions

    @admin.action(description=_("Publish the selected groups"), permissions=["change"])
    def publish_selected(self, request: HttpRequest, queryset: QuerySet[ToolGroup]) -> None:
        """Publish many groups."""
        self._set_status(request, queryset, ToolStatus.PUBLISHED)

    @admin.action(description=_("Switch the selected groups off"), permissions=["change"])
    def switch_off_selected(self, request: HttpRequest, queryset: QuerySet[ToolGroup]) -> None:
        """Switch many groups off."""
        self._set_status(request, queryset, ToolStatus.DISABLED)

    def _set_status(self, request: HttpRequest, queryset: QuerySet[ToolGroup], status: ToolStatus) -> None:
        done = 0
        for group in queryset.select_related("owner"):
            document = replace(read_group(render_group(group)), status=status, restricts_access=group.restricts_access)
            try:
                done += save_group(group.owner, document, self.author(request), group=group).changed
            except ToolCatalogError as error:
                self.message_user(request, f"{group.name}: {translate_sentence(error.detail)}", messages.ERROR)
        said = ngettext("%(number)s group was changed.", "%(number)s groups were changed.", done)
        self.message_user(request, said % {"number": done}, messages.SUCCESS)

    # Columns

    @admin.display(description=_("group"), ordering="name")
    def name_and_title(self, group: ToolGroup) -> SafeString:
        """The name, and the title beneath it."""
        return format_html('<span class="tc-name">{}</span><span class="tc-under">{}</span>', group.name, group.title)

    @admin.display(description=_("owner"), ordering="owner")
    def owner_words(self, group: ToolGroup) -> str:
        """Whose it is."""
        if group.for_all_tenants:
            return gettext("shared, for all tenants")
        return say_owner(group.owner)

    @admin.display(description=_("applies"))
    def rule_words(self, group: ToolGroup) -> SafeString:
        """The rule in words, one line for each condition set."""
        words = say_group(group)
        first, *others = words.sentences
        lines = format_html('<span class="tc-rule-line">{}</span>', first) + format_html_join(
            "",
            '<span class="tc-rule-line"><span class="tc-or-word">{}</span> {}</span>',
            ((gettext("or"), sentence) for sentence in others),
        )
        lock = gettext("restricts access") if words.restricts else ""
        mark = format_html('<span class="tc-badge tc-info">{}</span>', lock) if lock else ""
        return format_html('<span class="tc-rule">{}{}</span>', lines, mark)

    @admin.display(description=_("tools"), ordering="tool_count")
    def tools_number(self, group: Any) -> int:
        """How many tools it lists."""
        return int(group.tool_count)

    @admin.display(description=_("status"), ordering="status")
    def status_words(self, group: ToolGroup) -> SafeString:
        """Where it stands in its life."""
        return status_badge(group.status)
