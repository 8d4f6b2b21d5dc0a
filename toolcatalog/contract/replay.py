"""What has changed for a request since it was answered."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from .reasons import Reason
from .resolve import Notice


@dataclass(frozen=True, slots=True)
class AddedTool:
    """A tool that the request would be shown today, and was not."""

    name: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class RemovedTool:
    """A tool that the request was shown, and would not be today. `reason` says why not."""

    name: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Numbers:
    """A figure then and now. None: there was none."""

    then: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class ChangedTool:
    """A tool that is shown then and now. `fields` says in what it differs: definition, exported_name, version,
    revision, reasons, groups.
    """

    name: str
    fields: tuple[str, ...]
    revision: Numbers


@dataclass(frozen=True, slots=True)
class ToolDifferences:
    """The tools that are sent, or found beside the list; `deferred_…` those that are declared and not yet disclosed."""

    added: tuple[AddedTool, ...]
    removed: tuple[RemovedTool, ...]
    changed: tuple[ChangedTool, ...]
    order_changed: bool
    deferred_added: tuple[str, ...] = ()
    deferred_removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RemovedGroup:
    """A group that matched, and does not today: UNKNOWN where the profile has none of that name any more."""

    name: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class ChangedGroup:
    """A group that matches then and now, in another revision."""

    name: str
    revision: Numbers


@dataclass(frozen=True, slots=True)
class GroupDifferences:
    """The groups that match."""

    added: tuple[str, ...]
    removed: tuple[RemovedGroup, ...]
    changed: tuple[ChangedGroup, ...]


@dataclass(frozen=True, slots=True)
class PromptDifference:
    """What the catalog adds to the system prompt; "" for nothing. The caller's own part is not compared."""

    changed: bool
    then: str
    now: str


@dataclass(frozen=True, slots=True)
class ReplayAnswer:
    """What differs. `tokens` are those of the tool definitions as sent and of the additions to the system prompt."""

    exposure_id: UUID
    same: bool
    catalog_revision: Numbers
    tools: ToolDifferences
    groups: GroupDifferences
    system_prompt: PromptDifference
    tokens: Numbers
    notices: tuple[Notice, ...] = ()
