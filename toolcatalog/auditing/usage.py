"""Counts calls of tools: attempts and successes apart, without losing any (X4, X7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from toolcatalog.models import ToolUsage

_COUNT = """
INSERT INTO toolcatalog_toolusage AS usage (tool_id, tenant_id, attempts, successes, last_used_at)
VALUES (%s, %s, %s, %s, clock_timestamp())
ON CONFLICT (tool_id, tenant_id) DO UPDATE SET
    attempts = usage.attempts + EXCLUDED.attempts,
    successes = usage.successes + EXCLUDED.successes,
    last_used_at = EXCLUDED.last_used_at
"""


def count_usage(tenant_id: int, calls: Iterable[tuple[int, bool]]) -> None:
    """Add (tool id, went well) pairs to the counts."""
    attempts: Counter[int] = Counter()
    successes: Counter[int] = Counter()
    for tool_id, went_well in calls:
        attempts[tool_id] += 1
        successes[tool_id] += went_well
    rows = [(tool_id, tenant_id, count, successes[tool_id]) for tool_id, count in sorted(attempts.items())]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_COUNT, rows)


@dataclass(frozen=True, slots=True)
class PopularTool:
    """How often a tenant called a tool, and how often that went well."""

    tool_id: int
    attempts: int
    successes: int
    last_used_at: datetime | None


def popular_tools(tenant_id: int, tool_ids: Collection[int], limit: int) -> list[PopularTool]:
    """Of these tools, those that the tenant called with most successes; no more than `limit`."""
    rows = ToolUsage.objects.filter(tenant_id=tenant_id, tool_id__in=tool_ids, successes__gt=0)
    ordered = rows.order_by("-successes", "-last_used_at", "tool_id")[:limit]
    return [PopularTool(row.tool_id, row.attempts, row.successes, row.last_used_at) for row in ordered]


def count_successes(tenant_id: int, tool_ids: Collection[int]) -> dict[int, int]:
    """How many calls of this tenant went well with each of these tools. Tools without any are not in it."""
    rows = ToolUsage.objects.filter(tenant_id=tenant_id, tool_id__in=tool_ids, successes__gt=0)
    return dict(rows.values_list("tool_id", "successes"))
