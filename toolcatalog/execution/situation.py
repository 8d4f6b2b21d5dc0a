"""What a call is judged in: the tenant's catalog now, the profile and context, and what was shown before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from toolcatalog.auditing import StoredSnapshot, find_snapshot, names_shown_in_session, tools_found_in_snapshot
from toolcatalog.contract.catalog import Disclosure, Eviction, ProfileRecord, SearchMode
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import ArgumentMap
from toolcatalog.contract.reasons import Reason, soften_reason
from toolcatalog.contract.resolve import Caller, ContextInput
from toolcatalog.formats import Format, find_entry_name
from toolcatalog.resolution import (
    NO_MEMORY,
    Decision,
    ExportedNames,
    Permission,
    SessionMemory,
    SessionTools,
    TenantCatalog,
    export_allowed,
    format_for,
    judge_groups,
    make_context,
    pick_profile,
    profile_of_snapshot,
    read_session,
    read_session_tools,
)

NO_ARGUMENT_MAP = ArgumentMap()


@dataclass(frozen=True, slots=True)
class ShownTool:
    """A tool as an earlier snapshot showed it. `revision` is None for the caller's own tools and the entry tool."""

    name: str
    exported_name: str
    revision: int | None
    reasons: tuple[str, ...]
    groups: tuple[str, ...]
    arguments: ArgumentMap

    @property
    def is_callers(self) -> bool:
        return Reason.CALLER in self.reasons


@dataclass(frozen=True, slots=True)
class ShownTools:
    """What an earlier snapshot showed: `tools` by exported name, those included that searches had disclosed."""

    id: UUID
    age: timedelta
    disclosure: str
    tools: Mapping[str, ShownTool]

    def find(self, name: str) -> ShownTool | None:
        """The tool of this exported name, else of this catalog name."""
        return self.tools.get(name) or next((tool for tool in self.tools.values() if tool.name == name), None)


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a call is judged by. `shown` is the named snapshot, `session_names` what the session was shown."""

    catalog: TenantCatalog
    format: Format
    profile: ProfileRecord
    context: EvaluationContext
    permission: Permission
    caller: Caller
    shown: ShownTools | None
    session_names: frozenset[str] | None

    @property
    def names(self) -> ExportedNames:
        """The names of the catalog's tools as the model knows them."""
        return self.catalog.names(self.format)

    @property
    def entry_names(self) -> frozenset[str]:
        """The names under which the model may have been shown the tool search."""
        entry = self.profile.search.entry_tool
        native = self.format.native if self.disclosure is Disclosure.NATIVE else None
        vendors = {native.search_call_name} if native is not None and native.search_call_name is not None else set()
        return frozenset({entry, self.names.exported[entry], *vendors})

    @property
    def disclosure(self) -> Disclosure:
        """How the model was told of found tools: by the snapshot, else by the profile."""
        return Disclosure(self.shown.disclosure) if self.shown is not None else self.profile.disclosure

    @property
    def has_evidence(self) -> bool:
        """Whether the caller named anything by which it can be known what was shown."""
        return self.shown is not None or self.session_names is not None

    @property
    def may_search(self) -> bool:
        """Whether the model has a tool to search with."""
        if self.shown is not None:
            return any(Reason.ENTRY in tool.reasons for tool in self.shown.tools.values())
        return self.profile.search.mode is not SearchMode.OFF and bool(self.permission.search_scope().ids)

    def decide(self, name: str) -> Decision:
        """May this caller have the tool now? What is not for it at all is unknown, like what does not exist."""
        decision = self.permission.decide(name)
        is_unknown = decision.reason is not None and soften_reason(decision.reason) is Reason.UNKNOWN
        return Decision(Reason.UNKNOWN) if is_unknown else decision

    def read_name(self, written: str) -> tuple[str, ShownTool | None]:
        """The catalog name of an exported or catalog name, and the tool as it was shown under it."""
        shown = self.shown.find(written) if self.shown is not None else None
        name = shown.name if shown is not None else self.names.read(written)
        return name, shown or (self.shown.find(name) if self.shown is not None else None)

    def argument_map(self, name: str) -> ArgumentMap:
        """How the arguments of a tool are named where it is not known how it was shown: as it would be shown now."""
        strict = self.profile.strict == "on"
        sent = export_allowed(self.catalog, self.format, self.permission, [name], strict=strict)
        return next((one.tool.arguments for one in sent), NO_ARGUMENT_MAP)

    def was_shown(self, name: str) -> bool:
        """Whether the tool of this catalog name was shown, not too long ago (X2)."""
        if self.shown is not None:
            fresh = self.shown.age < timedelta(hours=self.profile.gate_hours)
            shown = self.shown.find(name)
            if fresh and shown is not None and not shown.is_callers:
                return True
        return self.session_names is not None and name in self.session_names


