"""The table of rules really refuses what it should, and curators are told in words what will be sent."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.tools import ToolDefinition
from toolcatalog.formats import FORMATS, NotExportable, check_exported, detect_format, get_format, register
from toolcatalog.formats._notes import Notes
from toolcatalog.formats.openai_chat import OpenAIChat

from .support import ALL, VENDORS, make_tool, obj

STRING = {"type": "string"}


def chat(parameters: Any, **members: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "a", "description": "d", "parameters": parameters, **members}}


def anthropic(schema: Any, **members: Any) -> dict[str, Any]:
    return {"name": "a", "description": "d", "input_schema": schema, **members}


def gemini(schema: Any, **members: Any) -> dict[str, Any]:
    return {"name": "a", "description": "d", "parameters": schema, **members}


def bedrock(schema: Any, **members: Any) -> dict[str, Any]:
    return {"toolSpec": {"name": "a", "description": "d", "inputSchema": {"json": schema}, **members}}


def mcp(schema: Any, **members: Any) -> dict[str, Any]:
    return {"name": "a", "description": "d", "inputSchema": schema, **members}


def upper(**properties: Any) -> dict[str, Any]:
    return {"type": "OBJECT", "properties": properties}


TEXT = {"type": "STRING"}
REFUSED: list[tuple[str, Any]] = [
    ("openai_chat", {}),
    ("openai_chat", chat({"type": "object"})),
    ("openai_chat", chat({"properties": {}})),
    ("openai_chat", chat({**obj(), "anyOf": [{}]})),
    ("openai_chat", chat(obj(x={"type": "array"}))),
    ("openai_chat", chat(obj(x={"type": ["null", "array"]}))),
    ("openai_chat", chat({**obj(), "required": ["x"]})),
    ("openai_chat", chat(obj(), name="a.b")),
    ("openai_chat", chat(obj(), name="a" * 65)),
    ("openai_chat", chat(obj(), name="")),
    ("openai_chat", chat(obj(), description="")),
    ("openai_chat", chat(obj(), description="x" * 1025)),
    ("openai_chat", chat(obj(), strict=None)),
    ("openai_chat", chat(obj(), defer_loading=True)),
    ("openai_chat", chat(obj(x=STRING), strict=True)),
    ("openai_chat", chat({**obj(x=STRING), "additionalProperties": False, "required": []}, strict=True)),
    ("openai_chat", chat(obj(), description={1, 2})),
    ("openai_responses", {"type": "function", "name": "a", "parameters": None, "strict": False}),
    ("anthropic", anthropic(obj(城市=STRING))),
    ("anthropic", anthropic(obj(x=obj(城市=STRING)))),
    ("anthropic", anthropic({**obj(), "oneOf": [{}]})),
    ("anthropic", anthropic({"type": "string"})),
    ("anthropic", {"name": "a"}),
    ("anthropic", anthropic({**obj(x=STRING), "required": ["x"]}, strict=True)),
    ("anthropic", anthropic({**obj(x={"type": "integer", "minimum": 1}), "additionalProperties": False}, strict=True)),
    ("anthropic", anthropic({**obj(x={"type": ["string"]}), "additionalProperties": False}, strict=True)),
    ("gemini", gemini(upper())),
    ("gemini", gemini(obj(x=TEXT))),
    ("gemini", gemini(upper(x={"type": "string"}))),
    ("gemini", gemini(upper(x={"$ref": "#/x"}))),
    ("gemini", gemini(upper(x={**TEXT, "default": "a"}))),
    ("gemini", gemini(upper(x={"type": ["STRING"]}))),
    ("gemini", gemini(upper(x={"anyOf": [TEXT], "description": "d"}))),
    ("gemini", gemini(upper(x={"enum": ["a"]}))),
    ("gemini", gemini(upper(x={**TEXT, "enum": [1]}))),
    ("gemini", gemini(upper(x={**TEXT, "enum": [""]}))),
    ("gemini", gemini(upper(x={**TEXT, "format": "uri"}))),
    ("gemini", gemini(upper(x={"type": "ARRAY"}))),
    ("gemini", gemini(upper(x={"type": "OBJECT", "properties": {}}))),
    ("gemini", gemini(upper(**{"a-b": TEXT}))),
    ("gemini", gemini(upper(**{"2nd": TEXT}))),
    ("gemini", gemini(upper(**{"k" * 65: TEXT}))),
    ("gemini", gemini(upper(x=TEXT), name="2nd")),
    ("bedrock", bedrock(obj(x={"$ref": "#/x"}))),
    ("bedrock", bedrock({**obj(), "$defs": {}})),
    ("bedrock", bedrock(obj(x={"type": ["string", "null"]}))),
    ("bedrock", bedrock(obj(), description="")),
    ("bedrock", bedrock(obj(), name="a.b")),
    ("mcp", mcp({"type": "array"})),
    ("mcp", mcp(obj(), name="a b")),
    ("mcp", mcp(obj(), defer_loading=True)),
    ("generic", {"name": {1}}),
]


@pytest.mark.parametrize(("format_name", "payload"), REFUSED)
def test_check_exported__what_a_provider_refuses__is_a_problem(format_name: str, payload: Any) -> None:
    assert check_exported(format_name, payload)


@pytest.mark.parametrize(
    ("format_name", "payload"),
    [
        ("openai_chat", chat(obj(城市=STRING, x={"type": "array", "items": {}}))),
        ("openai_chat", chat({**obj(x={"$ref": "#/$defs/T"}), "$defs": {"T": STRING}})),
        ("anthropic", anthropic(obj(x={"type": "array"}), defer_loading=True)),
        ("gemini", gemini(upper(x={"anyOf": [TEXT, {"type": "ARRAY", "items": {}}]}))),
        ("gemini", {"name": "a.b:c-d"}),
        ("bedrock", bedrock(obj(城市=STRING))),
        ("mcp", mcp(obj(x={"oneOf": [STRING]}), name="a.b")),
        ("generic", {"name": "查询"}),
    ],
)
def test_check_exported__what_a_provider_takes__is_none(format_name: str, payload: Any) -> None:
    assert check_exported(format_name, payload) == []


def test_check_exported__rules__are_there_for_every_vendor() -> None:
    assert {name for name, format_ in FORMATS.items() if format_.rules is not None} == set(VENDORS)


@pytest.mark.parametrize("format_name", ALL)
def test_check_tool__portable__has_no_findings(format_name: str) -> None:
    tool = make_tool({**obj(city={"type": "string", "enum": ["a"]}), "required": ["city"]})
    assert get_format(format_name).check_tool(tool, tool.name) == ()


@pytest.mark.parametrize(
    ("format_name", "name", "sentence"),
    [
        ("openai_chat", "n" * 65, "too long for OpenAI, which takes 64 characters: it will be sent as"),
        ("anthropic", "查询订单", "has characters that Anthropic does not take"),
        ("gemini", "2fa", "or not in the first place"),
        ("bedrock", "a.b", "has characters that Bedrock does not take"),
    ],
)
def test_check_tool__name__is_explained_in_words(format_name: str, name: str, sentence: str) -> None:
    format_ = get_format(format_name)
    (finding,) = format_.check_tool(make_tool(name=name), format_.export_name(name))
    assert (finding.provider, finding.code, finding.path) == (format_name, "renamed", "name")
    assert sentence in finding.message
    assert format_.export_name(name) in finding.message


def test_check_tool__name_taken_by_another__is_explained() -> None:
    (finding,) = get_format("openai_chat").check_tool(make_tool(name="a_b"), "a_b_12345678")
    assert finding.message.startswith("Another tool has this name already")


def test_register__name_taken__is_refused() -> None:
    with pytest.raises(ValueError, match="generic"):
        register(get_format("generic"))


def test_formats__registered__are_the_seven() -> None:
    assert set(FORMATS) == {"generic", "openai_chat", "openai_responses", "anthropic", "gemini", "bedrock", "mcp"}
    assert all(format_.name == name for name, format_ in FORMATS.items())
    with pytest.raises(KeyError):
        get_format("other")
    assert detect_format([], get_format("mcp")) is get_format("mcp")


class Careless(OpenAIChat):
    """A newcomer's format that forgets to take the alternatives from the outermost schema."""

    name = "careless"
    label = "Careless"

    def write_tool(self, tool: ToolDefinition, exported_name: str, *, strict: bool, notes: Notes) -> ExportedTool:
        function: JsonObject = {"name": exported_name, "description": tool.description, "parameters": tool.parameters}
        return ExportedTool(exported_name, {"type": "function", "function": function}, findings=notes.findings)


