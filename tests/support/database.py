"""What goes on in the test database."""

from __future__ import annotations

from django.db import connection


def count_busy_connections() -> int:
    """Other connections to this database that run a statement or stand in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'"
        )
        return int(cursor.fetchone()[0])
