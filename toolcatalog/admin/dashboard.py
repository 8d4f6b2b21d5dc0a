"""The first page: a few numbers, what waits to be done, and what was shown last."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from toolcatalog.callbacks import callback_problems
from toolcatalog.contract.catalog import LIVE_STATUSES, ToolStatus
from toolcatalog.contract.matching import ALWAYS
from toolcatalog.matchers import check_rules, plugin_problems
from toolcatalog.models import AgentProfile, ApiKey, Exposure, Revision, Tenant, Tool, ToolGroup
from toolcatalog.search import find_provider_problems
from toolcatalog.selectors import make_group_rules, make_matcher_row

from .callback_page import count_stranded_tools
from .translating import translate_sentence

MOST_GROUPS_CHECKED = 1_000
LATEST_SHOWN = 8
FIRST_STEPS_NEED = tuple(f"toolcatalog.add_{model}" for model in ("tenant", "tool", "toolgroup", "apikey"))
SOON = datetime.timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Number:
    """One number, with a note under it and a link to what it counts. `live` are those that count for models."""

    title: str
    value: int
    note: str
    icon: str
    url: str
    live: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that waits to be done. `colour` says how urgent it is."""

    words: str
    url: str
    colour: str = "info"
    icon: str = "arrow_forward"


@dataclass(frozen=True, slots=True)
class FirstStep:
    """One step of a newcomer, and whether it is done."""

    words: str
    url: str
    done: bool


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A group whose rule cannot be judged, with the sentences that say why."""

    group: ToolGroup
    problems: tuple[str, ...]


def show_dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the first page shows, to those who may see the catalog."""
    context = {**context, "title": gettext("Overview")}
    if not request.user.has_perm("toolcatalog.view_tool"):
        return context
    numbers = count_things()
    broken = find_broken_rules()
    sees_audit = request.user.has_perm("toolcatalog.view_exposure")
    return {
        **context,
        "numbers": numbers,
        "first_steps": list_first_steps(request, numbers),
        "steps": list_steps(),
        "broken": broken,
        "plugins": find_plugin_problems(),
        "latest": list_latest() if sees_audit else None,
    }


def _list_url(model: str, query: str = "") -> str:
    address = reverse(f"admin:toolcatalog_{model}_changelist")
    return f"{address}?{query}" if query else address


def list_first_steps(request: HttpRequest, numbers: Sequence[Number]) -> list[FirstStep]:
    """The way of a newcomer from an empty database to an agent that asks; empty once an agent has asked."""
    if not request.user.has_perms(FIRST_STEPS_NEED) or Exposure.objects.exists():
        return []
    tenant = Tenant.objects.order_by("pk").first()
    own = f"?owner={tenant.pk}" if tenant else ""
    has_tools, has_groups = (number.live > 0 for number in numbers[:2])
    has_key = ApiKey.objects.filter(revoked_at=None).exists()
    playground = reverse("admin:toolcatalog_playground")
    steps = (
        (gettext("Create a tenant: whose agents are they? It gets an agent profile with it."), "tenant", "", tenant),
        (gettext("Describe a tool, and publish it."), "tool", own, has_tools),
        (
            gettext("Make a tool group that says when tools are sent, and publish it."),
            "toolgroup",
            own,
            has_groups,
        ),
        (
            gettext("Make an API key for the service that asks. It is shown once."),
            "apikey",
            f"?tenant={tenant.pk}" if tenant else "",
            has_key,
        ),
    )
    first = [
        FirstStep(words, reverse(f"admin:toolcatalog_{model}_add") + query, bool(done))
        for words, model, query, done in steps
    ]
    asks = gettext("Let the service call resolve. Its first request stands on this page, and these steps are gone.")
    return [
        *first[:3],
        FirstStep(gettext("Try a request in the playground: which tools does a model get?"), playground, False),
        first[3],
        FirstStep(asks, reverse("docs"), False),
    ]


