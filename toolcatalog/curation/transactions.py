"""One edit at a time: every service starts here, so that edits queue up instead of meeting in a deadlock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction


@dataclass(frozen=True, slots=True)
class Author:
    """Who edits, and why: written into every revision."""

    name: str
    reason: str = ""


@contextmanager
def editing() -> Iterator[None]:
    """A transaction that holds the catalog's revision row, so that a second edit waits for its end."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO toolcatalog_state (id, revision, transaction) VALUES (1, 0, 0) ON CONFLICT DO NOTHING"
            )
            cursor.execute("SELECT revision FROM toolcatalog_state WHERE id = 1 FOR UPDATE")
        yield
