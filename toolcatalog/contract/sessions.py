"""A session's own tools: what a caller sends, and what it is answered."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from .resolve import Notice
from .tools import ToolDefinition


@dataclass(frozen=True, slots=True)
class SessionToolsRequest:
    """The searchable tools that one session has from now on; none: it has none any more."""

    session_id: str
    tools: tuple[ToolDefinition, ...]
    profile: str | None = None


@dataclass(frozen=True, slots=True)
class SessionToolsAnswer:
    """What the session has now. `profile` is the slug of the profile that the session belongs to."""

    session_id: str
    profile: str
    tool_names: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


def session_tool_id(name: str) -> int:
    """The id that stands for a session's tool of this name where tools have ids: negative, so that it is no row's.

    The same for every session, so that the audit can be asked for all tools of a name.
    """
    return -1 - (int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) >> 2)
