"""Takes the tools of an MCP server into the catalog."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import Author
from toolcatalog.management.owners import add_owner_arguments, find_owner
from toolcatalog.management.source_listings import EMPTY, add_sync_arguments, describe_sync, sync_listing
from toolcatalog.models import ToolSource
from toolcatalog.sources import SourceUnreachable, read_mcp_tools


class Command(BaseCommand):
    """Prints what is done with each tool, and does it unless it is a dry run. New tools are drafts."""

    help = "Imports the tools of an MCP server that the setting MCP_SERVERS names, or brings them up to date."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the server's name in MCP_SERVERS, and the source's slug in the catalog")
        add_owner_arguments(parser)
        add_sync_arguments(parser)

    def handle(self, *_: Any, name: str, dry_run: bool, **options: Any) -> None:
        owner = find_owner(options)
        try:
            listing = read_mcp_tools(name)
        except (InvalidInput, SourceUnreachable) as error:
            raise CommandError(error.detail) from error
        plan = sync_listing(
            owner,
            name,
            ToolSource.Kind.MCP,
            listing,
            Author("import_mcp"),
            dry_run=dry_run,
            allow_empty=options["allow_empty"],
            allow_incomplete=options["allow_incomplete"],
        )
        self.stdout.write(describe_sync(plan, listing))
        if plan.empty:
            raise CommandError(EMPTY)
