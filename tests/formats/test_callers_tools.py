"""The tools that a caller passes in keep what they say in the vendor's own words."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.contract.json import dump_json
from toolcatalog.formats import check_exported, get_format

from .support import ALL, obj

SCHEMA = {**obj(city={"type": "string"}), "required": ["city"], "additionalProperties": False}
OWN: list[tuple[str, Any]] = [
    ("openai_chat", {"type": "function", "function": {"name": "a", "parameters": SCHEMA, "strict": True}}),
    ("openai_chat", {"type": "function", "function": {"name": "a", "parameters": SCHEMA, "strict": False}}),
    ("openai_responses", {"type": "function", "name": "a", "parameters": SCHEMA, "strict": True}),
    (
        "openai_responses",
        {"type": "function", "name": "a", "parameters": SCHEMA, "strict": False, "defer_loading": True},
    ),
    (
        "anthropic",
        {
            "name": "a",
            "input_schema": SCHEMA,
            "cache_control": {"type": "ephemeral", "ttl": "1h"},
            "strict": True,
            "input_examples": [{"city": "杭州"}],
        },
    ),
    ("gemini", {"name": "a", "behavior": "NON_BLOCKING", "response": {"type": "STRING"}}),
    ("bedrock", {"toolSpec": {"name": "a", "inputSchema": {"json": SCHEMA}, "strict": True}}),
    (
        "mcp",
        {"name": "a", "inputSchema": SCHEMA, "title": "A", "annotations": {"readOnlyHint": True}, "_meta": {"x/y": 1}},
    ),
]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("format_name", "given"), OWN)
def test_callers_tool__members_of_the_vendor__are_sent_as_they_came(
    format_name: str, given: dict[str, Any], strict: bool
) -> None:
    format_ = get_format(format_name)
    (tool,) = format_.read_tools([given])
    exported = format_.export_caller_tool(tool, "a", strict=strict)
    assert exported.payload == given
    assert dump_json(exported.payload) == dump_json(format_.export_caller_tool(tool, "a", strict=strict).payload)
    assert check_exported(format_name, exported.payload) == []


@pytest.mark.parametrize("format_name", ALL)
def test_callers_tool__member_that_the_vendor_does_not_know__is_not_sent(format_name: str) -> None:
    unknown: dict[str, Any] = {"name": "a", "parameters": SCHEMA, "description": "d", "x_internal": 1, "strict": None}
    format_ = get_format(format_name)
    (tool,) = format_.read_tools([unknown])
    assert tool.members == {}
    assert "x_internal" not in dump_json(format_.export_caller_tool(tool, "a").payload).decode()


def test_callers_tool__word_on_strict__stands_against_the_profiles() -> None:
    format_ = get_format("anthropic")
    (tool,) = format_.read_tools([{"name": "a", "input_schema": SCHEMA, "strict": False}])
    exported = format_.export_caller_tool(tool, "a", strict=True)
    assert exported.payload["strict"] is False
    assert exported.relaxed is None


def test_callers_tool__hostile_member__leaves_the_tool_out() -> None:
    format_ = get_format("anthropic")
    (tool,) = format_.read_tools([{"name": "a", "input_schema": SCHEMA, "cache_control": {"type": "\ud800"}}])
    with pytest.raises(Exception, match=r"members\.cache_control\.type"):
        format_.export_caller_tool(tool, "a")


def test_callers_tool__neutral__has_only_the_neutral_members() -> None:
    (tool,) = get_format("generic").read_tools([{"name": "a", "parameters": SCHEMA, "strict": True}])
    assert tool.members == {}


def test_callers_tool__examples_of_input__follow_renamed_parameters() -> None:
    """Anthropic checks the examples against the schema, and refuses the request where they do not fit."""
    given: Any = {
        "name": "a",
        "input_schema": {**obj(城市={"type": "string"}), "required": ["城市"]},
        "input_examples": [{"城市": "杭州"}],
    }
    format_ = get_format("anthropic")
    (tool,) = format_.read_tools([given])
    exported = format_.export_caller_tool(tool, "a")
    (key,) = exported.arguments.keys
    assert exported.payload["input_examples"] == [{key: "杭州"}]


SEARCHES: dict[str, Any] = {
    "anthropic": {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
    "openai_responses": {"type": "tool_search"},
}


@pytest.mark.parametrize("format_name", SEARCHES)
def fmt_S35_deferred_tools_of_the_caller_without_a_search_tool__are_plain_tools(format_name: str) -> None:
    """All deferred is a 400, and what no search loads is never seen."""
    format_ = get_format(format_name)
    given: Any = {"name": "a", "description": "d", "parameters": SCHEMA}
    own = [
        format_.export_caller_tool(tool, "a", strict=True)
        for tool in format_.read_tools([{**given, "defer_loading": True}])
    ]
    plain = [format_.export_caller_tool(tool, "a", strict=True) for tool in format_.read_tools([given])]
    (shown,) = format_.fit_set(own)
    assert own[0].payload["defer_loading"] is True
    assert (shown.payload, shown.relaxed) == (plain[0].payload, plain[0].relaxed)
    assert [finding.code for finding in shown.findings] == ["not_deferred"]
    assert format_.fit_set(own, [SEARCHES[format_name]]) == tuple(own)
