"""The server-side memory of what a conversation found, for callers that do not replay their messages (R9)."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from django.db import connection

from toolcatalog.contract.catalog import Eviction, TenantRecord
from toolcatalog.contract.json import dump_json
from toolcatalog.models import Session

from .found import Turns

MAX_TURNS = 200
_TTL_EVICTIONS = (Eviction.TTL, Eviction.LRU_TTL)
_LRU_EVICTIONS = (Eviction.LRU, Eviction.LRU_TTL)
_FRESH = "last_used_at > clock_timestamp() - make_interval(secs => %s)"

_READ = f"""
UPDATE toolcatalog_session SET last_used_at = clock_timestamp()
WHERE tenant_id = %s AND profile_id = %s AND session_id = %s AND (%s OR {_FRESH})
RETURNING turns::text
"""

_APPEND = f"""
INSERT INTO toolcatalog_session AS session (tenant_id, profile_id, session_id, turns, tools, last_used_at)
VALUES (%s, %s, %s, %s::jsonb, '[]', clock_timestamp())
ON CONFLICT (tenant_id, profile_id, session_id) DO UPDATE SET
    turns = CASE
        WHEN NOT (%s OR session.{_FRESH}) THEN EXCLUDED.turns
        WHEN jsonb_array_length(session.turns) >= %s THEN session.turns - 0 || EXCLUDED.turns
        ELSE session.turns || EXCLUDED.turns
    END,
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


def read_turns(tenant: TenantRecord, profile_id: int, session_id: str) -> Turns:
    """The turns of the session, which counts as used now; empty when there is none, or it is too old."""
    if tenant.eviction is Eviction.ALWAYS:
        return ()
    never_stale = tenant.eviction not in _TTL_EVICTIONS
    with connection.cursor() as cursor:
        cursor.execute(_READ, [tenant.id, profile_id, session_id, never_stale, tenant.session_ttl_seconds])
        row = cursor.fetchone()
    return orjson.loads(row[0]) if row else ()


def append_turn(tenant: TenantRecord, profile_id: int, session_id: str, calls: Sequence[Sequence[str]]) -> None:
    """Remember one turn: the names that each of its search calls was answered with. May forget other sessions."""
    if tenant.eviction is Eviction.ALWAYS:
        return
    turn = dump_json([[list(names) for names in calls]]).decode()
    never_stale = tenant.eviction not in _TTL_EVICTIONS
    with connection.cursor() as cursor:
        cursor.execute(
            _APPEND,
            [tenant.id, profile_id, session_id, turn, never_stale, tenant.session_ttl_seconds, MAX_TURNS],
        )
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
