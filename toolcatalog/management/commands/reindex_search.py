"""Indexes tools again after the way of splitting text has changed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from toolcatalog.search.providers.postgres import PostgresProvider


class Command(BaseCommand):
    """Does nothing where the index is up to date; searches go on meanwhile."""

    help = "Brings the search index up to date after an update of this software. Run it after each one; it may repeat."

    def handle(self, *_: Any, **__: Any) -> None:
        self.stdout.write(f"{PostgresProvider().reindex()} tools indexed again.")