def test_export__tool_that_the_rules_refuse__is_left_out_and_the_curator_is_told() -> None:
    """What an exporter overlooks costs one tool, never the request."""
    format_ = Careless()
    assert format_.export_tool(make_tool(obj(a=STRING)), "get_order").payload["type"] == "function"
    bad = make_tool({**obj(a=STRING), "anyOf": [{"required": ["a"]}]})
    with pytest.raises(NotExportable) as refused:
        format_.export_tool(bad, "get_order")
    finding = refused.value.finding
    assert (finding.code, finding.fatal) == ("refused", True)
    assert finding.message == "Careless would refuse this tool: the root has anyOf."
    assert format_.check_tool(bad, "get_order") == (finding,)


def test_check__schema_deeper_than_is_safe_for_gemini__is_told_and_sent_as_it_is() -> None:
    """Gemini refuses a request for a schema that is too deep, and says nowhere how deep that is."""
    format_ = get_format("gemini")
    flat: Any = obj(a={"type": "array", "items": obj(b={"type": "array", "items": obj(c=STRING)})})
    assert format_.check_tool(make_tool(flat), "get_order") == ()
    deep = obj(a=flat)
    (finding,) = format_.check_tool(make_tool(deep), "get_order")
    assert (finding.code, finding.path, finding.fatal) == ("deeply_nested", "parameters", False)
    assert "6 levels" in finding.message
    assert format_.export_tool(make_tool(deep), "get_order").findings == ()
