"""What a caller asks of resolve and search, and what it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from .json import JsonObject, JsonValue
from .matching import GroupOutcome
from .reasons import Reason

RETURNABLE = ("request", "tools", "system_prompt", "messages")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks.

    `profiles` are the slugs that the key may use (empty: all). `key_id` is None for people in the admin. `runs_tools`
    says whether the caller can run tools of `execution: client` itself; one that cannot is not offered them.
    """

    tenant_id: int
    key_id: int | None = None
    scopes: frozenset[str] = frozenset()
    profiles: tuple[str, ...] = ()
    request_id: str = ""
    runs_tools: bool = True

    @property
    def may_curate(self) -> bool:
        """Curators are told true reasons, outsiders softened ones."""
        return "curate" in self.scopes


@dataclass(frozen=True, slots=True)
class ContextInput:
    """The `context` of a request as it was sent."""

    account_id: str | None = None
    conversation_id: str | None = None
    bot_id: str | None = None
    turn_id: str | None = None
    model: str | None = None
    attributes: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ResolveRequest:
    """One call of resolve. Exactly one of `messages` and `prompt` is given; the lists are JSON as it came in."""

    messages: Sequence[JsonValue] | None = None
    prompt: str | None = None
    system_prompt: JsonValue = None
    profile: str | None = None
    context: ContextInput = field(default_factory=ContextInput)
    tools: Sequence[JsonValue] = ()
    groups: tuple[str, ...] | None = None
    active_tools: tuple[str, ...] = ()
    session_id: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    exposure_policy: str | None = None
    disclosure: str | None = None
    format: str = "generic"
    returns: frozenset[str] = frozenset(RETURNABLE)
    if_digest: str | None = None
    explain: bool = False
    correlation_id: str | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One call of search, or one call of the entry tool. `max_results` is what came in, of any type (T8)."""

    query: JsonValue
    max_results: JsonValue = None
    category: str | None = None
    groups: tuple[str, ...] | None = None
    profile: str | None = None
    session_id: str | None = None
    context: ContextInput | None = None
    snapshot_id: UUID | None = None
    format: str | None = None
    explain: bool = False
    correlation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that was replaced, renamed, hidden or dropped, in words."""

    code: str
    name: str
    detail: str


@dataclass(frozen=True, slots=True)
class Omission:
    """A tool that was named or up front, and is not in the answer."""

    name: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """One group of the profile in the answer."""

    name: str
    matched: bool
    reason: Reason


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of what is sent against tokens of the whole catalog that this caller may have.

    `snapshot_tokens` counts the tool definitions as sent and the additions to the system prompt; `catalog_tokens`
    the definitions of all tools that this caller may have, in the same format; `saved_percent` may be negative.
    """

    snapshot_tokens: int
    catalog_tokens: int
    saved_percent: float
    tokenizer: str
    catalog_tools: int


@dataclass(frozen=True, slots=True)
class SnapshotStamp:
    """The identity of one answer."""

    id: UUID
    digest: str
    catalog_revision: int
    created_at: datetime
    valid_until: datetime


@dataclass(frozen=True, slots=True)
class SearchTrace:
    """Which search decided what was found: for people. `source` is messages, session, active_tools or none."""

    source: str
    policy: str
    calls: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ToolTrace:
    """Why one tool is in the snapshot; `groups` are the matching groups that bring it."""

    name: str
    reasons: tuple[Reason, ...]
    groups: tuple[str, ...] = ()
    revision: int | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that led to the answer."""

    profile: str
    groups: tuple[GroupOutcome, ...]
    tools: tuple[ToolTrace, ...]
    search: SearchTrace
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResolveAnswer:
    """The answer of resolve.

    `tools` and the like hold rendered JSON; None where the caller did not ask for the part.
    """

    snapshot: SnapshotStamp
    unchanged: bool
    request: JsonObject | None
    tools: Sequence[Any] | None
    system_prompt: JsonValue
    messages: Sequence[JsonValue] | None
    tool_names: tuple[str, ...]
    groups: tuple[GroupAnswer, ...]
    active_tools: tuple[str, ...]
    omitted: tuple[Omission, ...]
    name_map: Mapping[str, str]
    argument_maps: Mapping[str, JsonObject]
    usage: Usage
    notices: tuple[Notice, ...]
    explanation: Explanation | None
    returns: frozenset[str] = frozenset(RETURNABLE)


@dataclass(frozen=True, slots=True)
class FoundTool:
    """One hit of a search, as a caller reads it."""

    name: str
    title: str
    description: str
    category: str | None
    tags: tuple[str, ...]
    score: float
    matched_on: tuple[str, ...]
    exported_name: str | None = None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The answer of search. `outcome` is found or no_match; a search that failed raises instead."""

    names: tuple[str, ...]
    results: tuple[FoundTool, ...]
    outcome: str
    hint: str | None
    notices: tuple[Notice, ...] = ()
    explanation: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether one tool would be in the answer of resolve, and why."""

    available: bool
    reason: Reason
    retryable: bool
    detail: str
    notices: tuple[Notice, ...] = ()
