"""The caller's own tools on the way in, and the tool list of the request on the way out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import CallerTool
from toolcatalog.formats import get_format

from .support import ALL, export, obj

SCHEMA = obj(city={"type": "string"})
NEUTRAL: Any = {"name": "now", "description": "Tells the time.", "parameters": SCHEMA}
EXPECTED = CallerTool("now", "Tells the time.", SCHEMA)


@pytest.mark.parametrize("format_name", ALL)
def test_read_tools__neutral__is_read_everywhere(format_name: str) -> None:
    assert get_format(format_name).read_tools([NEUTRAL]) == (EXPECTED,)
    bare = get_format(format_name).read_tools([{"name": "now", "description": None, "parameters": None}])
    assert bare == (CallerTool("now", "", obj()),)


HEAD = {"name": "now", "description": "Tells the time."}
GEMINI_SCHEMA = {
    "type": "OBJECT",
    "properties": {"city": {"type": "STRING", "nullable": True}, "n": {"type": "ARRAY", "max_items": 2}},
}


@pytest.mark.parametrize(
    ("format_name", "entry", "schema"),
    [
        ("openai_chat", {"type": "function", "function": NEUTRAL}, SCHEMA),
        ("openai_responses", {"type": "function", "strict": True, **NEUTRAL}, SCHEMA),
        ("anthropic", {**HEAD, "input_schema": SCHEMA}, SCHEMA),
        ("anthropic", {"type": "custom", **HEAD, "input_schema": SCHEMA}, SCHEMA),
        ("gemini", {"functionDeclarations": [NEUTRAL]}, SCHEMA),
        ("gemini", {"function_declarations": [{**HEAD, "parametersJsonSchema": SCHEMA}]}, SCHEMA),
        (
            "gemini",
            {"functionDeclarations": [{**HEAD, "parameters": GEMINI_SCHEMA}]},
            obj(city={"type": ["string", "null"]}, n={"type": "array", "maxItems": 2}),
        ),
        ("bedrock", {"toolSpec": {**HEAD, "inputSchema": {"json": SCHEMA}}}, SCHEMA),
        ("mcp", {**HEAD, "inputSchema": SCHEMA}, SCHEMA),
        ("generic", {**HEAD, "input_schema": SCHEMA}, SCHEMA),
        ("generic", {"type": "function", "function": NEUTRAL}, SCHEMA),
    ],
)
def test_read_tools__the_vendors_own_form(format_name: str, entry: Any, schema: Any) -> None:
    (tool,) = get_format(format_name).read_tools([entry])
    assert replace(tool, members={}) == CallerTool("now", "Tells the time.", schema)


@pytest.mark.parametrize(
    ("format_name", "entry", "name"),
    [
        ("openai_chat", {"type": "web_search", "user_location": {}}, "web_search"),
        ("openai_chat", {"type": "custom", "custom": {"name": "code"}}, "custom"),
        ("openai_responses", {"type": "code_interpreter", "container": {"type": "auto"}}, "code_interpreter"),
        ("openai_responses", {"type": "custom", "name": "code"}, "code"),
        ("openai_responses", {"type": "mcp", "server_label": "x"}, "mcp"),
        ("anthropic", {"type": "web_search_20250305", "name": "web_search"}, "web_search"),
        ("anthropic", {"type": "computer_20250124", "name": "computer", "display_width_px": 5}, "computer"),
        ("gemini", {"googleSearch": {}}, "googleSearch"),
        ("gemini", {"code_execution": {}}, "code_execution"),
        ("bedrock", {"systemTool": {"name": "nova_grounding"}}, "systemTool"),
        ("bedrock", {"cachePoint": {"type": "default"}}, "cachePoint"),
        ("generic", {"type": "web_search"}, "web_search"),
    ],
)
def test_read_tools__what_the_vendor_runs__passes_unchanged(format_name: str, entry: Any, name: str) -> None:
    (tool,) = get_format(format_name).read_tools([entry])
    assert tool.name == name
    assert tool.vendor_entry == entry


def test_read_tools__gemini_entry_with_both__is_split() -> None:
    entry: Any = {"googleSearch": {}, "functionDeclarations": [NEUTRAL, {"name": "b"}]}
    tools = get_format("gemini").read_tools([entry])
    assert [(tool.name, tool.vendor_entry) for tool in tools] == [
        ("googleSearch", {"googleSearch": {}}),
        ("now", None),
        ("b", None),
    ]


@pytest.mark.parametrize(
    ("format_name", "entry", "path"),
    [
        *((name, 5, "tools[1]") for name in ALL),
        *((name, {"name": " "}, "tools[1].name") for name in ALL),
        *((name, {"name": 5}, "tools[1].name") for name in ALL),
        *((name, {"name": "a", "parameters": []}, "tools[1].parameters") for name in ALL),
        *((name, {"name": "a", "description": 5}, "tools[1].description") for name in ALL),
        ("openai_chat", {}, "tools[1].name"),
        ("openai_chat", {"type": "function", "function": {}}, "tools[1].function.name"),
        ("openai_chat", {"type": 5}, "tools[1]"),
        ("anthropic", {"name": "a", "input_schema": "x"}, "tools[1].input_schema"),
        ("gemini", {}, "tools[1]"),
        ("gemini", {"functionDeclarations": 5}, "tools[1].functionDeclarations"),
        ("gemini", {"functionDeclarations": [{}]}, "tools[1].functionDeclarations[0].name"),
        ("bedrock", {}, "tools[1]"),
        ("bedrock", {"toolSpec": {}}, "tools[1].toolSpec.name"),
        ("bedrock", {"toolSpec": {"name": "a", "inputSchema": 5}}, "tools[1].toolSpec.inputSchema"),
    ],
)
def test_read_tools__what_is_no_tool__is_an_error_with_its_path(format_name: str, entry: Any, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        get_format(format_name).read_tools([NEUTRAL, entry])
    assert [error.path for error in caught.value.errors] == [path]


@pytest.mark.parametrize("format_name", ALL)
def test_read_tools__deep_schema__is_an_error_or_left_to_the_export(format_name: str) -> None:
    deep: Any = {}
    for _ in range(5_000):
        deep = {"items": deep}
    entry: Any = {"name": "a", "parameters": deep}
    if format_name == "gemini":
        with pytest.raises(InvalidInput, match="levels deep"):
            get_format(format_name).read_tools([entry])
    else:
        assert get_format(format_name).read_tools([entry])[0].name == "a"


@pytest.mark.parametrize("format_name", ALL)
def fmt_S30_empty_set(format_name: str) -> None:
    assert get_format(format_name).tools_request([], []) == {}
    assert get_format(format_name).list_tools([], []) == ()


@pytest.mark.parametrize("format_name", ALL)
def test_tools_request__vendor_entries__stand_first(format_name: str) -> None:
    entry = {"type": "web_search"}
    tool = export(format_name, SCHEMA)
    listed = [entry, {"functionDeclarations": [tool.payload]} if format_name == "gemini" else tool.payload]
    expected: dict[str, Any] = {
        "bedrock": {"toolConfig": {"tools": listed}},
        "gemini": {"config": {"tools": listed}},
    }
    assert get_format(format_name).tools_request([entry], [tool]) == expected.get(format_name, {"tools": listed})


@pytest.mark.parametrize(
    ("format_name", "limit"),
    [("openai_chat", 128), ("openai_responses", 128), ("gemini", 512), ("anthropic", None), ("bedrock", None)],
)
def fmt_S27_limits_of_tools(format_name: str, limit: int | None) -> None:
    assert get_format(format_name).max_tools == limit
