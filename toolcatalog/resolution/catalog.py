"""The compiled catalog of one tenant: immutable, complete for one catalog revision, shared by all threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolcatalog.contract.catalog import (
    HIDING_STATUSES,
    GrantRecord,
    GroupRecord,
    ProfileRecord,
    TenantRecord,
    ToolRecord,
)
from toolcatalog.contract.resolve import Caller
from toolcatalog.formats import Format
from toolcatalog.matchers import CompiledGroup, RuleBook
from toolcatalog.text import META_TOOL_NAMES

from .names import ExportedNames, name_catalog_tools, name_session_tools
from .scopes import ScopeCache
from .session_tools import SessionTools


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


@dataclass(frozen=True, slots=True, eq=False)
class TenantCatalog:
    """Everything that a request of one tenant is decided on.

    `tools` holds the tenant's own tools and all shared ones by id, in every status; `granted` the ids of the shared
    ones that its grants give. `groups` are all published groups that the tenant may use, `profile_groups` those of each
    profile (by id), `named` the tool names that each profile's residents and groups name. `restricting` names, for each
    tool that some group restricts, the ids of those groups. `session` are the tools that the session of one request
    brought along, None where none were asked for: they are not part of what is compiled. `caller_runs_tools` is false
    for a request whose caller cannot run tools itself.
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
    session: SessionTools | None = None
    caller_runs_tools: bool = True
    _names: dict[str, ExportedNames] = field(default_factory=dict)
    _session_names: dict[str, ExportedNames] = field(default_factory=dict)

    def for_caller(self, caller: Caller) -> TenantCatalog:
        """The same catalog for a request of this caller."""
        if caller.runs_tools is self.caller_runs_tools:
            return self
        return replace(self, caller_runs_tools=caller.runs_tools)

    def with_session(self, tools: SessionTools) -> TenantCatalog:
        """The same catalog for one request of a session, whose own tools give way to the catalog's of that name."""
        kept = tools.without({name for name in tools.by_name if self.takes_name(name)})
        return replace(self, session=kept, _session_names={})

    def takes_name(self, name: str) -> bool:
        """Whether the tenant has a tool of this name that a session's own tool gives way to (R13)."""
        own, shared = self.own.get(name), self.shared.get(name)
        is_own = own is not None and own.status in HIDING_STATUSES
        return is_own or (shared is not None and shared.id in self.granted and shared.status in HIDING_STATUSES)

    def tool(self, tool_id: int) -> ToolRecord:
        """The tool of this id: a catalog's, or one of the session's own."""
        tool = self.tools.get(tool_id)
        if tool is not None:
            return tool
        if self.session is None:
            raise KeyError(tool_id)
        return self.session.by_id[tool_id]

    def find(self, name: str) -> ToolRecord | None:
        """The tool that `name` means for this request: the session's own, or the catalog's."""
        own = self.session.by_name.get(name) if self.session is not None else None
        return own or self.find_in_catalog(name)

    def find_in_catalog(self, name: str) -> ToolRecord | None:
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
        is_own = tool.owner_id is not None and not tool.of_session
        return is_own and shared is not None and shared.id in self.granted

    def visible_names(self) -> tuple[str, ...]:
        """The names of all own tools and all granted shared ones, in order: the tenant's catalog."""
        granted = (self.tools[tool_id].name for tool_id in self.granted)
        return tuple(sorted({*self.own, *granted}))

    def names(self, format_: Format) -> ExportedNames:
        """The names of the tenant's tools as this format sends them."""
        names = self._names.get(format_.name)
        if names is None:
            names = name_catalog_tools(format_, (*self.visible_names(), *self.reserved_names()))
            self._names[format_.name] = names
        if self.session is None or not self.session.by_name:
            return names
        if format_.name not in self._session_names:
            self._session_names[format_.name] = name_session_tools(format_, self.session.by_name, names)
        return self._session_names[format_.name]

    def reserved_names(self) -> frozenset[str]:
        """The names of the search tools of all profiles."""
        return frozenset({*META_TOOL_NAMES, *(profile.search.entry_tool for profile in self.profiles.values())})
