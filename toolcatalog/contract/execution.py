"""What a caller asks to be run, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from .json import JsonObject, JsonValue
from .resolve import ContextInput, Notice

OK = "ok"
ERROR = "error"
REFUSED = "refused"
TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class ToolCallsRequest:
    """The calls of one assistant message, in the dialect of `format`.

    With `snapshot_id` the profile and context of that snapshot hold; `context` None means that the caller sent none.
    `door` is the way in, as the audit calls it.
    """

    message: JsonValue
    format: str = "openai_chat"
    snapshot_id: UUID | None = None
    session_id: str | None = None
    profile: str | None = None
    context: ContextInput | None = None
    correlation_id: str | None = None
    door: str = "tool_calls"


@dataclass(frozen=True, slots=True)
class ExecuteRequest:
    """One tool to run, by its catalog name."""

    name: str
    arguments: JsonObject = field(default_factory=dict)
    snapshot_id: UUID | None = None
    session_id: str | None = None
    profile: str | None = None
    context: ContextInput | None = None
    idempotency_key: str | None = None
    correlation_id: str | None = None


@dataclass(frozen=True, slots=True)
class UnhandledCall:
    """A call that the caller runs: its own tool, or one of `execution: client`. `arguments` are canonical.

    `name` is the tool's catalog name, `exported_name` the name of the call that is to be answered: in meta mode these
    are two tools.
    """

    call_id: str
    name: str
    exported_name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class CallReport:
    """One call that was answered here. `message` is its own part of the messages, in the caller's dialect."""

    call_id: str
    name: str
    status: str
    result: JsonValue
    duration_ms: int
    message: JsonValue = None


@dataclass(frozen=True, slots=True)
class ToolCallsAnswer:
    """Every call of the message: answered in `results` and `messages`, or listed in `unhandled`."""

    messages: tuple[JsonObject, ...]
    unhandled: tuple[UnhandledCall, ...]
    results: tuple[CallReport, ...]
    notices: tuple[Notice, ...] = ()


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
    result: JsonValue
    duration_ms: int
    tool: ExecutedTool
    notices: tuple[Notice, ...] = ()
