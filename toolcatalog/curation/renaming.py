"""What follows a tool's new name: profiles that name it in words, and not by reference."""

from __future__ import annotations

from collections.abc import Mapping

from toolcatalog.models import AgentProfile, Tenant, Tool


def rename_in_profiles(owner: Tenant | None, renamed: Mapping[str, str]) -> None:
    """Old name to new name, in the exclusions and pinned versions of the profiles that mean these tools.

    A tenant's profiles mean its own tool of a name before a shared one: those of a shared tool are left alone then.
    """
    if not renamed:
        return
    profiles = AgentProfile.objects.all() if owner is None else AgentProfile.objects.filter(tenant=owner)
    for profile in profiles:
        own = _own_names(profile, renamed) if owner is None else frozenset()
        meant = {old: new for old, new in renamed.items() if old not in own}
        exclude = [meant.get(name, name) for name in profile.exclude_tools]
        versions = {meant.get(name, name): label for name, label in (profile.versions or {}).items()}
        if exclude != profile.exclude_tools or versions != profile.versions:
            profile.exclude_tools, profile.versions = list(dict.fromkeys(exclude)), versions
            profile.save(update_fields=["exclude_tools", "versions"])


def _own_names(profile: AgentProfile, renamed: Mapping[str, str]) -> frozenset[str]:
    return frozenset(Tool.objects.filter(owner=profile.tenant, name__in=renamed).values_list("name", flat=True))
