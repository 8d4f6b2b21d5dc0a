"""Writes a catalog document."""

from __future__ import annotations

from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandParser

from toolcatalog.curation import export_document
from toolcatalog.management.owners import add_owner_arguments, find_owner


class Command(BaseCommand):
    """Prints the document: import it into an empty database, export again, and it is the same."""

    help = "Prints the catalog document of one tenant, or of the shared objects."

    def add_arguments(self, parser: CommandParser) -> None:
        add_owner_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        document = export_document(find_owner(options))
        self.stdout.write(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())
