"""Measures how well search finds what it should, on tools and questions of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError, CommandParser

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.search import DEFAULT_PROVIDER, get_provider
from toolcatalog.search.evaluation import Question, evaluate
from toolcatalog.search.trial import trial_catalog


class Command(BaseCommand):
    """Prints recall, nDCG, MRR, the share of queries without a result, and latencies."""

    help = (
        "Loads tools into a throw-away tenant, asks questions whose answers are known, and prints how well they were "
        "answered. Nothing stays in the database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tools", required=True, type=Path, help="one tool a line, as JSON")
        parser.add_argument(
            "--queries", required=True, type=Path, help='one question a line: {"query": "…", "relevant": ["tool name"]}'
        )
        parser.add_argument("--provider", default=DEFAULT_PROVIDER, help="name of the search provider")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_: Any, tools: Path, queries: Path, provider: str, json: bool, **__: Any) -> None:
        rows = list(_read_lines(tools))
        questions = [_read_question(row, queries) for row in _read_lines(queries)]
        try:
            with trial_catalog(get_provider(provider), rows) as search:
                report = evaluate(search, questions, tools=len(rows)).as_json()
        except InvalidInput as error:
            raise CommandError(error.detail) from error
        if json:
            self.stdout.write(orjson.dumps(report).decode())
            return
        for name, value in report.items():
            self.stdout.write(f"{name:<18}{value}")


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise CommandError(f"{path}, line {number}: {error}") from error
        if not isinstance(row, dict):
            raise CommandError(f"{path}, line {number}: not a JSON object.")
        yield row


def _read_question(row: dict[str, Any], path: Path) -> Question:
    query, relevant = row.get("query"), row.get("relevant")
    if not isinstance(query, str) or not isinstance(relevant, list):
        raise CommandError(f"{path}: every question needs a query and a list of relevant tools.")
    return Question(query, frozenset(map(str, relevant)))
