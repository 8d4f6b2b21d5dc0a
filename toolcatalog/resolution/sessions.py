"""The server-side memory of what a conversation found, for callers that do not replay their messages (R9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.db import connection

from toolcatalog.contract.catalog import Eviction, TenantRecord
from toolcatalog.contract.json import dump_json
from toolcatalog.models import Session

from .found import Turns
from .session_tools import NO_SESSION_TOOLS, SessionTools, load_definitions

MAX_TURNS = 200
_TTL_EVICTIONS = (Eviction.TTL, Eviction.LRU_TTL)
_LRU_EVICTIONS = (Eviction.LRU, Eviction.LRU_TTL)
_FRESH = "last_used_at > clock_timestamp() - make_interval(secs => %s)"
_STALE = """
    NOT (%(never_stale)s OR session.last_used_at > clock_timestamp() - make_interval(secs => %(seconds)s))"""

_READ = f"""
UPDATE toolcatalog_session SET last_used_at = clock_timestamp()
WHERE tenant_id = %s AND profile_id = %s AND session_id = %s AND (%s OR {_FRESH})
RETURNING turns::text, tools
"""

_READ_TOOLS = f"""
SELECT tools FROM toolcatalog_session
WHERE tenant_id = %s AND profile_id = %s AND session_id = %s AND (%s OR {_FRESH})
"""

_APPEND = f"""
INSERT INTO toolcatalog_session AS session (tenant_id, profile_id, session_id, turns, tools, last_used_at)
VALUES (%(tenant)s, %(profile)s, %(session)s, %(turn)s::jsonb, '[]', clock_timestamp())
ON CONFLICT (tenant_id, profile_id, session_id) DO UPDATE SET
    turns = CASE
        WHEN {_STALE} THEN EXCLUDED.turns
        WHEN jsonb_array_length(session.turns) >= %(most)s THEN session.turns - 0 || EXCLUDED.turns
        ELSE session.turns || EXCLUDED.turns
    END,
    tools = CASE WHEN {_STALE} THEN EXCLUDED.tools ELSE session.tools END,
    last_used_at = EXCLUDED.last_used_at
RETURNING id, xmax = 0
"""

_SET_TOOLS = f"""
INSERT INTO toolcatalog_session AS session (tenant_id, profile_id, session_id, turns, tools, last_used_at)
VALUES (%(tenant)s, %(profile)s, %(session)s, '[]', %(tools)s, clock_timestamp())
ON CONFLICT (tenant_id, profile_id, session_id) DO UPDATE SET
    turns = CASE WHEN {_STALE} THEN EXCLUDED.turns ELSE session.turns END,
    tools = EXCLUDED.tools,
    last_used_at = EXCLUDED.last_used_at
RETURNING id, xmax = 0
"""

_EVICT = """
DELETE FROM toolcatalog_session WHERE tenant_id = %s AND id IN (
    SELECT id FROM toolcatalog_session WHERE tenant_id = %s AND id <> %s ORDER BY last_used_at DESC, id DESC OFFSET %s
)
"""

_FORGET_STALE = f"""
DELETE FROM toolcatalog_session WHERE id IN (
    SELECT id FROM toolcatalog_session WHERE tenant_id = %s AND id <> %s AND NOT {_FRESH} FOR UPDATE SKIP LOCKED
)
"""


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """What is kept of one session: the turns that searched, and the tools that it brought along."""

    turns: Turns = ()
    tools: SessionTools = NO_SESSION_TOOLS


NO_MEMORY = SessionMemory()


def read_session(tenant: TenantRecord, profile_id: int, session_id: str) -> SessionMemory:
    """What is kept of the session, which counts as used now; nothing when there is none, or it is too old."""
    row = _fetch(_READ, tenant, profile_id, session_id)
    return SessionMemory(orjson.loads(row[0]), load_definitions(tenant.id, row[1])) if row else NO_MEMORY


def read_session_tools(tenant: TenantRecord, profile_id: int, session_id: str | None) -> SessionTools:
    """The session's own tools. Changes nothing of the session."""
    row = None if session_id is None else _fetch(_READ_TOOLS, tenant, profile_id, session_id)
    return load_definitions(tenant.id, row[0]) if row else NO_SESSION_TOOLS


def append_turn(tenant: TenantRecord, profile_id: int, session_id: str, calls: Sequence[Sequence[str]]) -> None:
    """Remember one turn: the names that each of its search calls was answered with. May forget other sessions."""
    turn = dump_json([[list(names) for names in calls]]).decode()
    _write(_APPEND, tenant, profile_id, session_id, turn=turn, most=MAX_TURNS)


def keep_tools(tenant: TenantRecord, profile_id: int, session_id: str, definitions: str) -> None:
    """Keep the session's own tools in place of those it had. May forget other sessions."""
    _write(_SET_TOOLS, tenant, profile_id, session_id, tools=definitions)


def _fetch(statement: str, tenant: TenantRecord, profile_id: int, session_id: str) -> tuple[Any, ...] | None:
    if tenant.eviction is Eviction.ALWAYS:
        return None
    never_stale = tenant.eviction not in _TTL_EVICTIONS
    with connection.cursor() as cursor:
        cursor.execute(statement, [tenant.id, profile_id, session_id, never_stale, tenant.session_ttl_seconds])
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def _write(statement: str, tenant: TenantRecord, profile_id: int, session_id: str, **values: Any) -> None:
    """Write one session. A new one may make others too many, or find some too old."""
    if tenant.eviction is Eviction.ALWAYS:
        return
    never_stale = tenant.eviction not in _TTL_EVICTIONS
    parameters = {
        "tenant": tenant.id,
        "profile": profile_id,
        "session": session_id,
        "never_stale": never_stale,
        "seconds": tenant.session_ttl_seconds,
        **values,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row = cursor.fetchone()
        if not row or not row[1]:
            return
        if not never_stale:
            cursor.execute(_FORGET_STALE, [tenant.id, row[0], tenant.session_ttl_seconds])
        if tenant.eviction in _LRU_EVICTIONS:
            cursor.execute(_EVICT, [tenant.id, tenant.id, row[0], tenant.max_sessions - 1])


def forget_session(tenant_id: int, session_id: str) -> int:
    """Forget the session in every profile of the tenant; answers how many there were."""
    deleted, _ = Session.objects.filter(tenant=tenant_id, session_id=session_id).delete()
    return deleted
