"""Says what each provider would not take of a catalog, and what to do about it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from toolcatalog.curation import check_for_providers
from toolcatalog.management.owners import add_owner_arguments, find_owner


class Command(BaseCommand):
    """One line for each deviation of each tool: tool, groups, provider, what is sent instead, suggestion."""

    help = "Checks all tools of an owner, published or not, against what each provider takes."

    def add_arguments(self, parser: CommandParser) -> None:
        add_owner_arguments(parser)

    def handle(self, *_: Any, **options: Any) -> None:
        problems = list(check_for_providers(find_owner(options)))
        for problem in problems:
            self.stdout.write(str(problem))
        refused = sum(problem.finding.fatal for problem in problems)
        self.stdout.write(f"{len(problems)} deviations; {refused} of them keep a tool from being sent.")
