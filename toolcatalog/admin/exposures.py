"""Exposures: who was shown what, when, in which version, by which rule. Read only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from toolcatalog.models import AgentProfile, Exposure, ExposureContent, Tool, ToolGroup

from .audit_records import AuditRecordAdmin
from .calls import list_calls
from .exposure_detail import describe_exposure
from .list_filters import AT_FILTER, PeriodFilter, TenantNameFilter, filter_text, filter_words
from .replaying import replay
from .words import OUTCOMES

if TYPE_CHECKING:
    from django.contrib.admin import SimpleListFilter as TextFilter
else:
    from unfold.contrib.filters.admin import TextFilter


def shown_things(parameter: str, heading: Any, model: Any, field: str) -> Any:
    """A filter for exposures that showed a tool (or used a group) of this name, in whatever version."""

    class ShownFilter(TextFilter):
        title = heading
        parameter_name = parameter

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            value = self.value()
            if not value:
                return queryset
            ids = list(model.objects.filter(name=value).values_list("pk", flat=True))
            contents = ExposureContent.objects.filter(**{f"{field}__overlap": ids}).values("sha256")
            return queryset.filter(snapshot_sha256__in=contents)

    return ShownFilter


@admin.register(Exposure)
class ExposureAdmin(AuditRecordAdmin):
    """Newest first. The list never counts: there can be very many."""

    list_display = (
        "at_words",
        "kind",
        "outcome_words",
        "tenant_name",
        "profile_name",
        "account",
        "model",
        "conversation_id",
    )
    list_display_links = ("at_words",)
    sortable_by = ()
    list_select_related = False
    list_filter = (
        PeriodFilter,
        AT_FILTER,
        TenantNameFilter,
        filter_words("kind", _("kind"), dict(Exposure.Kind.choices)),
        filter_words("outcome", _("outcome"), OUTCOMES),
        shown_things("tool", _("tool that was shown"), Tool, "tool_ids"),
        shown_things("group", _("group that matched"), ToolGroup, "group_ids"),
        filter_text("account", _("account"), "account"),
        filter_text("model", _("model"), "model"),
        filter_text("conversation", _("conversation or correlation"), "correlation_id"),
    )
    empty_words = _("No agent has asked yet. Make an API key for a tenant, and let its service call resolve.")
    detail_template = "toolcatalog/admin/exposure.html"

    def add_names(self, rows: list[Any]) -> None:
        """With the profiles."""
        super().add_names(rows)
        profiles = AgentProfile.objects.in_bulk({row.profile_id for row in rows if row.profile_id})
        for row in rows:
            row.profile_row = profiles.get(row.profile_id)

    def detail_context(self, request: HttpRequest, thing: Exposure) -> dict[str, Any]:
        """The exact snapshot."""
        return {
            "shown": describe_exposure(thing),
            "subtitle": gettext("Exposure %(id)s") % {"id": thing.pk},
            "calls": list_calls(thing) if self.may_view(request, "call") else None,
            "replay_url": reverse(f"admin:{self.own_url('replay')}", args=[thing.pk]),
        }

    def get_urls(self) -> Any:
        """With the address that asks again today."""
        view = self.admin_site.admin_view(require_POST(self.replay_view))
        return [path("<uuid:exposure_id>/replay/", view, name=self.own_url("replay")), *super().get_urls()]

    def replay_view(self, request: HttpRequest, exposure_id: UUID) -> HttpResponse:
        """What the same request would be answered today, and what of it differs. Writes nothing."""
        exposure = self.get_object(request, str(exposure_id))
        if not self.has_view_permission(request, exposure):
            raise PermissionDenied
        if exposure is None:
            raise Http404
        return render(request, "toolcatalog/admin/replay.html", {"replay": replay(exposure)})

    @admin.display(description=_("outcome"))
    def outcome_words(self, exposure: Exposure) -> SafeString:
        """What came of it."""
        colour = {"failed": "danger", "no_match": "warning"}.get(exposure.outcome, "success")
        return format_html(
            '<span class="tc-badge tc-{}">{}</span>', colour, str(OUTCOMES.get(exposure.outcome, exposure.outcome))
        )

    @admin.display(description=_("profile"))
    def profile_name(self, exposure: Any) -> str:
        """Which agent asked."""
        row = exposure.profile_row
        return row.slug if row else "—"