def count_things() -> list[Number]:
    """The size of the catalog."""
    tools = Tool.objects.aggregate(
        all=Count("pk"), live=Count("pk", filter=Q(status__in=LIVE_STATUSES)), shared=Count("pk", filter=Q(owner=None))
    )
    groups = ToolGroup.objects.aggregate(all=Count("pk"), live=Count("pk", filter=Q(status=ToolStatus.PUBLISHED)))
    tenants = Tenant.objects.aggregate(all=Count("pk"), live=Count("pk", filter=Q(is_active=True)))
    profiles = AgentProfile.objects.count()
    live, shared = gettext("%(number)s live"), gettext("%(number)s shared")
    return [
        Number(
            gettext("Tools"),
            tools["all"],
            f"{live % {'number': tools['live']}}, {shared % {'number': tools['shared']}}",
            "build",
            _list_url("tool"),
            tools["live"],
        ),
        Number(
            gettext("Tool groups"),
            groups["all"],
            live % {"number": groups["live"]},
            "category",
            _list_url("toolgroup"),
            groups["live"],
        ),
        Number(gettext("Agent profiles"), profiles, "", "smart_toy", _list_url("agentprofile")),
        Number(
            gettext("Tenants"),
            tenants["all"],
            gettext("%(number)s active") % {"number": tenants["live"]},
            "apartment",
            _list_url("tenant"),
        ),
    ]


def list_steps() -> list[Step]:
    """What waits to be done, the most pressing first."""
    steps = []
    changes = Revision.objects.filter(status=Revision.Status.PENDING).count()
    if changes:
        said = gettext("Changes of sources that wait for review: %(number)s.")
        steps.append(
            Step(said % {"number": changes}, _list_url("revision", "status=pending"), "warning", "rate_review")
        )
    stranded = count_stranded_tools()
    if stranded:
        said = gettext("Live tools that this server should run and cannot: %(number)s.")
        steps.append(Step(said % {"number": stranded}, reverse("admin:toolcatalog_callbacks"), "warning", "function"))
    lacking = Tool.objects.filter(status__in=LIVE_STATUSES, description="").count()
    if lacking:
        said = gettext("Live tools without a description: %(number)s. Models choose by the description.")
        steps.append(Step(said % {"number": lacking}, _list_url("tool", "lacks=description"), "warning", "edit_note"))
    drafts = Tool.objects.filter(status=ToolStatus.DRAFT).count()
    if drafts:
        said = gettext("Tools that are drafts: %(number)s. Publish them when they are ready.")
        steps.append(Step(said % {"number": drafts}, _list_url("tool", "status=draft"), "info", "draft"))
    waiting = Tool.objects.filter(status=ToolStatus.IN_REVIEW).count()
    if waiting:
        said = gettext("Tools that wait for review: %(number)s.")
        steps.append(Step(said % {"number": waiting}, _list_url("tool", "status=in_review"), "info", "rate_review"))
    groups = ToolGroup.objects.filter(status=ToolStatus.DRAFT).count()
    if groups:
        said = gettext("Groups that are drafts: %(number)s. A draft counts for nobody.")
        steps.append(Step(said % {"number": groups}, _list_url("toolgroup", "status=draft"), "info", "draft"))
    unlabelled = Tool.objects.filter(status__in=LIVE_STATUSES, category=None, tags=None).count()
    if unlabelled:
        said = gettext("Live tools without a category and tags: %(number)s. They are hard to find.")
        steps.append(Step(said % {"number": unlabelled}, _list_url("tool", "lacks=category"), "info", "label"))
    expiring = ApiKey.objects.filter(
        revoked_at=None, expires_at__gt=timezone.now(), expires_at__lt=timezone.now() + SOON
    ).count()
    if expiring:
        said = gettext("API keys that expire within two weeks: %(number)s.")
        steps.append(Step(said % {"number": expiring}, _list_url("apikey"), "warning", "key"))
    return steps


def find_broken_rules() -> list[BrokenRule]:
    """Published groups whose rule cannot be judged. They never match; the others go on."""
    groups = ToolGroup.objects.filter(status=ToolStatus.PUBLISHED).exclude(match=ALWAYS).prefetch_related("matchers")
    broken = []
    for group in groups[:MOST_GROUPS_CHECKED]:
        rows = tuple(make_matcher_row(matcher) for matcher in group.matchers.all())
        problems = check_rules(make_group_rules(group, rows))
        if problems:
            broken.append(BrokenRule(group, tuple(translate_sentence(problem.message) for problem in problems)))
    return broken


def find_plugin_problems() -> list[str]:
    """A sentence for each installed plug-in that cannot be used: callbacks, enrichers, matchers, search providers."""
    return [*callback_problems(), *plugin_problems(), *(problem.message for problem in find_provider_problems())]


def list_latest() -> list[Any]:
    """The newest exposures, with the names of their tenants."""
    rows: list[Any] = list(Exposure.objects.order_by("-id")[:LATEST_SHOWN])
    tenants = Tenant.objects.in_bulk({row.tenant_id for row in rows})
    for row in rows:
        row.tenant_row = tenants.get(row.tenant_id)
    return rows
