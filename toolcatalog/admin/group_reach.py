"""For whom a group counts: the profiles that take it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.models import AgentProfile, ToolGroup

MOST_PROFILES = 50


@dataclass(frozen=True, slots=True)
class GroupReach:
    """The profiles that take the group; `more` counts those that are not shown."""

    profiles: tuple[AgentProfile, ...]
    more: int
    is_live: bool


def describe_group_reach(group: ToolGroup) -> GroupReach:
    """Profiles that list the group, and those that take all groups where it is one of them."""
    takes = Q(profile_groups__group=group, all_groups=False)
    if group.owner_id is not None:
        takes |= Q(all_groups=True, tenant=group.owner_id)
    elif group.for_all_tenants:
        takes |= Q(all_groups=True)
    profiles = AgentProfile.objects.filter(takes).select_related("tenant").distinct().order_by("tenant__slug", "slug")
    found = list(profiles[: MOST_PROFILES + 1])
    more = profiles.count() - MOST_PROFILES if len(found) > MOST_PROFILES else 0
    return GroupReach(tuple(found[:MOST_PROFILES]), more, group.status == ToolStatus.PUBLISHED)
