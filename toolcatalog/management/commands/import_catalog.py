"""Takes a catalog document from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import Author, ImportPlan, import_document
from toolcatalog.management.owners import add_owner_arguments, find_owner


class Command(BaseCommand):
    """Prints what is done with each row, and does it unless it is a dry run."""

    help = "Imports a catalog document. The valid rows are applied in one transaction, the invalid ones listed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the catalog document, JSON")
        add_owner_arguments(parser)
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
        parser.add_argument("--strict", action="store_true", help="all rows or none")

    def handle(self, *_: Any, file: Path, dry_run: bool, strict: bool, **options: Any) -> None:
        owner = find_owner(options)
        try:
            document = orjson.loads(file.read_bytes())
            plan = import_document(owner, document, Author("import_catalog"), dry_run=dry_run, strict=strict)
        except (OSError, orjson.JSONDecodeError) as error:
            raise CommandError(f"{file} cannot be read as JSON: {error}") from error
        except InvalidInput as error:
            raise CommandError(" ".join(f"{e.path}: {e.message}" for e in error.errors)) from error
        self.stdout.write(describe_plan(plan))
        if not plan.applied and not dry_run:
            raise CommandError("Nothing was imported, since some rows are invalid.")


def describe_plan(plan: ImportPlan) -> str:
    """The rows that changed or are wrong, then the counts."""
    lines = [
        f"{row.action:9} {row.path} {row.name}" for row in plan.rows if row.action in {"create", "update", "invalid"}
    ]
    for row in plan.rows:
        lines += [f"          {row.path}: {note}" for note in row.notes]
        lines += [f"          {row.path}: {error.path} {error.message}" for error in row.errors]
        lines += [f"          {row.path}: for {finding.provider}: {finding.message}" for finding in row.findings]
    counts = ", ".join(f"{plan.count(action)} {action}" for action in ("create", "update", "unchanged", "invalid"))
    return "\n".join([*lines, f"{'Done' if plan.applied else 'Not done'}: {counts}"])