def read_situation(
    catalog: TenantCatalog,
    format_: Format,
    caller: Caller,
    *,
    snapshot_id: UUID | None,
    session_id: str | None,
    profile: str | None,
    context: ContextInput | None,
    reads_messages: bool = True,
) -> Situation:
    """Work out what holds. With `reads_messages` the format has to have the form in which the snapshot disclosed.

    Raises InvalidInput for a body that contradicts its snapshot, or names what is not there.
    """
    catalog = catalog.for_caller(caller)
    stored = find_snapshot(catalog.tenant, snapshot_id) if snapshot_id is not None else None
    if stored is not None:
        record = profile_of_snapshot(catalog, stored.stored.profile_id, caller.profiles)
        _refuse_contradictions(stored, record, profile, context)
    else:
        record = pick_profile(catalog, profile, caller.profiles)
    given = stored.stored.context if stored is not None else context or ContextInput()
    evaluated, _ = make_context(catalog, record, given, None)
    _, opened = judge_groups(catalog, record, evaluated, explain=False)
    memory = NO_MEMORY if session_id is None else read_session(catalog.tenant, record.id, session_id)
    catalog = catalog.with_session(_read_own_tools(catalog, record, memory, session_id, stored))
    shown = None if stored is None else add_found(read_shown(stored), catalog, record, format_)
    disclosure = Disclosure(shown.disclosure) if shown is not None else record.disclosure
    versions: Any = stored.body.get("versions") if stored is not None else None
    return Situation(
        catalog=catalog,
        format=format_for(format_, disclosure) if reads_messages else format_,
        profile=record,
        context=evaluated,
        permission=Permission(catalog, record, opened, versions),
        caller=caller,
        shown=shown,
        session_names=_name_remembered(catalog, record, memory, session_id),
    )


def _refuse_contradictions(
    stored: StoredSnapshot, profile: ProfileRecord, slug: str | None, context: ContextInput | None
) -> None:
    if slug is not None and slug != profile.slug:
        message = f"The snapshot was made for the profile “{profile.slug}”. Leave `profile` out."
        raise InvalidInput.single("profile", "contradicts_snapshot", message)
    held = stored.stored.context
    if context is None:
        return
    for name in ("account_id", "conversation_id", "bot_id", "turn_id", "model"):
        given = getattr(context, name)
        if given is not None and given != getattr(held, name):
            message = f"The snapshot was made for another {name}. Leave `context` out."
            raise InvalidInput.single(f"context.{name}", "contradicts_snapshot", message)
    if context.attributes and dict(context.attributes) != dict(held.attributes):
        message = "The snapshot was made for other attributes. Leave `context` out."
        raise InvalidInput.single("context.attributes", "contradicts_snapshot", message)


def read_shown(stored: StoredSnapshot) -> ShownTools:
    """What the snapshot showed, from its body. What the vendor names and the caller may have to run is the caller's."""
    bodies = [*stored.body.get("tools", []), *stored.body.get("found", [])]
    tools = [_read_tool(tool) for tool in bodies if "exported_name" in tool]
    tools += [_make_callers(name) for entry in stored.body.get("vendor_tools", []) if (name := find_entry_name(entry))]
    return ShownTools(
        id=stored.id,
        age=stored.stored.age,
        disclosure=stored.body.get("disclosure", "inline"),
        tools={tool.exported_name: tool for tool in tools},
    )


def add_found(shown: ShownTools, catalog: TenantCatalog, profile: ProfileRecord, format_: Format) -> ShownTools:
    """What the snapshot showed, and in meta mode what searches made in it were answered with since (X2).

    Those answers held canonical definitions: there is nothing to undo in arguments.
    """
    if shown.disclosure != Disclosure.META:
        return shown
    exported = catalog.names(format_).exported
    found = tools_found_in_snapshot(catalog.tenant, shown.id, profile.gate_hours)
    names = {tool["name"]: exported.get(tool["name"], tool["name"]) for tool in found}
    latest = {tool["name"]: {"reasons": [Reason.SEARCH_HIT], **tool} for tool in reversed(found)}
    tools = {names[name]: _read_tool({**tool, "exported_name": names[name]}) for name, tool in latest.items()}
    return replace(shown, tools={**tools, **shown.tools})


def _read_tool(tool: dict[str, Any]) -> ShownTool:
    how = tool.get("arguments")
    return ShownTool(
        name=tool["name"],
        exported_name=tool["exported_name"],
        revision=tool.get("revision"),
        reasons=tuple(tool.get("reasons", [])),
        groups=tuple(tool.get("groups", [])),
        arguments=ArgumentMap(how["keys"], tuple(how["null_means_absent"])) if how else NO_ARGUMENT_MAP,
    )


def _make_callers(name: str) -> ShownTool:
    return ShownTool(name, name, None, (Reason.CALLER,), (), NO_ARGUMENT_MAP)


def _read_own_tools(
    catalog: TenantCatalog,
    profile: ProfileRecord,
    memory: SessionMemory,
    session_id: str | None,
    stored: StoredSnapshot | None,
) -> SessionTools:
    """The session's own tools, as they are now: of the snapshot's session, else of the one that is named."""
    held = stored.stored.session_id if stored is not None else None
    return memory.tools if held in (None, session_id) else read_session_tools(catalog.tenant, profile.id, held)


def _name_remembered(
    catalog: TenantCatalog, profile: ProfileRecord, memory: SessionMemory, session_id: str | None
) -> frozenset[str] | None:
    """What the session was shown; None where none was named, or none is kept."""
    if session_id is None or catalog.tenant.eviction is Eviction.ALWAYS:
        return None
    found = (name for turn in memory.turns for call in turn for name in call)
    return frozenset(found) | names_shown_in_session(catalog.tenant, profile.id, session_id, profile.gate_hours)
