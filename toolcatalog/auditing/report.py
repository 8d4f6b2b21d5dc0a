"""Counts over a period, for people: how often each tool was shown, found and called, and which searches failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

MOST_COUNTED = 100_000
"""How many exposures and calls a report looks at, the newest: a page must not read a year of a busy tenant."""

_EXPOSURES = """
SELECT kind, snapshot_sha256, tenant_id FROM toolcatalog_exposure
WHERE at >= %(since)s AND (%(tenant)s::bigint IS NULL OR tenant_id = %(tenant)s)
ORDER BY id DESC LIMIT %(most)s
"""
_SHOWN = f"""
WITH recent AS ({_EXPOSURES}),
bodies AS (SELECT kind, snapshot_sha256, count(*) AS times FROM recent GROUP BY kind, snapshot_sha256)
SELECT shown.tool_id,
    coalesce(sum(times) FILTER (WHERE kind = 'resolve'), 0),
    coalesce(sum(times) FILTER (WHERE kind = 'search'), 0)
FROM bodies JOIN toolcatalog_exposure_content AS content ON content.sha256 = bodies.snapshot_sha256
CROSS JOIN LATERAL unnest(content.tool_ids) AS shown (tool_id)
GROUP BY shown.tool_id
"""
_CALLED = """
WITH recent AS (
    SELECT id, tool_id FROM toolcatalog_call
    WHERE at >= %(since)s AND tool_id IS NOT NULL AND (%(tenant)s::bigint IS NULL OR tenant_id = %(tenant)s)
    ORDER BY id DESC LIMIT %(most)s
)
SELECT recent.tool_id, count(*),
    count(*) FILTER (WHERE ended.outcome IN ('error', 'timeout')),
    count(*) FILTER (WHERE ended.outcome = 'refused'),
    (avg(ended.duration_ms) FILTER (WHERE ended.outcome IN ('ok', 'error', 'timeout')))::int
FROM recent LEFT JOIN toolcatalog_call_end AS ended ON ended.id = recent.id AND ended.at >= %(since)s
GROUP BY recent.tool_id
"""
_FRUITLESS = """
WITH recent AS (
    SELECT id, at, tenant_id, outcome, text_digest, text FROM toolcatalog_exposure
    WHERE at >= %(since)s AND kind = 'search' AND (%(tenant)s::bigint IS NULL OR tenant_id = %(tenant)s)
    ORDER BY id DESC LIMIT %(most)s
)
SELECT tenant_id, outcome, max(text), count(*), max(at), (array_agg(id ORDER BY id DESC))[1]
FROM recent WHERE outcome IN ('no_match', 'failed')
GROUP BY tenant_id, outcome, text_digest ORDER BY count(*) DESC, max(at) DESC LIMIT %(rows)s
"""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool over a period. `shown` counts resolves that sent it, `found` searches that answered with it.

    `failed` are errors and calls that took too long; `average_ms` is None where no call ended.
    """

    tool_id: int
    shown: int = 0
    found: int = 0
    called: int = 0
    failed: int = 0
    refused: int = 0
    average_ms: int | None = None


@dataclass(frozen=True, slots=True)
class FruitlessSearch:
    """A query that found nothing (`no_match`) or could not be answered (`failed`); `text` is None where it is not kept.

    `exposure_id` is the newest record of it.
    """

    tenant_id: int
    outcome: str
    text: str | None
    times: int
    last_at: datetime
    exposure_id: Any


def count_tool_use(since: datetime, tenant_id: int | None = None) -> list[ToolUse]:
    """Every tool that was shown, found or called since then, by all tenants or one; in no order."""
    parameters = {"since": since, "tenant": tenant_id, "most": MOST_COUNTED}
    shown = {row[0]: row[1:] for row in _fetch(_SHOWN, parameters)}
    called = {row[0]: row[1:] for row in _fetch(_CALLED, parameters)}
    uses = []
    for tool_id in {*shown, *called}:
        sent, found = shown.get(tool_id, (0, 0))
        calls, failed, refused, average = called.get(tool_id, (0, 0, 0, None))
        uses.append(ToolUse(tool_id, int(sent), int(found), calls, failed, refused, average))
    return uses


def list_fruitless_searches(since: datetime, tenant_id: int | None = None, *, most: int = 50) -> list[FruitlessSearch]:
    """Searches since then that found nothing or failed, the most frequent first; the same query counts together."""
    parameters = {"since": since, "tenant": tenant_id, "most": MOST_COUNTED, "rows": most}
    return [FruitlessSearch(*row) for row in _fetch(_FRUITLESS, parameters)]


def _fetch(statement: str, parameters: dict[str, Any]) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()
    return rows
