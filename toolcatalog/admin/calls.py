"""Calls of tools: what was asked for, on the strength of what, and how it ended. Read only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.auditing import with_ends
from toolcatalog.models import AgentProfile, ApiKey, Call, Exposure, Revision, Tenant, Tool

from .audit_records import AuditRecordAdmin
from .list_filters import AT_FILTER, PeriodFilter, TenantNameFilter, filter_text, filter_words
from .reasons import REASONS, ReasonWords, describe_reason
from .words import CALL_CODES, CALL_COLOURS, CALL_OUTCOMES, DOORS, say

MADE_UP = "unknown:"
MOST_OF_EXPOSURE = 100


@dataclass(frozen=True, slots=True)
class ShownCall:
    """One call with everything that its record names. `code_words` says why it did not go well."""

    call: Any
    tenant: Tenant | None
    profile: AgentProfile | None
    key: ApiKey | None
    tool: Tool | None
    revision: Revision | None
    exposure: Exposure | None
    reasons: tuple[ReasonWords, ...]
    door: str
    code_words: str
    arguments: str
    arguments_digest: str


def describe_call(call: Any) -> ShownCall:
    """The record in words; `call` comes from `with_ends`."""
    digest = call.arguments_digest
    return ShownCall(
        call=call,
        tenant=Tenant.objects.filter(pk=call.tenant_id).first(),
        profile=AgentProfile.objects.filter(pk=call.profile_id).first(),
        key=ApiKey.objects.filter(pk=call.api_key_id).first(),
        tool=Tool.objects.filter(pk=call.tool_id).first(),
        revision=_find_revision(call),
        exposure=Exposure.objects.filter(tenant_id=call.tenant_id, pk=call.exposure_id).first(),
        reasons=tuple(describe_reason(reason) for reason in call.reasons),
        door=say(DOORS, call.door),
        code_words=say_code(call.code),
        arguments=_tidy(call.arguments),
        arguments_digest="" if digest is None else bytes(digest).hex(),
    )


def _find_revision(call: Call) -> Revision | None:
    if call.tool_id is None or call.revision is None:
        return None
    states = Revision.objects.filter(kind=Revision.Kind.TOOL, object_id=call.tool_id, number=call.revision)
    return states.first()


def say_code(code: str) -> str:
    """Why a call did not go well, in a sentence; "" where nothing is known beside the code itself."""
    if code in CALL_CODES:
        return str(CALL_CODES[code])
    reason = next((words for reason, words in REASONS.items() if reason.lower() == code), None)
    return "" if reason is None else str(reason.sentence)


def _tidy(arguments: str | None) -> str:
    if arguments is None:
        return ""
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False, indent=2)
    except ValueError:
        return arguments


def call_badge(outcome: str) -> SafeString:
    """How a call ended, in its colour."""
    return format_html(
        '<span class="tc-badge tc-{}">{}</span>', CALL_COLOURS.get(outcome, ""), say(CALL_OUTCOMES, outcome)
    )


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call of an exposure, for a table."""

    call: Any
    name: str
    badge: SafeString
    took: str


def list_calls(exposure: Exposure) -> list[CallLine]:
    """The calls that were made on the strength of an exposure, the first ones first."""
    calls: QuerySet[Any] = with_ends(
        Call.objects.filter(tenant_id=exposure.tenant_id, exposure_id=exposure.pk, at__gte=exposure.at)
    )
    return [
        CallLine(call, say_name(call.name), call_badge(call.outcome), say_duration(call.duration_ms))
        for call in calls.order_by("at", "id")[:MOST_OF_EXPOSURE]
    ]


@admin.register(Call)
class CallAdmin(AuditRecordAdmin):
    """Newest first. The list never counts: there can be very many."""

    list_display = ("at_words", "name_words", "outcome_words", "duration", "tenant_name", "door_words", "account")
    list_display_links = ("at_words",)
    sortable_by = ()
    list_select_related = False
    list_filter = (
        PeriodFilter,
        AT_FILTER,
        TenantNameFilter,
        filter_text("tool", _("tool"), "name"),
        filter_words("outcome", _("outcome"), CALL_OUTCOMES),
        filter_words("door", _("came by"), DOORS),
        filter_text("group", _("group that had brought the tool"), "groups__contains", many=True),
        filter_text("account", _("account"), "account"),
        filter_text("conversation", _("conversation or correlation"), "correlation_id"),
    )
    empty_words = _("No tool was called yet. Tools that the calling service runs itself are not listed here.")
    detail_template = "toolcatalog/admin/call.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With how each ended."""
        return with_ends(super().get_queryset(request))

    def detail_context(self, request: HttpRequest, thing: Call) -> dict[str, Any]:
        """Everything that the record holds."""
        shown = describe_call(thing)
        return {
            "shown": shown,
            "badge": call_badge(shown.call.outcome),
            "name": say_name(thing.name),
            "took": say_duration(None if shown.call.outcome == "refused" else shown.call.duration_ms),
            "subtitle": gettext("Call %(id)s") % {"id": thing.pk},
            "sees_exposures": self.may_view(request, "exposure"),
        }

    @admin.display(description=_("tool"))
    def name_words(self, call: Call) -> str:
        """Which tool was called."""
        return say_name(call.name)

    @admin.display(description=_("outcome"))
    def outcome_words(self, call: Any) -> SafeString:
        """How it ended."""
        return call_badge(call.outcome)

    @admin.display(description=_("took"))
    def duration(self, call: Any) -> str:
        """How long it ran."""
        return say_duration(None if call.outcome == "refused" else call.duration_ms)

    @admin.display(description=_("came by"))
    def door_words(self, call: Call) -> str:
        """The way it came in."""
        return say(DOORS, call.door)


def say_name(name: str) -> str:
    """The tool's name. One that a model made up is kept as a digest only, unless the tenant keeps texts."""
    made_up = name.removeprefix(MADE_UP)
    return name if made_up == name else gettext("a name that is not in the catalog (%(digest)s)") % {"digest": made_up}


def say_duration(milliseconds: int | None) -> str:
    """Milliseconds below a second, seconds above; a dash where nothing is known."""
    if milliseconds is None:
        return "—"
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"
