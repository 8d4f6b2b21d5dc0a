"""The rules of providers one by one: for each, an input that breaks it goes out within it."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.formats import FORMATS, export_names, get_format

from .support import definition_of, export, export_property, export_schema, make_tool, obj

STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("format_name", "keys"),
    [
        ("openai_chat", {"name", "description", "parameters"}),
        ("openai_responses", {"type", "name", "description", "parameters", "strict"}),
        ("anthropic", {"name", "description", "input_schema"}),
        ("gemini", {"name", "description", "parameters"}),
        ("bedrock", {"name", "description", "inputSchema"}),
        ("mcp", {"name", "description", "inputSchema"}),
    ],
)
def fmt_shape_of_each_provider(format_name: str, keys: set[str]) -> None:
    assert definition_of(format_name, export(format_name, obj(a=STRING))).keys() == keys


@pytest.mark.parametrize("format_name", sorted(FORMATS.keys() - {"generic"}))
def fmt_names_of_duplicates_are_single_in_a_request(format_name: str) -> None:
    names = export_names(get_format(format_name), ["a.b", "a_b", "a b", "a/b", "n" * 65, "n" * 66])
    assert len(set(names.values())) == 6
    assert max(map(len, names.values())) <= 64


def fmt_name_begins_with_a_letter_where_services_that_speak_openai_want_it() -> None:
    assert get_format("openai_chat").export_name("_private").startswith("t_")


def fmt_limits_of_tools_in_a_request() -> None:
    limits = {name: format_.max_tools for name, format_ in FORMATS.items()}
    assert (limits["openai_chat"], limits["openai_responses"], limits["gemini"]) == (128, 128, 512)


def fmt_gemini_union_stands_alone_in_its_node() -> None:
    union = {"anyOf": [STRING, {"type": "integer"}], "description": "d", "title": "t", "default": 1}
    assert export_property("gemini", union).keys() == {"anyOf"}


@pytest.mark.parametrize(
    "keyword",
    ["oneOf", "not", "if", "patternProperties", "propertyNames", "uniqueItems", "$schema", "additionalProperties"],
)
def fmt_gemini_keywords_it_does_not_know_are_gone_at_every_depth(keyword: str) -> None:
    values: dict[str, Any] = {
        "oneOf": [STRING],
        "patternProperties": {"^x": STRING},
        "uniqueItems": True,
        "$schema": "x",
    }
    inner = {"type": "object", "properties": {"a": STRING}, keyword: values.get(keyword, {})}
    written = str(export_schema("gemini", obj(x=inner, y={"type": "array", "items": inner})))
    assert f"'{keyword}'" not in written


def fmt_anthropic_property_keys_of_64_characters_at_most() -> None:
    schema = export_schema("anthropic", obj(**{"k" * 65: STRING, "k" * 64: STRING}))
    assert sorted(map(len, schema["properties"])) == [64, 64]


@pytest.mark.parametrize("format_name", ["anthropic", "bedrock", "openai_chat"])
@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "allOf"])
def fmt_root_has_no_combinators(format_name: str, keyword: str) -> None:
    schema = export_schema(format_name, {**obj(a=STRING), keyword: [{"required": ["a"]}, {"required": ["a"]}]})
    assert keyword not in schema
    assert schema["type"] == "object"


def fmt_strict_openai_limits_of_levels_and_enum_values() -> None:
    deep: Any = STRING
    for _ in range(11):
        deep = {**obj(x=deep), "required": ["x"], "additionalProperties": False}
    many = {**obj(x={"type": "string", "enum": [f"v{number}" for number in range(1_001)]}), "required": ["x"]}
    for schema in (deep, many):
        assert "strict" not in definition_of("openai_chat", export("openai_chat", schema, strict=True))


def fmt_strict_pattern_that_looks_around_is_put_in_words() -> None:
    schema = {**obj(x={**STRING, "pattern": "^(?=a)b$"}), "required": ["x"]}
    assert "pattern" not in export_schema("openai_chat", schema, strict=True)["properties"]["x"]


def fmt_mcp_hints_have_the_type_they_should() -> None:
    tool = make_tool(annotations={"readOnlyHint": True, "destructiveHint": "no", "title": 5})
    assert get_format("mcp").export_tool(tool, "t").payload["annotations"] == {"readOnlyHint": True}


def fmt_deferred_loading_is_never_said_to_mcp_chat_or_bedrock() -> None:
    for name in ("mcp", "openai_chat", "bedrock", "generic"):
        assert get_format(name).native is None
        assert "defer_loading" not in str(export(name).payload)


def fmt_bedrock_no_tool_no_configuration_and_blank_system_text_is_none() -> None:
    format_ = get_format("bedrock")
    assert format_.tools_request([], []) == {}
    assert "system" not in format_.merge_prompt(messages=None, prompt="hi", base=" ", additions=[]).request
