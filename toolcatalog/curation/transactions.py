"""One edit at a time: every service starts here, so that edits queue up instead of meeting in a deadlock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

# An edit waits its turn for seconds where a resolve must not wait at all. A limit that is longer, or none, stays.
_BE_PATIENT = """
SELECT CASE WHEN current_setting('lock_timeout')::interval BETWEEN '1ms' AND '3s'
            THEN set_config('lock_timeout', '3s', true) END,
       CASE WHEN current_setting('statement_timeout')::interval BETWEEN '1ms' AND '4s'
            THEN set_config('statement_timeout', '4s', true) END
"""
_HOLD = "SELECT revision FROM toolcatalog_state WHERE id = 1 FOR UPDATE"


@dataclass(frozen=True, slots=True)
class Author:
    """Who edits, and why: written into every revision."""

    name: str
    reason: str = ""


@contextmanager
def editing(*, many: bool = False) -> Iterator[None]:
    """A transaction that holds the catalog's revision row, so that a second edit waits for its end.

    `many` is for edits of thousands of objects: they may take a minute where others have seconds.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_BE_PATIENT)
            if many:
                _take_time(cursor)
            cursor.execute(_HOLD)
            if cursor.fetchone() is None:
                cursor.execute(
                    "INSERT INTO toolcatalog_state (id, revision, transaction) VALUES (1, 0, 0) ON CONFLICT DO NOTHING"
                )
                cursor.execute(_HOLD)
        yield


def _take_time(cursor: CursorWrapper) -> None:
    """Longer limits for this transaction only: PgBouncer may give the connection to somebody else afterwards."""
    cursor.execute("SELECT set_config('statement_timeout', '60s', true)")
    # Checking a thousand schemas keeps the server waiting.
    cursor.execute("SELECT set_config('idle_in_transaction_session_timeout', '60s', true)")
    # Known from PostgreSQL 17 on; older servers have no such limit.
    cursor.execute("SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'")
