"""Puts the tools of one answer together, in the order of G4, each with the reasons that brought it. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace

from toolcatalog.contract.catalog import GroupRecord
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import CallerTool
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Notice, Omission
from toolcatalog.formats import find_entry_name
from toolcatalog.text import is_reserved

from .entry import EntryTool
from .found import Search
from .permission import Decision, Permission


@dataclass(frozen=True, slots=True)
class Line:
    """One tool of the answer. Exactly one of `caller`, `entry` and `decision` is set.

    `newest_search` is the index of the latest search that found it, `stands_for_search` marks one that is sent because
    a search could find it, `replaces_callers` one that stands in the place of the caller's own tool of that name; these
    matter only when tools must be cut.
    """

    name: str
    reasons: tuple[Reason, ...]
    groups: tuple[str, ...] = ()
    caller: CallerTool | None = None
    entry: EntryTool | None = None
    decision: Decision | None = None
    newest_search: int = -1
    stands_for_search: bool = False
    replaces_callers: bool = False

    @property
    def is_fixed(self) -> bool:
        """Never cut: the caller's own tools, what stands for one of them, and the entry tool."""
        return self.decision is None or self.replaces_callers


@dataclass(slots=True)
class Assembly:
    """The answer's tools while they are put together; `lines` keeps the order, by name."""

    permission: Permission
    lines: dict[str, Line] = field(default_factory=dict)
    vendor_entries: list[JsonObject] = field(default_factory=list)
    omitted: dict[str, Reason] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    active_tools: list[str] = field(default_factory=list)

    def add_callers(self, tools: Iterable[CallerTool]) -> None:
        """The caller's own tools come first and are never dropped.

        Raises InvalidInput for reserved or repeated names.
        """
        passed: set[str] = set()
        for index, tool in enumerate(tools):
            name = tool.name if tool.vendor_entry is None else find_entry_name(tool.vendor_entry)
            if name is not None:
                self._check_callers_name(name, f"tools[{index}].name", passed)
                passed.add(name)
            if tool.vendor_entry is None:
                self.lines[tool.name] = Line(tool.name, (Reason.CALLER,), caller=tool)
            else:
                self.vendor_entries.append(tool.vendor_entry)

    def _check_callers_name(self, name: str, path: str, passed: Container[str]) -> None:
        if is_reserved(name, [self.permission.profile.search.entry_tool]):
            message = f"“{name}” is the name of the catalog's own tool. Rename yours."
            raise InvalidInput.single(path, "reserved_name", message)
        if name in passed:
            raise InvalidInput.single(path, "duplicate_tool", f"“{name}” is passed twice. Pass each tool once.")

    def add_residents(self, names: Iterable[str]) -> None:
        """Tools that are always sent. One whose name the caller's own tool has gives way to it."""
        for name in names:
            present = self.lines.get(name)
            if present is not None and present.caller is not None:
                detail = f"The caller's own tool “{name}” is sent in place of the catalog's."
                self.notices.append(Notice("name_taken", name, detail))
            elif present is None:
                self._add(name, Reason.RESIDENT)

    def add_group(self, group: GroupRecord) -> None:
        """The tools of a matching group. One of the same name as a caller's tool takes its place (G4)."""
        for name in group.tools:
            present = self.lines.get(name)
            if present is None:
                self._add(name, Reason.TARGETING_MATCH, group)
            elif present.caller is not None:
                self._replace_callers(name, group)
            else:
                self.lines[name] = replace(
                    present,
                    reasons=_with(present.reasons, Reason.TARGETING_MATCH),
                    groups=(*present.groups, group.name),
                )

    def add_entry(self, entry: EntryTool) -> None:
        """The entry tool stands after the groups' tools and before the found ones."""
        self.lines[entry.name] = Line(entry.name, (Reason.ENTRY,), entry=entry)

    def add_searchable(self, names: Iterable[str]) -> None:
        """All that a search could find, sent in place of the entry tool; like found tools they replace nothing."""
        for name in names:
            if name not in self.lines:
                self._add_findable(name, Reason.RESIDENT)
                if name in self.lines:
                    self.lines[name] = replace(self.lines[name], stands_for_search=True)

    def add_found(self, searches: Sequence[Search], reason: Reason = Reason.SEARCH_HIT) -> None:
        """Tools that searches found, oldest search first. Each is authorised again and never replaces anything (R6)."""
        for index, names in enumerate(searches):
            for name in names:
                if not self.permission.may_find(name):
                    if name not in self.lines:
                        self.omitted.setdefault(name, self._explain_unfound(name))
                    continue
                if name not in self.active_tools:
                    self.active_tools.append(name)
                present = self.lines.get(name)
                if present is None:
                    self._add_findable(name, reason)
                    present = self.lines[name]
                if present.decision is not None:
                    self.lines[name] = replace(present, reasons=_with(present.reasons, reason), newest_search=index)

    def note_found(self, searches: Sequence[Search]) -> None:
        """Found tools of a disclosure that never changes the tool list: they are authorised, not sent."""
        for name in (name for names in searches for name in names):
            if not self.permission.may_find(name):
                self.omitted.setdefault(name, self._explain_unfound(name))
            elif name not in self.active_tools:
                self.active_tools.append(name)

    def _explain_unfound(self, name: str) -> Reason:
        return self.permission.decide(name).reason or Reason.OUT_OF_SCOPE

    def _decide(self, decision: Decision, name: str) -> Decision | None:
        """The decision where it allows, or None after the omission was noted."""
        if decision.reason is not None:
            self.omitted.setdefault(name, decision.reason)
            return None
        self.omitted.pop(name, None)
        if decision.tool is not None and self.permission.catalog.hides_shared(decision.tool):
            detail = f"Your own tool “{name}” is used; a shared tool of that name is hidden by it."
            self.notices.append(Notice("hides_shared", name, detail))
        return decision

    def _add(self, name: str, reason: Reason, group: GroupRecord | None = None) -> None:
        """Add what a profile or a group names."""
        decision = self._decide(self.permission.decide_named(name), name)
        if decision is not None:
            groups = () if group is None else (group.name,)
            self.lines[name] = Line(name, (reason,), groups, decision=decision)

    def _add_findable(self, name: str, reason: Reason) -> None:
        """Add what a search finds or could find: a tool of the catalog, or one of the session's own."""
        decision = self._decide(self.permission.decide(name), name)
        if decision is not None:
            self.lines[name] = Line(name, reasons_of_found(decision, reason), decision=decision)

    def _replace_callers(self, name: str, group: GroupRecord) -> None:
        decision = self._decide(self.permission.decide_named(name), name)
        if decision is not None:
            self.lines[name] = Line(
                name, (Reason.TARGETING_MATCH,), (group.name,), decision=decision, replaces_callers=True
            )
            detail = f"The tool “{name}” of group “{group.name}” is sent in place of the caller's own."
            self.notices.append(Notice("replaced", name, detail))


