"""The page of usage: which tools were shown, found and called over a period, and which searches found nothing."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.auditing import MOST_COUNTED, FruitlessSearch, ToolUse, count_tool_use, list_fruitless_searches
from toolcatalog.contract.catalog import Execution
from toolcatalog.models import Tenant, Tool

from .calls import say_duration
from .forms.widgets import LineWidget, SelectWidget
from .list_filters import PERIODS
from .playground.links import playground_url
from .sidebar import may_view_usage
from .words import OUTCOMES, say

MOST_TENANTS = 500
PER_PAGE = 100

_ORDERS: dict[str, tuple[Any, Callable[[ToolUse], int]]] = {
    "called": (_("Called most"), lambda use: use.called),
    "shown": (_("Shown most"), lambda use: use.shown),
    "found": (_("Found most"), lambda use: use.found),
    "failed": (_("Failed most"), lambda use: use.failed),
    "unused": (_("Shown and never called"), lambda use: use.shown if not use.called else -1),
}


class UsageForm(forms.Form):
    """What to count: a period, a tenant, names, and the order."""

    period = forms.ChoiceField(label=_("period"), required=False, widget=SelectWidget)
    tenant = forms.ChoiceField(label=_("tenant"), required=False, widget=SelectWidget)
    q = forms.CharField(
        label=_("tool"), required=False, widget=LineWidget({"placeholder": _("A part of the name")}), max_length=200
    )
    order = forms.ChoiceField(label=_("order"), required=False, widget=SelectWidget)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tenants = Tenant.objects.order_by("slug")[:MOST_TENANTS]
        self._choose("period", [(name, words) for name, (words, _length) in PERIODS.items()])
        self._choose("tenant", [("", _("All tenants")), *((tenant.slug, str(tenant)) for tenant in tenants)])
        self._choose("order", [(name, words) for name, (words, _key) in _ORDERS.items()])

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # a choice field


@dataclass(frozen=True, slots=True)
class UseLine:
    """One row of the table; `tool` is None where it was deleted since."""

    use: ToolUse
    tool: Tool | None
    took: str

    @property
    def never_called(self) -> bool:
        """Whether models saw it and never called it. What the calling service runs is called there, unseen."""
        return self.use.shown > 0 and not self.use.called and not self.is_run_elsewhere

    @property
    def is_run_elsewhere(self) -> bool:
        """Whether the calling service runs it, so that its calls are not known here."""
        return self.tool is not None and self.tool.execution == Execution.CLIENT


@dataclass(frozen=True, slots=True)
class SearchLine:
    """One search that found nothing, and where to try it again."""

    search: FruitlessSearch
    tenant: Tenant | None
    outcome: str
    playground: str


def show_usage(request: HttpRequest) -> HttpResponse:
    """The counts that the address asks for."""
    if not may_view_usage(request):
        raise PermissionDenied
    form = UsageForm({"period": "week", "order": "called", **request.GET.dict()})
    context: dict[str, Any] = {**admin.site.each_context(request), "title": gettext("Usage"), "form": form}
    if form.is_valid():
        context |= _count(form.cleaned_data, request.GET.get("page", ""))
    request.current_app = admin.site.name
    return TemplateResponse(request, "toolcatalog/admin/usage.html", context)


def _count(asked: dict[str, Any], page: str) -> dict[str, Any]:
    since = timezone.now() - PERIODS[asked["period"]][1] if asked["period"] else _week_ago()
    tenant = Tenant.objects.filter(slug=asked["tenant"]).first() if asked["tenant"] else None
    tenant_id = None if tenant is None else tenant.pk
    lines = list_lines(count_tool_use(since, tenant_id), asked["q"].strip(), asked["order"] or "called")
    return {
        "page": Paginator(lines, PER_PAGE).get_page(page),
        "searches": _describe_searches(list_fruitless_searches(since, tenant_id)),
        "most_counted": MOST_COUNTED,
        "since": since,
        "tenant_slug": asked["tenant"],
        "period": asked["period"] or "week",
    }


def _week_ago() -> datetime.datetime:
    return timezone.now() - datetime.timedelta(days=7)


def list_lines(uses: Sequence[ToolUse], part: str, order: str) -> list[UseLine]:
    """The rows: tools whose name holds `part`, in one of the orders."""
    tools = Tool.objects.in_bulk([use.tool_id for use in uses])
    lines = [
        UseLine(use, tools.get(use.tool_id), say_duration(use.average_ms))
        for use in uses
        if not part or part.casefold() in _name_of(tools.get(use.tool_id)).casefold()
    ]
    key = _ORDERS[order][1]
    wanted = [line for line in lines if order != "unused" or line.never_called]
    return sorted(wanted, key=lambda line: (-key(line.use), -line.use.shown, _name_of(line.tool), line.use.tool_id))


def _name_of(tool: Tool | None) -> str:
    return "" if tool is None else tool.name


def _describe_searches(searches: Sequence[FruitlessSearch]) -> list[SearchLine]:
    tenants = Tenant.objects.in_bulk({search.tenant_id for search in searches})
    return [
        SearchLine(
            search=search,
            tenant=tenants.get(search.tenant_id),
            outcome=say(OUTCOMES, search.outcome),
            playground=_try_link(search, tenants.get(search.tenant_id)),
        )
        for search in searches
    ]


def _try_link(search: FruitlessSearch, tenant: Tenant | None) -> str:
    return playground_url(tenant=tenant.slug, query=search.text) if tenant is not None and search.text else ""
