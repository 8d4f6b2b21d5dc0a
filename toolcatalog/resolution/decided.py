"""What was understood of a request, and what was decided for it: the values that the steps of a resolve hand on."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolcatalog.contract.catalog import Disclosure, GroupRecord, ProfileRecord
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.conversation import Message
from toolcatalog.contract.export import Prompted
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.resolve import Notice, Omission, ResolveRequest
from toolcatalog.formats import Format, join_additions

from .exporting import SentTool, SentTools
from .found import Found
from .permission import Permission
from .profiles import JudgedGroup


@dataclass(frozen=True, slots=True)
class Reading:
    """A request as it was understood, before anything is decided."""

    request: ResolveRequest
    profile: ProfileRecord
    format: Format
    dialect: Format
    messages: tuple[Message, ...]
    context: EvaluationContext
    disclosure: Disclosure
    notices: tuple[Notice, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disclosed:
    """How found tools reach the model.

    `tools` is the vendor's whole tool list, `fields` the fields of its request that carry it. `deferred` are the names
    of tools that are declared and not yet disclosed, `found` the tools that searches disclosed without putting them
    into the list: they may be called all the same. `omitted` and `notices` say what of both could not be.
    """

    tools: tuple[JsonObject, ...]
    fields: JsonObject
    deferred: tuple[str, ...] = ()
    found: tuple[SentTool, ...] = ()
    omitted: tuple[Omission, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """What was decided for one request. Pure data: nothing of it depends on the clock or on who asks next."""

    reading: Reading
    permission: Permission
    groups: tuple[JudgedGroup, ...]
    found: Found
    sent: SentTools
    disclosed: Disclosed
    vendor_entries: tuple[JsonObject, ...]
    additions: tuple[str, ...]
    prompted: Prompted
    active_tools: tuple[str, ...]
    omitted: tuple[Omission, ...]
    notices: tuple[Notice, ...] = field(default_factory=tuple)

    @property
    def matching(self) -> list[GroupRecord]:
        """The groups that matched, in order."""
        return [group.record for group in self.groups if group.outcome.matched]

    @property
    def added_prompt(self) -> str:
        """What the catalog adds to the system prompt; "" for nothing."""
        return join_additions(self.additions)

    @property
    def has_base_prompt(self) -> bool:
        """Whether the system prompt says more than the catalog adds: then it is message text of the caller."""
        return (self.prompted.system_prompt or "") != self.added_prompt
