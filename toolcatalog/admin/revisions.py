"""Revisions: every state that a tool or group went through, and what changed from one to the next."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.models import Revision, Tenant, Tool, ToolGroup

from .addresses import change_url
from .base import ReadOnlyAdmin, time_column
from .differences import compare_documents
from .list_filters import filter_text, filter_words
from .reviews import PERMISSION, decide, describe_review

REVISION_STATUSES = dict(Revision.Status.choices)


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    """The history of tools and groups. Two states can be compared."""

    list_display = ("name_and_number", "kind", "status", "author", "reason", time_column("created_at", _("created")))
    list_display_links = ("name_and_number",)
    list_filter = (
        filter_words("kind", _("kind"), dict(Revision.Kind.choices)),
        filter_words("status", _("status"), REVISION_STATUSES),
        filter_text("named", _("name"), "name"),
        filter_text("written_by", _("author"), "author"),
    )
    search_fields = ("name", "author", "reason")
    ordering = ("-pk",)
    detail_template = "toolcatalog/admin/revision.html"

    def get_urls(self) -> Any:
        """With the addresses that decide on a change that waits."""
        view = self.admin_site.admin_view(decide)
        decisions = [
            path(f"<int:revision_id>/{decision}/", view, {"decision": decision}, name=self.own_url(decision))
            for decision in ("approve", "reject")
        ]
        return [*decisions, *super().get_urls()]

    def detail_context(self, request: HttpRequest, thing: Revision) -> dict[str, Any]:
        """What differs from another state: the one before, or the one that was asked for (`against`)."""
        others = Revision.objects.filter(kind=thing.kind, object_id=thing.object_id)
        numbers = list(others.order_by("-number").values_list("number", flat=True)[:200])
        against = self._pick_other(others, thing, request.GET.get("against", ""))
        before: Any = {} if against is None else against.content
        return {
            "numbers": [number for number in numbers if number != thing.number],
            "against": against,
            "changes": compare_documents(before, thing.content),
            "owner": Tenant.objects.filter(pk=thing.owner_id).first() if thing.owner_id else None,
            "live_url": self._live_url(thing),
            "hash": bytes(thing.sha256).hex(),
            "review": describe_review(thing),
            "may_review": request.user.has_perm(PERMISSION),
        }

    def _pick_other(self, others: Any, revision: Revision, asked: str) -> Revision | None:
        if asked.isascii() and asked.isdecimal() and len(asked) < 10:
            return others.filter(number=int(asked)).first()  # type: ignore[no-any-return]  # a revision
        return others.filter(number__lt=revision.number).order_by("-number").first()  # type: ignore[no-any-return]  # a revision

    def _live_url(self, revision: Revision) -> str:
        model: type[Tool | ToolGroup] = Tool if revision.kind == Revision.Kind.TOOL else ToolGroup
        thing = model.objects.filter(pk=revision.object_id).first()
        return "" if thing is None else change_url(thing)

    @admin.display(description=_("revision"))
    def name_and_number(self, revision: Revision) -> SafeString:
        """Which state of what."""
        said = gettext("revision %(number)s") % {"number": revision.number}
        return format_html('<span class="tc-name">{}</span><span class="tc-under">{}</span>', revision.name, said)
