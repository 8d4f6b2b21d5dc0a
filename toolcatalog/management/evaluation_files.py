"""Tools and questions to evaluate search on, as files: `tools.jsonl` and `queries.jsonl`, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError

from toolcatalog.search.evaluation import Question

TOOLS, QUERIES = "tools.jsonl", "queries.jsonl"


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Tools as the REST contract has them, and questions with the names of the tools that should be found."""

    name: str
    tools: Sequence[dict[str, Any]]
    questions: Sequence[Question]


def read_set(name: str, tools: Path, queries: Path) -> EvaluationSet:
    """Read one set. Raises CommandError, with the place, for what makes no sense."""
    return EvaluationSet(name, list(_read_lines(tools)), [_read_question(row, queries) for row in _read_lines(queries)])


def read_folder(folder: Path) -> list[EvaluationSet]:
    """Every folder below (or this one itself) that holds both files, by name.

    Raises CommandError where there is none.
    """
    found = [each for each in sorted((folder, *folder.glob("*/"))) if (each / TOOLS).is_file()]
    sets = [read_set(each.name, each / TOOLS, each / QUERIES) for each in found if (each / QUERIES).is_file()]
    if not sets:
        raise CommandError(f"{folder} holds no folder with {TOOLS} and {QUERIES}.")
    return sets


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(text.split("\n"), 1):
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