def reasons_of_found(decision: Decision, reason: Reason = Reason.SEARCH_HIT) -> tuple[Reason, ...]:
    """Why a tool that a search found is there: a session's own tool first of all because it is that (R13)."""
    if decision.tool is None or not decision.tool.of_session:
        return (reason,)
    return (Reason.SESSION,) if reason is Reason.RESIDENT else (Reason.SESSION, reason)


def _with(reasons: tuple[Reason, ...], reason: Reason) -> tuple[Reason, ...]:
    return reasons if reason in reasons else (*reasons, reason)


def fit_budget(lines: Sequence[Line], limit: int, taken: int) -> tuple[list[Line], list[Omission]]:
    """Keep at most `limit` tools, `taken` of which are vendor entries: found tools go first, those of the oldest search
    before others, then groups' and then residents from the end; never the entry tool or the caller's own.

    Raises InvalidInput `too_many_tools` when those alone pass the limit. The order of what stays does not change.
    """
    surplus = len(lines) + taken - limit
    if surplus <= 0:
        return list(lines), []
    cuttable = [index for index, line in enumerate(lines) if not line.is_fixed]
    if surplus > len(cuttable):
        fixed = len(lines) - len(cuttable) + taken
        message = f"{fixed} tools, your own and the tool search, are more than the {limit} that fit. Pass fewer tools."
        if all(line.caller is None for line in lines) and not taken:
            message = f"The tool search alone is {fixed} tools, and {limit} fit. Raise the profile's max_tools."
        raise InvalidInput.single("tools", "too_many_tools", message)
    cut = set(sorted(cuttable, key=lambda index: _keep_order(lines[index], index), reverse=True)[:surplus])
    kept = [line for index, line in enumerate(lines) if index not in cut]
    return kept, [Omission(line.name, Reason.OVER_BUDGET) for index, line in enumerate(lines) if index in cut]


def _keep_order(line: Line, index: int) -> tuple[int, int, int]:
    """Sorts what is kept longest first: residents, then groups' tools, then found ones of the newest search."""
    if Reason.RESIDENT in line.reasons and not line.stands_for_search:
        return (0, 0, index)
    if Reason.TARGETING_MATCH in line.reasons:
        return (1, 0, index)
    return (2, -line.newest_search, index)
