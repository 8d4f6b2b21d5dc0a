"""Sessions: what conversations found. They can be read and forgotten."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from toolcatalog.models import Session
from toolcatalog.resolution import forget_session

from .base import ReadOnlyAdmin, time_column
from .list_filters import filter_text
from .tenant_filter import tenant_filter


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    """The memory of conversations whose callers do not replay their messages."""

    list_display = (
        "session_id",
        "tenant",
        "profile",
        "turns_number",
        time_column("last_used_at", _("last used")),
        time_column("created_at", _("created")),
    )
    list_display_links = ("session_id",)
    list_select_related = ("tenant", "profile__tenant")
    paginator = Paginator  # the bulk action says how many there are
    list_filter = (
        tenant_filter("tenant"),
        tenant_filter("profile"),
        filter_text("session", _("session"), "session_id"),
    )
    ordering = ("-last_used_at", "-pk")
    actions = ("forget_selected",)
    empty_words = _("No conversation is remembered. Callers that send all their messages need no session.")
    detail_template = "toolcatalog/admin/session.html"

    def detail_context(self, request: HttpRequest, thing: Session) -> dict[str, Any]:
        """The turns, newest first, each with its searches."""
        return {"turns": list(enumerate(thing.turns, start=1))[::-1], "tools": thing.tools or []}

    def has_forget_permission(self, request: HttpRequest) -> bool:
        """Who may delete sessions may let them be forgotten."""
        return bool(request.user.has_perm("toolcatalog.delete_session"))

    @admin.action(description=_("Forget the selected sessions"), permissions=["forget"])
    def forget_selected(self, request: HttpRequest, queryset: QuerySet[Session]) -> None:
        """Forget many sessions, in every profile of their tenant."""
        forgotten = sum(forget_session(session.tenant_id, session.session_id) for session in queryset)
        said = ngettext("%(number)s session is forgotten.", "%(number)s sessions are forgotten.", forgotten)
        self.message_user(request, said % {"number": forgotten}, messages.SUCCESS)

    @admin.display(description=_("turns"))
    def turns_number(self, session: Session) -> int:
        """How many turns searched."""
        return len(session.turns)
