"""The compiled catalog of one tenant: immutable, complete for one catalog revision, shared by all threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolcatalog.contract.catalog import (
    HIDING_STATUSES,
    GrantRecord,
    GroupRecord,
    ProfileRecord,
    TenantRecord,
    ToolRecord,
)
from toolcatalog.formats import Format, export_names
from toolcatalog.matchers import CompiledGroup, RuleBook
from toolcatalog.text import META_TOOL_NAMES

from .scopes import ScopeCache


@dataclass(frozen=True, slots=True)
class CatalogStamp:
    """What a compiled catalog is valid for. Two stamps are equal only if they stand for the same state.

    A revision comes again after a rollback, even within one transaction, where a savepoint was left. `change` is the id
    of the latest entry of the change log: ids are never given twice.
    """

    revision: int
    transaction: int
    change: int


@dataclass(frozen=True, slots=True)
class TenantGroup:
    """A published group, with its rules compiled."""

    record: GroupRecord
    rules: CompiledGroup


@dataclass(frozen=True, slots=True)
class GroupBook:
    """Groups in order, with their rules bound together for one pass over a request."""

    groups: tuple[TenantGroup, ...]
    rules: RuleBook

    @classmethod
    def bind(cls, groups: tuple[TenantGroup, ...]) -> GroupBook:
        """A book over groups that are compiled already."""
        return cls(groups, RuleBook.bind(group.rules for group in groups))


@dataclass(frozen=True, slots=True)
class ExportedNames:
    """Catalog name to exported name and back, for one format. A pure function of the tenant's catalog."""

    exported: Mapping[str, str]
    catalog: Mapping[str, str]

    def read(self, name: str) -> str:
        """The catalog name for an exported name or a catalog name; unknown names come back as they are."""
        if name in self.exported:
            return name
        return self.catalog.get(name, name)

    def knows(self, name: str) -> bool:
        """Whether some tool has this name, in either form."""
        return name in self.exported or name in self.catalog


@dataclass(frozen=True, slots=True, eq=False)
class TenantCatalog:
    """Everything that a request of one tenant is decided on.

    `tools` holds the tenant's own tools and all shared ones by id, in every status; `granted` the ids of the shared
    ones that its grants give. `groups` are all published groups that the tenant may use, `profile_groups` those of each
    profile (by id), `named` the tool names that each profile's residents and groups name. `restricting` names, for each
    tool that some group restricts, the ids of those groups.
    """

    stamp: CatalogStamp
    tenant: TenantRecord
    tools: Mapping[int, ToolRecord]
    own: Mapping[str, ToolRecord]
    shared: Mapping[str, ToolRecord]
    granted: frozenset[int]
    grants: tuple[GrantRecord, ...]
    groups: GroupBook
    profile_groups: Mapping[int, GroupBook]
    named: Mapping[int, frozenset[str]]
    restricting: Mapping[str, frozenset[int]]
    profiles: Mapping[str, ProfileRecord]
    scopes: ScopeCache = field(default_factory=ScopeCache)
    _names: dict[str, ExportedNames] = field(default_factory=dict)

    def find(self, name: str) -> ToolRecord | None:
        """The tool that `name` means for this tenant: its own hides a shared one unless it is a draft or retired (T3).

        A shared tool that is not granted is found too: who may have it is decided elsewhere.
        """
        own = self.own.get(name)
        if own is not None and own.status in HIDING_STATUSES:
            return own
        shared = self.shared.get(name)
        if shared is not None and (shared.id in self.granted or own is None):
            return shared
        return own

    def hides_shared(self, tool: ToolRecord) -> bool:
        """Whether this own tool stands before a shared one that the tenant would otherwise have."""
        shared = self.shared.get(tool.name)
        return tool.owner_id is not None and shared is not None and shared.id in self.granted

    def visible_names(self) -> tuple[str, ...]:
        """The names of all own tools and all granted shared ones, in order: the tenant's catalog."""
        granted = (self.tools[tool_id].name for tool_id in self.granted)
        return tuple(sorted({*self.own, *granted}))

    def names(self, format_: Format) -> ExportedNames:
        """The names of the tenant's tools as this format sends them."""
        names = self._names.get(format_.name)
        if names is None:
            reserved = {*META_TOOL_NAMES, *(profile.search.entry_tool for profile in self.profiles.values())}
            exported = export_names(format_, (*self.visible_names(), *reserved))
            names = ExportedNames(exported, {value: key for key, value in exported.items()})
            self._names[format_.name] = names
        return names
