"""Makes a compiled catalog from records: all that can be worked out once per revision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from toolcatalog.contract.catalog import GrantRecord, GroupRecord, ProfileRecord, TenantRecord, ToolRecord
from toolcatalog.matchers import compile_group

from .catalog import CatalogStamp, GroupBook, TenantCatalog, TenantGroup
from .permission import is_granted


def compile_catalog(
    *,
    stamp: CatalogStamp,
    tenant: TenantRecord,
    tools: Mapping[int, ToolRecord],
    grants: tuple[GrantRecord, ...],
    groups: Iterable[GroupRecord],
    profiles: Iterable[ProfileRecord],
) -> TenantCatalog:
    """The tenant's catalog. Never raises for a broken rule: the rule is marked broken and does not match."""
    compiled = tuple(TenantGroup(group, compile_group(group.rules)) for group in groups)
    kept = tuple(profiles)
    book = GroupBook.bind(compiled)
    books = {profile.id: _bind_profile(book, profile) for profile in kept}
    shared = [tool for tool in tools.values() if tool.owner_id is None]
    return TenantCatalog(
        stamp=stamp,
        tenant=tenant,
        tools=tools,
        own={tool.name: tool for tool in tools.values() if tool.owner_id is not None},
        shared={tool.name: tool for tool in shared},
        granted=frozenset(tool.id for tool in shared if is_granted(tool, grants)) if grants else frozenset(),
        grants=grants,
        groups=book,
        profile_groups=books,
        named={profile.id: _names_in(profile, books[profile.id]) for profile in kept},
        restricting=_index_restrictions(compiled),
        profiles={profile.slug: profile for profile in kept},
    )


def _bind_profile(book: GroupBook, profile: ProfileRecord) -> GroupBook:
    """The profile's groups in its order: those it lists, or all of the tenant and all shared ones for all tenants."""
    if profile.groups is None:
        groups = tuple(g for g in book.groups if g.record.owner_id is not None or g.record.for_all_tenants)
    else:
        by_id = {group.record.id: group for group in book.groups}
        groups = tuple(by_id[group_id] for group_id in profile.groups if group_id in by_id)
    return book if groups == book.groups else GroupBook.bind(groups)


def _names_in(profile: ProfileRecord, book: GroupBook) -> frozenset[str]:
    return frozenset(profile.resident_tools).union(*(group.record.tools for group in book.groups))


def _index_restrictions(groups: Iterable[TenantGroup]) -> dict[str, frozenset[int]]:
    """Tool name to the ids of the groups that restrict access to it (G17)."""
    restricting: dict[str, set[int]] = defaultdict(set)
    for group in groups:
        if group.record.rules.restricts_access:
            for name in group.record.tools:
                restricting[name].add(group.record.id)
    return {name: frozenset(ids) for name, ids in restricting.items()}
