"""What a profile comes to: how many tools it may have, and what sending them all would cost."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.catalog import SearchMode
from toolcatalog.models import AgentProfile
from toolcatalog.resolution import CATALOGS
from toolcatalog.resolution.permission import Permission

SMALL_CATALOG_TOKENS = 4_000
"""Below this, sending everything costs less than teaching a model to search and letting it do so."""


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    """Numbers for a request without any context: no account, no attributes."""

    available_tools: int
    available_tokens: int
    searchable_tools: int
    searchable_tokens: int
    groups: int
    recommends_sending_all: bool


def summarise_profile(profile: AgentProfile) -> ProfileSummary | None:
    """The numbers from the compiled catalog; None where the profile is not in it."""
    catalog = CATALOGS.get(profile.tenant_id)
    record = catalog.profiles.get(profile.slug)
    if record is None:
        return None
    scope = Permission(catalog, record, frozenset(), {}).search_scope()
    searches = record.search.mode is not SearchMode.OFF and record.search.inline_below_tokens is None
    return ProfileSummary(
        available_tools=scope.catalog_tools,
        available_tokens=scope.catalog_tokens,
        searchable_tools=len(scope.ids),
        searchable_tokens=scope.tokens,
        groups=len(catalog.profile_groups[record.id].groups),
        recommends_sending_all=searches and 0 < scope.tokens < SMALL_CATALOG_TOKENS,
    )
