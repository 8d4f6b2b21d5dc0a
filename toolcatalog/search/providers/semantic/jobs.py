"""Tools that wait for their vector. A tool is queued in the transaction that saves it, and embedded after it.

So no save ever waits for an embedder, or fails because of one. A job that fails is kept with its reason and tried
again, later each time.

Whoever takes jobs puts them off for as long as embedding may last, and holds no lock meanwhile: a tool can be saved or
removed at any time. Its job is then another, or none, and what was made for the old one is thrown away.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from toolcatalog.models.search import EmbeddingJob

FIRST_DELAY_SECONDS = 5
LONGEST_DELAY_SECONDS = 3_600
TAKEN_SECONDS = 120
"""So long a process may embed what it took; then others think that it is gone."""

_QUEUE = """
INSERT INTO toolcatalog_embeddingjob AS job (tool_id, attempts, due_at, error)
SELECT tool_id, 0, clock_timestamp(), '' FROM unnest(%s::bigint[]) AS waiting(tool_id)
    ON CONFLICT (tool_id) DO UPDATE SET attempts = 0, due_at = excluded.due_at, error = ''
"""
_QUEUE_ALL = """
INSERT INTO toolcatalog_embeddingjob (tool_id, attempts, due_at, error)
SELECT tool_id, 0, clock_timestamp(), '' FROM toolcatalog_searchentry
    ON CONFLICT (tool_id) DO UPDATE SET due_at = excluded.due_at
"""


@dataclass(frozen=True, slots=True)
class QueueState:
    """How many tools wait for their vector, how many of these have failed at least once, and why the last one did."""

    pending: int
    failed: int
    error: str


@dataclass(frozen=True, slots=True)
class TakenJobs:
    """Tools that this process embeds; by `until` their jobs are told from those of a later save."""

    tool_ids: Sequence[int]
    until: datetime


def queue_tools(tool_ids: Collection[int]) -> None:
    """Have these tools embedded, as part of the current transaction."""
    if tool_ids:
        with connection.cursor() as cursor:
            cursor.execute(_QUEUE, [sorted(tool_ids)])


def queue_all() -> int:
    """Have every indexed tool looked at; answers how many. Those whose vector is up to date cost next to nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE_ALL)
        return int(cursor.rowcount)


def forget_jobs(tool_ids: Collection[int]) -> None:
    """Take tools out of the queue: they are gone."""
    EmbeddingJob.objects.filter(pk__in=tool_ids).delete()


def take_jobs(count: int, among: Collection[int] | None = None) -> TakenJobs:
    """Some of the tools that are due; what another process works on is not."""
    now = timezone.now()
    until = now + timedelta(seconds=TAKEN_SECONDS)
    due = EmbeddingJob.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    if among is not None:
        due = due.filter(pk__in=among)
    with transaction.atomic():
        tool_ids = list(due.select_for_update(skip_locked=True).values_list("pk", flat=True)[:count])
        EmbeddingJob.objects.filter(pk__in=tool_ids).update(due_at=until)
    return TakenJobs(tool_ids, until)


def finish_jobs(taken: TakenJobs, tool_ids: Collection[int]) -> set[int]:
    """Take tools out of the queue: they are done. Answers those that nobody saved or removed meanwhile.

    In a transaction, until whose end they can neither be saved nor removed.
    """
    mine = EmbeddingJob.objects.filter(pk__in=tool_ids, due_at=taken.until)
    finished = set(mine.order_by("pk").select_for_update().values_list("pk", flat=True))
    EmbeddingJob.objects.filter(pk__in=finished).delete()
    return finished


def put_off(taken: TakenJobs, tool_ids: Collection[int], error: str) -> None:
    """Try these again later: after 5 seconds, then 10, 20 and so on, at most an hour."""
    for job in EmbeddingJob.objects.filter(pk__in=tool_ids, due_at=taken.until):
        delay = min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** min(job.attempts, 20))
        job.attempts = min(job.attempts + 1, 30_000)
        job.error = error[:500]
        job.due_at = timezone.now() + timedelta(seconds=delay)
        job.save(update_fields=["attempts", "error", "due_at"])


def read_queue() -> QueueState:
    """The state of the queue."""
    failed = EmbeddingJob.objects.exclude(error="")
    last = failed.order_by("-due_at").values_list("error", flat=True).first()
    return QueueState(EmbeddingJob.objects.count(), failed.count(), last or "")


def next_due_seconds() -> float | None:
    """How long until a job is due: 0 when one is, None when there is none."""
    due_at = EmbeddingJob.objects.order_by("due_at").values_list("due_at", flat=True).first()
    return None if due_at is None else max(0.0, (due_at - timezone.now()).total_seconds())
