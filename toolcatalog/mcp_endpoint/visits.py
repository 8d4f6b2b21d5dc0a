"""Who asks for what: the part of a request that the rest of this folder needs, and what is kept of a session."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from mcp.server.session import ServerSession

from toolcatalog.contract.resolve import Caller

VISIT = "toolcatalog.visit"
"""Where the request's `Visit` is kept in the scope of the request."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One authenticated request. `profile` is the slug that the address and the key lead to."""

    caller: Caller
    profile: str
    correlation_id: str | None

    @property
    def principal(self) -> str:
        """What a session belongs to: it answers to the same key at the same profile's address alone."""
        return f"{self.caller.tenant_id}/{self.caller.key_id}/{self.profile}"


@dataclass(slots=True, eq=False)
class McpSession:
    """What is kept of one MCP session.

    `snapshot_id` is the exposure of its latest list, `structured` the exported names in that list that promise
    structured results, `channel` where notifications go. `requests` counts those that are being served.
    """

    visit: Visit
    requests: int = 0
    used_at: float = field(default_factory=time.monotonic)
    snapshot_id: UUID | None = None
    structured: frozenset[str] = frozenset()
    channel: ServerSession | None = None


class SessionBook:
    """The open sessions by their ids. Used in the event loop only.

    A session that was idle for longer than `idle_seconds` is forgotten, by the rule of the SDK's own time-out: one
    with a request under way, or an open stream, is not idle.
    """

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds = idle_seconds
        self._sessions: dict[str, McpSession] = {}

    def add(self, session_id: str, visit: Visit) -> None:
        """Keep a new session."""
        self._sessions[session_id] = McpSession(visit)

    def find(self, session_id: str) -> McpSession | None:
        """The session of this id."""
        return self._sessions.get(session_id)

    def forget(self, session_id: str) -> None:
        """Drop the session, if there is one."""
        self._sessions.pop(session_id, None)

    def open_sessions(self) -> list[McpSession]:
        """All that are open. Those that were idle for too long are dropped."""
        oldest = time.monotonic() - self._idle_seconds
        idle = [id_ for id_, one in self._sessions.items() if not one.requests and one.used_at < oldest]
        for session_id in idle:
            del self._sessions[session_id]
        return list(self._sessions.values())

    def count(self, key_id: int | None) -> int:
        """How many sessions of the key are open."""
        return sum(one.visit.caller.key_id == key_id for one in self.open_sessions())

    @contextmanager
    def serving(self, session_id: str | None) -> Iterator[None]:
        """Count a request of the session while it is served."""
        session = self._sessions.get(session_id) if session_id is not None else None
        if session is None:
            yield
            return
        session.requests += 1
        try:
            yield
        finally:
            session.requests -= 1
            session.used_at = time.monotonic()
