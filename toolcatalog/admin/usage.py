"""Where a tool is used, and who may see it, in words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Q

from toolcatalog.contract.catalog import LIVE_STATUSES, Effect, GrantRecord, ToolStatus
from toolcatalog.models import AgentProfile, ApiKey, Grant, Tenant, Tool, ToolGroup
from toolcatalog.resolution.permission import is_granted
from toolcatalog.selectors import read_tools

from .rule_words import RuleWords, say_group

MOST_TENANTS = 50


@dataclass(frozen=True, slots=True)
class GroupUse:
    """One group that lists the tool, and when it applies."""

    group: ToolGroup
    words: RuleWords

    @property
    def is_live(self) -> bool:
        return self.group.status == ToolStatus.PUBLISHED


@dataclass(frozen=True, slots=True)
class TenantReach:
    """One tenant's way to the tool: `grants` decide for a shared one; `allowed` is what comes of them."""

    tenant: Tenant
    allowed: bool
    grants: tuple[Grant, ...] = ()
    keys: tuple[ApiKey, ...] = ()
    hidden_by_own: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Where the tool is used. `more_tenants` counts those with grants that are not shown."""

    groups: tuple[GroupUse, ...]
    resident_in: tuple[AgentProfile, ...]
    excluded_in: tuple[AgentProfile, ...]
    reach: tuple[TenantReach, ...]
    more_tenants: int
    is_live: bool

    @property
    def restricting(self) -> tuple[GroupUse, ...]:
        """The published groups that restrict access to it: one of them has to hold."""
        return tuple(use for use in self.groups if use.is_live and use.words.restricts)


def describe_usage(tool: Tool) -> Usage:
    """Everything that leads to the tool, in a fixed number of queries. Groups and profiles name tools, by name."""
    meant = Q() if tool.owner_id is None else Q(owner=tool.owner_id) | Q(owner=None)
    owners = Q() if tool.owner_id is None else Q(tenant=tool.owner_id)
    groups = ToolGroup.objects.filter(meant, tools__name=tool.name).select_related("owner").prefetch_related("matchers")
    profiles = AgentProfile.objects.select_related("tenant")
    reach, more = _describe_reach(tool)
    return Usage(
        groups=tuple(GroupUse(group, say_group(group)) for group in groups.distinct().order_by("position", "name")),
        resident_in=tuple(profiles.filter(owners, resident_tools__name=tool.name).distinct()),
        excluded_in=tuple(profiles.filter(owners, exclude_tools__contains=[tool.name])),
        reach=reach,
        more_tenants=more,
        is_live=tool.status in LIVE_STATUSES and tool.gone_at is None,
    )


def _describe_reach(tool: Tool) -> tuple[tuple[TenantReach, ...], int]:
    if tool.owner is not None:
        return (TenantReach(tool.owner, allowed=True, keys=_live_keys([tool.owner.pk]).get(tool.owner.pk, ())),), 0
    by_tenant: dict[int, list[Grant]] = defaultdict(list)
    for grant in _grants_that_meet(tool):
        by_tenant[grant.tenant_id].append(grant)
    shown = list(by_tenant.items())[:MOST_TENANTS]
    keys = _live_keys([tenant_id for tenant_id, _grants in shown])
    record = read_tools(0, [tool.pk])[0]
    hiding = set(Tool.objects.filter(name=tool.name, owner__in=list(by_tenant)).values_list("owner_id", flat=True))
    reach = tuple(
        TenantReach(
            tenant=grants[0].tenant,
            allowed=is_granted(record, map(_make_record, grants)),
            grants=tuple(grants),
            keys=keys.get(tenant_id, ()),
            hidden_by_own=tenant_id in hiding,
        )
        for tenant_id, grants in shown
    )
    return reach, len(by_tenant) - len(shown)


def _grants_that_meet(tool: Tool) -> list[Grant]:
    met = Q(everything=True) | Q(tool=tool) | Q(tag__slug__in=list(tool.tags.values_list("slug", flat=True)))
    if tool.category is not None:
        met |= Q(category__slug=tool.category.slug)
    if tool.source is not None:
        met |= Q(source__slug=tool.source.slug)
    grants = Grant.objects.filter(met).select_related("tenant", "tool", "category", "tag", "source")
    return list(grants.order_by("tenant__slug", "pk"))


def _make_record(grant: Grant) -> GrantRecord:
    return GrantRecord(
        Effect(grant.effect),
        grant.tool_id,
        grant.category.slug if grant.category else None,
        grant.tag.slug if grant.tag else None,
        grant.source.slug if grant.source else None,
        grant.everything,
    )


def _live_keys(tenant_ids: list[int]) -> dict[int, tuple[ApiKey, ...]]:
    keys: dict[int, list[ApiKey]] = defaultdict(list)
    for key in ApiKey.objects.filter(tenant__in=tenant_ids, revoked_at=None).order_by("name"):
        keys[key.tenant_id].append(key)
    return {tenant_id: tuple(found) for tenant_id, found in keys.items()}
