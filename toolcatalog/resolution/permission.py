"""The one decision: may this caller have this tool now, and if not, why? Every door asks here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from toolcatalog.contract.catalog import (
    LIVE_STATUSES,
    Effect,
    Execution,
    GrantRecord,
    PinnedContent,
    ProfileRecord,
    SearchMode,
    ToolContent,
    ToolRecord,
    ToolStatus,
)
from toolcatalog.contract.reasons import Reason

from .catalog import TenantCatalog
from .executability import is_executable
from .scopes import SearchScope

_STATUS_REASONS = {
    ToolStatus.DRAFT: Reason.PENDING_REVIEW,
    ToolStatus.IN_REVIEW: Reason.PENDING_REVIEW,
    ToolStatus.DISABLED: Reason.DISABLED,
    ToolStatus.RETIRED: Reason.RETIRED,
}


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer about one tool. `reason` is None when it is allowed; `content` is then what the model is told.

    `revision` and `sha256` name the revision of that content: the live one, or a pinned one.
    """

    reason: Reason | None
    tool: ToolRecord | None = None
    content: ToolContent | None = None
    revision: int = 0
    sha256: bytes = b""

    @property
    def allowed(self) -> bool:
        return self.reason is None


def is_granted(tool: ToolRecord, grants: Iterable[GrantRecord]) -> bool:
    """Whether grants give this shared tool: some allow meets it and no deny does."""
    effects = {grant.effect for grant in grants if _meets(grant, tool)}
    return Effect.ALLOW in effects and Effect.DENY not in effects


def _meets(grant: GrantRecord, tool: ToolRecord) -> bool:
    return (
        grant.everything
        or grant.tool_id == tool.id
        or (grant.category is not None and grant.category == tool.category)
        or (grant.tag is not None and grant.tag in tool.tags)
        or (grant.source is not None and grant.source == tool.source)
    )


