"""Which profile a request means, and which groups it may use."""

from __future__ import annotations

from collections.abc import Sequence

from toolcatalog.contract.catalog import ProfileRecord
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.resolve import Notice

from .catalog import TenantCatalog, TenantGroup


def pick_profile(catalog: TenantCatalog, slug: str | None, allowed: Sequence[str]) -> ProfileRecord:
    """The profile named, or the tenant's default. `allowed` are the key's profiles (empty: all).

    Raises InvalidInput `unknown_profile` for one that is unknown, deleted or not for this key: never another instead.
    """
    if slug is None:
        slug = _implied(catalog, allowed)
    profile = catalog.profiles.get(slug) if slug is not None else None
    if profile is None or (allowed and profile.slug not in allowed):
        named = f"There is no profile “{slug}” for this key." if slug else "This key has no default profile."
        raise InvalidInput.single("profile", "unknown_profile", f"{named} Name one that the key may use.")
    return profile


def _implied(catalog: TenantCatalog, allowed: Sequence[str]) -> str | None:
    """The tenant's default profile where the key may use it, else the key's only one."""
    default = next((profile.slug for profile in catalog.profiles.values() if profile.is_default), None)
    if not allowed or default in allowed:
        return default
    return allowed[0] if len(allowed) == 1 else None


def profile_groups(catalog: TenantCatalog, profile: ProfileRecord) -> tuple[TenantGroup, ...]:
    """The profile's published groups, in order."""
    if profile.groups is None:
        return tuple(
            group for group in catalog.groups if group.record.owner_id is not None or group.record.for_all_tenants
        )
    by_id = {group.record.id: group for group in catalog.groups}
    return tuple(by_id[group_id] for group_id in profile.groups if group_id in by_id)


def select_groups(
    groups: Sequence[TenantGroup], names: Sequence[str] | None
) -> tuple[tuple[TenantGroup, ...], list[Notice]]:
    """Narrow and order the profile's groups by the names of a request; a name that is not there is a notice."""
    if names is None:
        return tuple(groups), []
    selected: list[TenantGroup] = []
    notices = []
    for name in dict.fromkeys(names):
        meant = [group for group in groups if group.record.name == name]
        selected.extend(meant)
        if not meant:
            notices.append(Notice("unknown_group", name, f"The profile has no published group “{name}”; it is ignored."))
    return tuple(selected), notices
