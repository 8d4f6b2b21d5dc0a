"""Makes the vectors that search by meaning compares."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from toolcatalog.search.embedding import EmbeddingFailed, active_embedder
from toolcatalog.search.providers.semantic import create_vector_table, has_vectors, queue_all, read_queue, work_off

PAUSE_SECONDS = 2.0


class Command(BaseCommand):
    """Looks at every tool once: vectors that are up to date are left alone. Then, with --loop, at what is queued."""

    help = (
        "Brings the vectors of all tools up to date: after SEMANTIC_EMBEDDER was set or changed. Tools that are saved "
        "later are seen to by the server itself."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--loop", action="store_true", help="go on with what is saved later, until interrupted")

    def handle(self, *_: Any, loop: bool, **__: Any) -> None:
        try:
            embedder = active_embedder()
        except EmbeddingFailed as error:
            raise CommandError(error.detail) from error
        if not has_vectors() and not create_vector_table("owner"):
            raise CommandError("This database has no extension “vector” (pgvector), and this role may not make it.")
        queue_all()
        made = work_off(embedder)
        state = read_queue()
        self.stdout.write(f"{made} vectors made, {state.pending} tools wait, {state.failed} of them failed.")
        if state.failed:
            self.stderr.write(state.error)
        while loop:
            connection.close()
            time.sleep(PAUSE_SECONDS)
            work_off(embedder)
