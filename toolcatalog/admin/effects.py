"""What an edit would change for tenants, worked out before it is saved: it is made, compared, and taken back.

The comparison asks the decision function that requests are answered by, on the catalogs of before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from django.db import transaction

from toolcatalog.contract.catalog import ProfileRecord
from toolcatalog.models import Tenant
from toolcatalog.resolution import CATALOGS, TenantCatalog
from toolcatalog.resolution.permission import Permission
from toolcatalog.resolution.store import read_stamp, refresh_catalog

MOST_TENANTS = 20
"""How many tenants are looked at: each takes two compiled catalogs."""


class Reach(Enum):
    """How far a tool is from an agent: out of reach, within it where a group's conditions hold, or always."""

    NEVER = auto()
    RESTRICTED = auto()
    ALWAYS = auto()


@dataclass(frozen=True, slots=True)
class AgentChange:
    """What changes for one agent profile: names of tools and groups. Nothing changes where all of it is empty.

    `restricted` are tools that it has from now on only where conditions hold, `opened` those that it has always.
    `sent` and `unsent` are tools that groups send up front, now and no longer, as (group, tools).
    """

    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    restricted: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    groups_in: tuple[str, ...] = ()
    groups_out: tuple[str, ...] = ()
    sent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unsent: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class TenantChange:
    """What changes for one tenant; the `profiles` (slugs) share the change, and `every` says that they are all."""

    tenant: Tenant
    profiles: tuple[str, ...]
    every: bool
    change: AgentChange


@dataclass(frozen=True, slots=True)
class Effect:
    """The changes of the tenants that were looked at, and how many were not."""

    changes: tuple[TenantChange, ...]
    looked_at: int
    not_looked_at: int


@dataclass(frozen=True, slots=True)
class _AgentState:
    reach: Mapping[str, Reach] = field(default_factory=dict)
    sends: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def measure_effect(tenants: Collection[Tenant], save: Callable[[], bool]) -> Effect | None:
    """What `save` changes for these tenants; None where it answers that it could not save. Nothing stays saved."""
    looked_at = sorted(tenants, key=lambda tenant: tenant.slug)[:MOST_TENANTS]
    before = {tenant.pk: CATALOGS.get(tenant.pk) for tenant in looked_at}
    with transaction.atomic():
        saved = save()
        changes = _compare(looked_at, before) if saved else []
        transaction.set_rollback(True)
    return Effect(tuple(changes), len(looked_at), len(tenants) - len(looked_at)) if saved else None


def _compare(tenants: list[Tenant], before: Mapping[int, TenantCatalog]) -> list[TenantChange]:
    stamp = read_stamp()
    found = []
    for tenant in tenants:
        old = before[tenant.pk]
        found += compare_catalogs(tenant, old, refresh_catalog(old, tenant.pk, stamp))
    return found


def compare_catalogs(tenant: Tenant, old: TenantCatalog, new: TenantCatalog) -> list[TenantChange]:
    """The changes of a tenant's agents between two catalogs; agents with the same change stand together."""
    names = sorted({*old.visible_names(), *new.visible_names()})
    states = (_read_agents(old, names), _read_agents(new, names))
    agents = list(dict.fromkeys((*states[0], *states[1])))
    by_change: dict[AgentChange, list[str]] = {}
    for slug in agents:
        change = _compare_agents(*(state.get(slug, _AgentState()) for state in states))
        if change != AgentChange():
            by_change.setdefault(change, []).append(slug)
    return [
        TenantChange(tenant, tuple(slugs), len(slugs) == len(agents), change) for change, slugs in by_change.items()
    ]


def _read_agents(catalog: TenantCatalog, names: list[str]) -> dict[str, _AgentState]:
    return {slug: _read_agent(catalog, profile, names) for slug, profile in catalog.profiles.items()}


def _read_agent(catalog: TenantCatalog, profile: ProfileRecord, names: list[str]) -> _AgentState:
    restricting = frozenset[int]().union(*catalog.restricting.values())
    closed = Permission(catalog, profile, frozenset())
    opened = Permission(catalog, profile, restricting)
    reach = {}
    for name in names:
        if closed.decide(name).allowed:
            reach[name] = Reach.ALWAYS
        elif opened.decide(name).allowed:
            reach[name] = Reach.RESTRICTED
    groups = catalog.profile_groups[profile.id].groups
    sends = {
        group.record.name: tuple(name for name in group.record.tools if reach.get(name, Reach.NEVER) is not Reach.NEVER)
        for group in groups
    }
    return _AgentState(reach, sends)


def _compare_agents(old: _AgentState, new: _AgentState) -> AgentChange:
    def moved(was: Collection[Reach], is_now: Collection[Reach]) -> tuple[str, ...]:
        names = sorted({*old.reach, *new.reach})
        return tuple(
            name
            for name in names
            if old.reach.get(name, Reach.NEVER) in was and new.reach.get(name, Reach.NEVER) in is_now
        )

    within = (Reach.RESTRICTED, Reach.ALWAYS)
    return AgentChange(
        gained=moved((Reach.NEVER,), within),
        lost=moved(within, (Reach.NEVER,)),
        restricted=moved((Reach.NEVER, Reach.ALWAYS), (Reach.RESTRICTED,)),
        opened=moved((Reach.RESTRICTED,), (Reach.ALWAYS,)),
        groups_in=tuple(name for name in new.sends if name not in old.sends),
        groups_out=tuple(name for name in old.sends if name not in new.sends),
        sent=_more_of(new.sends, old.sends),
        unsent=_more_of(old.sends, new.sends),
    )


def _more_of(
    these: Mapping[str, tuple[str, ...]], those: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The tools of each group that are in the first and not in the second."""
    more = ((group, tuple(n for n in names if n not in those.get(group, ()))) for group, names in these.items())
    return tuple((group, names) for group, names in more if names)
