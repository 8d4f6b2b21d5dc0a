"""What the catalog answers, as frozen dataclasses. Members that a newer server adds are ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that was replaced, renamed, hidden or dropped, in words."""

    code: str
    name: str
    detail: str


@dataclass(frozen=True, slots=True)
class Omission:
    """A tool that was named or would have been sent, and is not in the answer."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """One group of the profile in the answer."""

    name: str
    matched: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of what is sent against tokens of the whole catalog; `saved_percent` may be negative."""

    snapshot_tokens: int
    catalog_tokens: int
    saved_percent: float
    tokenizer: str
    catalog_tools: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The identity of one answer. Times are the server's; `digest` is equal for equal tools and system prompt."""

    id: str
    digest: str
    catalog_revision: int
    created_at: datetime
    valid_until: datetime


@dataclass(frozen=True, slots=True)
class ResolveAnswer:
    """The answer of resolve: what this one model call gets.

    `request` holds the vendor's fields, ready to be passed on. It, `tools`, `system_prompt` and `messages` are None
    where they were not asked for; parts that the server left out as unchanged are filled in from memory.
    `additions` is what the catalog adds to the system prompt ("" for nothing), None where the client cannot tell.
    `unchanged`: the server said that tools and system prompt are those of the conversation's last answer.
    `stale`: the catalog did not answer, and this is the conversation's last answer again, before its `valid_until`.
    """

    snapshot: Snapshot
    request: dict[str, Any] | None
    tools: Sequence[Any] | None
    system_prompt: Any
    messages: Sequence[Any] | None
    tool_names: tuple[str, ...]
    groups: tuple[GroupAnswer, ...]
    active_tools: tuple[str, ...]
    omitted: tuple[Omission, ...]
    name_map: Mapping[str, str]
    argument_maps: Mapping[str, JsonObject]
    usage: Usage | None
    notices: tuple[Notice, ...]
    explanation: JsonObject | None
    format: str
    additions: str | None = None
    unchanged: bool = False
    stale: bool = False


@dataclass(frozen=True, slots=True)
class FoundTool:
    """One hit of a search. `exported_name` is there where a format was named."""

    name: str
    title: str
    description: str
    category: str | None
    tags: tuple[str, ...]
    score: float
    matched_on: tuple[str, ...]
    exported_name: str | None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The answer of search, best first. `outcome` is found or no_match; a search that failed raises instead."""

    names: tuple[str, ...]
    results: tuple[FoundTool, ...]
    outcome: str
    hint: str | None
    notices: tuple[Notice, ...]
    explanation: JsonObject | None


@dataclass(frozen=True, slots=True)
class UnhandledCall:
    """A call that the caller runs: its own tool, or one that the catalog leaves to callers. `name` is the catalog's
    name, `exported_name` what the model wrote; `arguments` are canonical.
    """

    call_id: str
    name: str
    exported_name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CallReport:
    """A call that the catalog answered. `status` is ok, error, refused or timeout; `message` its part of the messages,
    in the caller's dialect.
    """

    call_id: str
    name: str
    status: str
    result: Any
    duration_ms: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCallsAnswer:
    """Every call of the assistant's message: answered in `results` and `messages`, or listed in `unhandled`."""

    messages: tuple[dict[str, Any], ...]
    unhandled: tuple[UnhandledCall, ...]
    results: tuple[CallReport, ...]
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class ExecutedTool:
    """Which tool ran, in which version and revision."""

    name: str
    version: str
    revision: int


@dataclass(frozen=True, slots=True)
class ExecuteAnswer:
    """What one tool answered."""

    status: str
    result: Any
    duration_ms: int
    tool: ExecutedTool
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionTools:
    """The tools that a session has of its own now. `profile` is the profile that the session belongs to."""

    session_id: str
    profile: str
    tool_names: tuple[str, ...]
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether one tool would be in the answer of resolve, and why."""

    available: bool
    reason: str
    retryable: bool
    detail: str
    notices: tuple[Notice, ...] = ()
