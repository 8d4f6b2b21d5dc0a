"""Thousands of tools out of public collections, in every format."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import check_exported, export_names, get_format

from .support import ALL

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "evaldata"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the collections of tools are not beside the repository")


def read_lines(path: Path) -> Iterator[Any]:
    with path.open("rb") as lines:
        yield from map(orjson.loads, lines)


@cache
def read_collections() -> dict[str, tuple[ToolDefinition, ...]]:
    return {
        path.parent.name: tuple(
            ToolDefinition(row["name"], row["description"], row["parameters"]) for row in read_lines(path)
        )
        for path in sorted(FOLDER.glob("*/tools.jsonl"))
    }


def test_collections__are_there() -> None:
    assert sum(map(len, read_collections().values())) > 8_000


WITH_STRICT_MODE = ("openai_chat", "anthropic")


@pytest.mark.parametrize(
    ("format_name", "strict"), [*((name, False) for name in ALL), *((name, True) for name in WITH_STRICT_MODE)]
)
def fmt_every_tool_of_the_collections_is_taken(format_name: str, strict: bool) -> None:
    format_ = get_format(format_name)
    problems: list[str] = []
    for collection, tools in read_collections().items():
        names = export_names(format_, (tool.name for tool in tools))
        assert len(set(names.values())) == len(names)
        for tool in tools:
            payload = format_.export_tool(tool, names[tool.name], strict=strict).payload
            problems += [f"{collection}/{tool.name}: {problem}" for problem in check_exported(format_name, payload)]
    assert problems == []
