"""Takes the operations of an OpenAPI document into the catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.curation import Author
from toolcatalog.management.owners import add_owner_arguments, find_owner
from toolcatalog.management.source_listings import EMPTY, add_sync_arguments, describe_sync, sync_listing
from toolcatalog.models import ToolSource
from toolcatalog.sources import fetch_openapi, is_registered, read_openapi, suggest_base_url


class Command(BaseCommand):
    """Prints what is done with each operation, and does it unless it is a dry run. New tools are drafts."""

    help = "Imports the operations of an OpenAPI 3 document, from a file or an https URL, or brings them up to date."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("document", help="path or https URL of the document, JSON or YAML")
        parser.add_argument("--name", required=True, help="the source's slug in the catalog and in HTTP_SOURCES")
        add_owner_arguments(parser)
        add_sync_arguments(parser)

    def handle(self, *_: Any, document: str, name: str, dry_run: bool, **options: Any) -> None:
        owner = find_owner(options)
        content = read_content(document)
        try:
            listing = read_openapi(content)
        except ToolCatalogError as error:
            raise CommandError(error.detail) from error
        plan = sync_listing(
            owner,
            name,
            ToolSource.Kind.OPENAPI,
            listing,
            Author("import_openapi"),
            dry_run=dry_run,
            allow_empty=options["allow_empty"],
            allow_incomplete=options["allow_incomplete"],
        )
        self.stdout.write(describe_sync(plan, listing))
        if plan.empty:
            raise CommandError(EMPTY)
        if not is_registered(Execution.HTTP, name):
            self.stdout.write(describe_registration(name, suggest_base_url(content)))


def read_content(document: str) -> bytes:
    """The bytes of the file, or of what the URL answers. Raises CommandError."""
    try:
        return fetch_openapi(document) if "://" in document else Path(document).read_bytes()
    except (OSError, ToolCatalogError) as error:
        raise CommandError(f"{document} cannot be read: {error}") from error


def describe_registration(name: str, base_url: str | None) -> str:
    """How an operator lets the tools be run. Which host they go to is never taken from the document."""
    example = base_url or "https://api.example.com"
    return f'To run these tools here, add to HTTP_SOURCES: "{name}": {{"base_url": "{example}"}}'
