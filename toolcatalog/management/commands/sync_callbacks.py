"""Makes tools of the Python callbacks that are installed here."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import Author, sync_callbacks
from toolcatalog.management.owners import add_owner_arguments, find_owner
from toolcatalog.management.source_listings import EMPTY, describe_sync
from toolcatalog.sources import SourceListing


class Command(BaseCommand):
    """Prints what is done with each callback, and does it unless it is a dry run. New tools are drafts."""

    help = "Makes a tool of each installed callback, or brings it up to date. What was approved stays live."

    def add_arguments(self, parser: CommandParser) -> None:
        add_owner_arguments(parser)
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
        parser.add_argument("--allow-empty", action="store_true", help="take it seriously that no callback is left")

    def handle(self, *_: Any, dry_run: bool, allow_empty: bool, **options: Any) -> None:
        owner = find_owner(options)
        try:
            plan = sync_callbacks(owner, Author("sync_callbacks"), dry_run=dry_run, allow_empty=allow_empty)
        except InvalidInput as error:
            raise CommandError(error.detail) from error
        self.stdout.write(describe_sync(plan, SourceListing()))
        if plan.empty:
            raise CommandError(EMPTY)
