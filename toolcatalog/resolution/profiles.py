"""Which profile a request means, and what came of its groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolcatalog.contract.catalog import GroupRecord, ProfileRecord
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.matching import GroupOutcome
from toolcatalog.contract.resolve import Notice

from .catalog import TenantCatalog


@dataclass(frozen=True, slots=True)
class JudgedGroup:
    """A group of the profile, and what came of its rules for this request."""

    record: GroupRecord
    outcome: GroupOutcome


def judge_groups(
    catalog: TenantCatalog, profile: ProfileRecord, context: EvaluationContext, *, explain: bool
) -> tuple[tuple[JudgedGroup, ...], frozenset[int]]:
    """Every group of the profile with its outcome, and the ids of the groups whose access rule holds (G17).

    Access is judged over all groups of the tenant, so that a profile without a group is not a way around it.
    """
    book = catalog.profile_groups[profile.id]
    outcomes = book.rules.evaluate(context, explain=explain)
    judged = tuple(JudgedGroup(group.record, o) for group, o in zip(book.groups, outcomes, strict=True))
    if not catalog.restricting:
        return judged, frozenset()
    if book is not catalog.groups:
        outcomes = catalog.groups.rules.evaluate(context)
    pairs = zip(catalog.groups.groups, outcomes, strict=True)
    opened = (group.record.id for group, o in pairs if group.record.rules.restricts_access and o.access)
    return judged, frozenset(opened)


def pick_profile(catalog: TenantCatalog, slug: str | None, allowed: Sequence[str]) -> ProfileRecord:
    """The profile named, or the tenant's default. `allowed` are the key's profiles (empty: all).

    Raises InvalidInput `unknown_profile` for one that is unknown, deleted or not for this key: never another instead.
    """
    if slug is None:
        slug = _implied(catalog, allowed)
    profile = catalog.profiles.get(slug) if slug is not None else None
    if profile is None or (allowed and profile.slug not in allowed):
        named = "This key has no default profile." if slug is None else f"There is no profile “{slug}” for this key."
        raise InvalidInput.single("profile", "unknown_profile", f"{named} Name one that the key may use.")
    return profile


def profile_of_snapshot(catalog: TenantCatalog, profile_id: int | None, allowed: Sequence[str]) -> ProfileRecord:
    """The profile that an earlier answer was made for. Raises InvalidInput `unknown_profile` when it is gone."""
    slug = next((profile.slug for profile in catalog.profiles.values() if profile.id == profile_id), None)
    if slug is None:
        raise InvalidInput.single("snapshot_id", "unknown_profile", "The snapshot's profile is gone. Resolve again.")
    return pick_profile(catalog, slug, allowed)


def _implied(catalog: TenantCatalog, allowed: Sequence[str]) -> str | None:
    """The tenant's default profile where the key may use it, else the key's only one."""
    default = next((profile.slug for profile in catalog.profiles.values() if profile.is_default), None)
    if not allowed or default in allowed:
        return default
    return allowed[0] if len(allowed) == 1 else None


def select_groups(
    judged: Sequence[JudgedGroup], names: Sequence[str] | None
) -> tuple[tuple[JudgedGroup, ...], list[Notice]]:
    """Narrow and order the profile's groups by the names of a request; a name that is not there is a notice."""
    if names is None:
        return tuple(judged), []
    selected: list[JudgedGroup] = []
    notices = []
    for name in dict.fromkeys(names):
        meant = [group for group in judged if group.record.name == name]
        selected.extend(meant)
        if not meant:
            notices.append(
                Notice("unknown_group", name, f"The profile has no published group “{name}”; it is ignored.")
            )
    return tuple(selected), notices
