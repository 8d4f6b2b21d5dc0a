"""Thousands of tools out of public collections, and the demo's, in every format, judged by the vendors' SDKs too."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import check_exported, check_payload, export_names, get_format

from .support import ALL
from .test_adversarial import ODD

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT.parent / "shared" / "evaldata"
needs_collections = pytest.mark.skipif(not FOLDER.is_dir(), reason="the collections are not beside the repository")
WITH_STRICT_MODE = ("openai_chat", "anthropic")
MODES = [*((name, False) for name in ALL), *((name, True) for name in WITH_STRICT_MODE)]


def read_lines(path: Path) -> Iterator[Any]:
    with path.open("rb") as lines:
        yield from map(orjson.loads, lines)


@cache
def read_collections() -> dict[str, tuple[ToolDefinition, ...]]:
    collections = {
        path.parent.name: tuple(
            ToolDefinition(row["name"], row["description"], row["parameters"]) for row in read_lines(path)
        )
        for path in sorted(FOLDER.glob("*/tools.jsonl"))
    }
    gc.freeze()  # a million small objects that stay: looking for garbage among them takes half of the time
    return collections


@cache
def read_demo() -> tuple[ToolDefinition, ...]:
    documents = [orjson.loads(path.read_bytes()) for path in (ROOT / "toolcatalog" / "demo").rglob("*.json")]
    rows = [row for document in documents if isinstance(document, dict) for row in document.get("tools", ())]
    return tuple(ToolDefinition(row["name"], row.get("description", ""), row.get("parameters", {})) for row in rows)


def read_odd() -> tuple[ToolDefinition, ...]:
    return tuple(ToolDefinition(f"odd_{index}", "d", schema) for index, schema in enumerate(ODD.values()))


@cache
def make_judge(format_name: str) -> Callable[[Any], object]:
    """The vendor's own type for one entry of a tool list; raises for what it does not take."""
    if format_name == "gemini":
        declaration = pytest.importorskip("google.genai.types").FunctionDeclaration
        validate: Callable[[Any], object] = declaration.model_validate
        return validate
    if format_name == "mcp":
        tool = pytest.importorskip("mcp.types").Tool
        judge_tool: Callable[[Any], object] = tool.model_validate
        return judge_tool
    if format_name == "bedrock":
        validator = pytest.importorskip("botocore.validate").ParamValidator()
        model = pytest.importorskip("botocore.session").get_session().get_service_model("bedrock-runtime")
        tools = model.operation_model("Converse").input_shape.members["toolConfig"].members["tools"].member
        return lambda payload: refuse(validator.validate(payload, tools).generate_report())
    module, name = {
        "openai_chat": ("openai.types.chat", "ChatCompletionFunctionToolParam"),
        "openai_responses": ("openai.types.responses", "FunctionToolParam"),
        "anthropic": ("anthropic.types", "ToolParam"),
    }[format_name]
    adapter = pytest.importorskip("pydantic").TypeAdapter(getattr(pytest.importorskip(module), name))
    return lambda payload: adapter.validate_python(payload, extra="forbid")


def refuse(report: str) -> None:
    assert report == ""


def judge(format_name: str, tools: tuple[ToolDefinition, ...], *, strict: bool) -> list[str]:
    format_ = get_format(format_name)
    names = export_names(format_, (tool.name for tool in tools))
    assert len(set(names.values())) == len(names)
    problems: list[str] = []
    for tool in tools:
        payload = format_.export_tool(tool, names[tool.name], strict=strict).payload
        problems += [f"{tool.name}: {problem}" for problem in check_exported(format_name, payload)]
        if format_name != "generic":
            make_judge(format_name)(payload)
    return problems


@needs_collections
def test_collections__are_there() -> None:
    assert sum(map(len, read_collections().values())) > 8_000


@needs_collections
@pytest.mark.parametrize(("format_name", "strict"), MODES)
def fmt_every_tool_of_the_collections_is_taken(format_name: str, strict: bool) -> None:
    for collection, tools in read_collections().items():
        assert judge(format_name, tools, strict=strict) == [], collection


@pytest.mark.parametrize(("format_name", "strict"), MODES)
def fmt_every_tool_of_the_demo_and_every_odd_one_is_taken(format_name: str, strict: bool) -> None:
    assert len(read_demo()) > 20
    assert judge(format_name, (*read_demo(), *read_odd()), strict=strict) == []


@needs_collections
def fmt_every_tool_is_taken_by_geminis_other_interface() -> None:
    """The one for native disclosure; no SDK has a type for its tools."""
    format_ = get_format("gemini").native_form()
    for tools in (*read_collections().values(), read_demo(), read_odd()):
        names = export_names(format_, (tool.name for tool in tools))
        for tool in tools:
            payload = format_.export_tool(tool, names[tool.name]).payload
            assert check_payload(format_.rules, payload) == [], tool.name