class Permission:
    """Decisions for one request: a profile, the restricting groups whose access rule holds, the pinned versions."""

    def __init__(
        self,
        catalog: TenantCatalog,
        profile: ProfileRecord,
        open_groups: frozenset[int],
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self.catalog = catalog
        self.profile = profile
        self.open_groups = open_groups
        self.versions = {**dict(profile.versions), **(versions or {})}
        self._named = catalog.named[profile.id]
        self._scope: SearchScope | None = None

    def decide(self, name: str) -> Decision:
        """May this caller have the tool of this catalog name now?

        Asks in this order: owner or grant, state, scope, access, executability, version.
        """
        tool = self.catalog.find(name)
        return Decision(Reason.UNKNOWN) if tool is None else self.decide_tool(tool)

    def decide_named(self, name: str) -> Decision:
        """The same, of a name in a profile or a group: they never mean a session's own tool."""
        tool = self.catalog.find_in_catalog(name)
        return Decision(Reason.UNKNOWN) if tool is None else self.decide_tool(tool)

    def decide_tool(self, tool: ToolRecord) -> Decision:
        """The same, of one tool."""
        reason = self._refuse_session_tool(tool) if tool.of_session else self._refuse(tool)
        if reason is not None:
            return Decision(reason, tool)
        if tool.of_session:
            return Decision(None, tool, tool.content, tool.revision, tool.sha256)
        pin = self.versions.get(tool.name)
        if is_live_version(tool, pin):
            return Decision(None, tool, tool.content, tool.revision, tool.sha256)
        pinned = find_pinned(tool, pin)
        if pinned is None:
            return Decision(Reason.NO_SUCH_VERSION, tool)
        return Decision(None, tool, pinned.content, pinned.revision, pinned.sha256)

    def _refuse(self, tool: ToolRecord) -> Reason | None:
        if tool.owner_id is None and tool.id not in self.catalog.granted:
            return Reason.NOT_GRANTED
        if self.catalog.find_in_catalog(tool.name) is not tool:
            return Reason.HIDDEN_BY_OWN
        if tool.status not in LIVE_STATUSES:
            return _STATUS_REASONS[tool.status]
        if tool.name not in self._named and not self._in_search_scope(tool):
            return Reason.OUT_OF_SCOPE
        restricting = self.catalog.restricting.get(tool.name)
        if restricting is not None and not restricting & self.open_groups:
            return Reason.ACCESS_RESTRICTED
        can_be_run = is_executable(tool) and (self.catalog.caller_runs_tools or tool.execution is not Execution.CLIENT)
        return None if can_be_run else Reason.NO_CALLBACK

    def _refuse_session_tool(self, tool: ToolRecord) -> Reason | None:
        """Scopes by category and tag narrow the catalog; a session's own tools have neither (R13)."""
        search = self.profile.search
        if self.catalog.find(tool.name) is not tool:
            return Reason.HIDDEN_BY_OWN
        if not self.catalog.caller_runs_tools:
            return Reason.NO_CALLBACK
        is_searched = search.mode is not SearchMode.OFF and tool.name not in search.exclude_tools
        return None if is_searched else Reason.OUT_OF_SCOPE

    def _in_search_scope(self, tool: ToolRecord) -> bool:
        search = self.profile.search
        return (
            search.mode is not SearchMode.OFF
            and tool.searchable
            and (search.categories is None or tool.category in search.categories)
            and (search.tags is None or not search.tags.isdisjoint(tool.tags))
            and tool.name not in search.exclude_tools
        )

    def may_find(self, name: str) -> bool:
        """Whether a search could return this tool to this caller now (R6)."""
        tool = self.catalog.find(name)
        return tool is not None and tool.id in self.search_scope().ids and self.decide_tool(tool).allowed

    def search_scope(self) -> SearchScope:
        """All that a search could return to this caller, the versions that the request itself pins aside."""
        if self._scope is None:
            key = (self.profile.id, self.open_groups, self.catalog.caller_runs_tools)
            scope = self.catalog.scopes.get(key, self._make_scope)
            self._scope = self._add_session(scope)
        return self._scope

    def _add_session(self, scope: SearchScope) -> SearchScope:
        """The scope with the session's own tools, which are not kept with those of the catalog."""
        own = self.catalog.session.by_name.values() if self.catalog.session is not None else ()
        found = [tool for tool in own if self._refuse_session_tool(tool) is None]
        if not found:
            return scope
        tokens = sum(tool.tokens for tool in found)
        return replace(
            scope,
            ids=scope.ids | {tool.id for tool in found},
            tokens=scope.tokens + tokens,
            catalog_tokens=scope.catalog_tokens + tokens,
            catalog_tools=scope.catalog_tools + len(found),
        )

    def _make_scope(self) -> SearchScope:
        pins = dict(self.profile.versions)
        available = [
            tool
            for tool in self.catalog.tools.values()
            if self._refuse(tool) is None and has_version(tool, pins.get(tool.name))
        ]
        residents = frozenset(self.profile.resident_tools)
        found = [tool for tool in available if self._in_search_scope(tool) and tool.name not in residents]
        return SearchScope(
            ids=frozenset(tool.id for tool in found),
            owners=frozenset(tool.owner_id for tool in found),
            categories=tuple(sorted({tool.category for tool in found if tool.category is not None})),
            tokens=sum(tool.tokens for tool in found),
            catalog_tokens=sum(tool.tokens for tool in available),
            catalog_tools=len(available),
        )


def is_live_version(tool: ToolRecord, pin: str | None) -> bool:
    """Whether the pin, if there is one, means the tool as it stands."""
    return pin is None or pin == tool.content.version


def has_version(tool: ToolRecord, pin: str | None) -> bool:
    """Whether there is a content of this version label; without a pin there is."""
    return is_live_version(tool, pin) or find_pinned(tool, pin) is not None


def find_pinned(tool: ToolRecord, version: str | None) -> PinnedContent | None:
    """The latest approved content of a version label other than the live one."""
    return next((pinned for pinned in tool.pinnable if pinned.version == version), None)
