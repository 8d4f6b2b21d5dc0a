"""The second half of the exporters' table of schemas, and what is not in the table."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.formats import NotExportable, check_exported, get_format

from .support import (
    ALL,
    VENDORS,
    codes,
    definition_of,
    export,
    export_property,
    export_schema,
    make_tool,
    obj,
    schema_of,
)

OPENAI = ("openai_chat", "openai_responses")
STRING = {"type": "string"}
EMPTY = {"type": "object", "properties": {}}


def assert_clean(format_name: str, parameters: Any) -> Any:
    exported = export(format_name, parameters)
    assert check_exported(format_name, exported.payload) == []
    return exported


def fmt_S10_enum_without_type() -> None:
    assert export_property("gemini", {"enum": ["a", "b"]}) == {"type": "STRING", "enum": ["a", "b"]}
    assert export_property("gemini", {"enum": ["a", None]}) == {"type": "STRING", "nullable": True, "enum": ["a"]}


@pytest.mark.parametrize("enum", [[1, 2], ["", "a"], [1, "a"], [True]])
def fmt_S10_enum_that_cannot_be_sent_is_told(enum: list[Any]) -> None:
    written = export_property("gemini", {"enum": enum})
    assert "enum" not in written
    assert written["description"].startswith("One of: ")


def fmt_S11_const() -> None:
    assert export_property("gemini", {"const": "insert_text"}) == {"type": "STRING", "enum": ["insert_text"]}
    assert export_property("gemini", {"const": 5}) == {"type": "INTEGER", "description": "Always 5."}


UNKNOWN = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **obj(
        x={"type": "integer", "exclusiveMinimum": 0},
        y={"type": "array", "uniqueItems": True, "items": {"type": "object", "propertyNames": {"maxLength": 3}}},
        z={"type": "object", "additionalProperties": {"x-vendor": 1}},
    ),
    "additionalProperties": False,
}


def fmt_S12_unknown_keywords() -> None:
    assert export_schema("gemini", UNKNOWN) == {
        "type": "OBJECT",
        "properties": {
            "x": {"type": "INTEGER"},
            "y": {"type": "ARRAY", "items": {"type": "OBJECT"}},
            "z": {"type": "OBJECT"},
        },
    }
    assert export_schema("mcp", UNKNOWN) == UNKNOWN


def fmt_S13_format() -> None:
    uri = {"type": "string", "format": "uri"}
    assert export_property("gemini", uri) == {"type": "STRING", "description": "Format: uri."}
    assert export_property("gemini", {"type": "string", "format": "date-time"})["format"] == "date-time"
    strict = export("openai_chat", {**obj(x=uri), "required": ["x"]}, strict=True)
    assert schema_of("openai_chat", strict)["properties"]["x"] == {"type": "string", "description": "Format: uri."}
    assert definition_of("openai_chat", strict)["strict"] is True


@pytest.mark.parametrize("format_name", ["openai_chat", "openai_responses", "anthropic", "bedrock", "mcp"])
def fmt_S13_format_stays_elsewhere(format_name: str) -> None:
    uri = {"type": "string", "format": "uri"}
    assert export_property(format_name, uri) == uri


CHOICE = {**obj(a=STRING, b=STRING), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}


@pytest.mark.parametrize("format_name", ["openai_chat", "openai_responses", "anthropic", "bedrock", "gemini"])
def fmt_S15_root_combinator(format_name: str) -> None:
    exported = assert_clean(format_name, CHOICE)
    schema = schema_of(format_name, exported)
    assert "anyOf" not in schema
    assert set(schema["properties"]) == {"a", "b"}
    assert definition_of(format_name, exported)["description"] == (
        "Looks an order up.\n\nAt least one of these must be given: a; b."
    )


def fmt_S15_root_combinator_stays_in_mcp() -> None:
    assert export_schema("mcp", CHOICE) == CHOICE


@pytest.mark.parametrize("format_name", ["openai_chat", "anthropic", "bedrock", "gemini"])
def fmt_S15_properties_in_branches_move_up(format_name: str) -> None:
    branches = [
        {**obj(kind={"const": "mail"}, address=STRING), "required": ["kind", "address"]},
        {"$ref": "#/$defs/Phone"},
    ]
    phone = {**obj(kind={"const": "phone"}, number=STRING), "required": ["kind", "number"]}
    exported = assert_clean(format_name, {"type": "object", "oneOf": branches, "$defs": {"Phone": phone}})
    schema = schema_of(format_name, exported)
    assert set(schema["properties"]) == {"kind", "address", "number"}
    assert schema["properties"]["kind"]["enum"] == ["mail", "phone"]
    assert schema["required"] == ["kind"]
    assert "Exactly one of these must hold" in definition_of(format_name, exported)["description"]


@pytest.mark.parametrize("format_name", ["openai_chat", "anthropic", "bedrock", "gemini"])
def fmt_S15_all_of_is_joined(format_name: str) -> None:
    base = {"allOf": [{"$ref": "#/$defs/A"}, {**obj(b=STRING), "required": ["b"]}], "$defs": {"A": obj(a=STRING)}}
    schema = schema_of(format_name, assert_clean(format_name, base))
    assert set(schema["properties"]) == {"a", "b"}
    assert schema["required"] == ["b"]


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("parameters", [{"type": "string"}, {"type": ["array", "null"]}, [], "x", 5])
def fmt_S16_root_not_an_object(format_name: str, parameters: Any) -> None:
    with pytest.raises(NotExportable) as caught:
        get_format(format_name).export_tool(make_tool(parameters or [1]), "t")
    assert caught.value.finding.path.startswith("parameters")
    assert caught.value.finding.fatal


@pytest.mark.parametrize("format_name", ["bedrock", "anthropic"])
def fmt_S16_root_always_has_its_type(format_name: str) -> None:
    schema = export_schema(format_name, {"oneOf": [obj(a=STRING), obj(b=STRING)]})
    assert schema["type"] == "object"
    assert set(schema["properties"]) == {"a", "b"}


@pytest.mark.parametrize("format_name", VENDORS)
def fmt_S26_null_members_are_left_out(format_name: str) -> None:
    nulls = {"type": "string", "description": None, "enum": None, "strict": None}
    written = export_property(format_name, nulls)
    assert set(written) == {"type"}


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize(
    "bad",
    [
        {"properties": {"x": "number"}},
        {"properties": {"x": {"type": "integer", "minimum": 1, "exclusiveMinimum": True}}},
        {"properties": {"x": {"type": "string", "required": True}}},
        {"properties": {"x": {"type": "array", "items": [{"type": "string"}]}}},
        {"properties": None, "$defs": None},
        {"properties": [], "required": "x"},
        {"properties": {"x": {"type": "str"}}},
        {"properties": {"x": {"enum": []}}},
        {"properties": {"x": {"anyOf": {}}}},
        {"properties": {"x": {"$ref": 5}}},
        {"properties": {"x": {"items": 5, "minLength": -1, "pattern": 5, "dependentRequired": {"a": 1}}}},
    ],
)
def fmt_S25_malformed_keywords_are_left_out(format_name: str, bad: Any) -> None:
    assert_clean(format_name, {"type": "object", **bad})


@pytest.mark.parametrize("format_name", ALL)
def case_J10_null_definitions_lose_nothing(format_name: str) -> None:
    exported = export(format_name, {**obj(x=STRING), "$defs": None})
    assert "x" in schema_of(format_name, exported)["properties"]


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("parameters", [{}, {"type": "object"}, None])
def case_J06_nothing_at_all(format_name: str, parameters: Any) -> None:
    tool = make_tool()
    exported = get_format(format_name).export_tool(type(tool)("t", "d", parameters), "t")
    if format_name == "gemini":
        assert "parameters" not in exported.payload
    else:
        assert schema_of(format_name, exported) == EMPTY


def case_J05_array_without_items_warns() -> None:
    for format_name in ("openai_chat", "gemini"):
        findings = get_format(format_name).check_tool(make_tool(obj(x={"type": "array"})), "get_order")
        assert [finding.path for finding in findings] == ["parameters.properties.x"]


def case_J13_output_schema_and_annotations_are_kept() -> None:
    given: Any = {"output_schema": obj(id=STRING), "annotations": {"readOnlyHint": True, "title": "Order"}}
    assert export("mcp", **given).payload["outputSchema"] == obj(id=STRING)
    assert export("mcp", **given).payload["annotations"] == {"readOnlyHint": True, "title": "Order"}
    assert export("generic", **given).payload["output_schema"] == obj(id=STRING)


def fmt_S32_output_schema_of_an_array_is_left_out() -> None:
    exported = export("mcp", output_schema={"type": "array", "items": {}})
    assert "outputSchema" not in exported.payload
    assert "output_schema_left_out" in codes(exported)


def test_annotations__wrong_types__are_left_out() -> None:
    exported = export("mcp", annotations={"readOnlyHint": "yes", "title": 5, "destructiveHint": False})
    assert exported.payload["annotations"] == {"destructiveHint": False}


@pytest.mark.parametrize("format_name", ALL)
def case_J11_case_J16_every_form_is_the_documented_one(format_name: str) -> None:
    exported = assert_clean(format_name, obj())
    shapes = {
        "openai_chat": {"type", "function"},
        "openai_responses": {"type", "name", "description", "parameters", "strict"},
        "anthropic": {"name", "description", "input_schema"},
        "gemini": {"name", "description"},
        "bedrock": {"toolSpec"},
        "mcp": {"name", "description", "inputSchema"},
        "generic": {"name", "title", "description", "parameters"},
    }
    assert set(exported.payload) == shapes[format_name]


def test_gemini__tuple__becomes_an_array_of_any_of_its_members() -> None:
    pair = {"type": "array", "prefixItems": [STRING, {"type": "integer"}]}
    items = export_property("gemini", pair)["items"]
    assert items == {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}


def test_gemini__default__is_told() -> None:
    assert export_property("gemini", {"type": "integer", "default": 5, "description": "How many."}) == {
        "type": "INTEGER",
        "description": "How many. Default: 5.",
    }


def test_gemini__conditions_around_all_parameters__are_told() -> None:
    exported = export("gemini", {**obj(a=STRING), "if": {"required": ["a"]}, "then": {"required": ["b"]}})
    assert "keep this rule: if" in definition_of("gemini", exported)["description"]


@pytest.mark.parametrize("format_name", VENDORS)
def test_export__what_is_required_but_not_described__becomes_a_property(format_name: str) -> None:
    schema = export_schema(format_name, {**obj(a=STRING), "required": ["a", "b"]})
    assert schema["properties"]["b"] == {}
    assert schema["required"] == ["a", "b"]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ({}, {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}]}),
        ({"items": False}, {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}]}),
        ({"items": {"type": "number"}}, {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}]}),
        (
            {"items": {"type": "boolean"}},
            {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}, {"type": "BOOLEAN"}]},
        ),
    ],
)
def test_tuple__gemini__any_of_its_forms_may_stand_anywhere(rest: Any, expected: Any) -> None:
    """Gemini knows one form for all items: it has to take those of every place."""
    schema = {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], **rest}
    assert export_property("gemini", schema)["items"] == expected


def test_words__blank_text_is_told_in_quotes() -> None:
    assert export_property("gemini", {"type": "string", "default": ""})["description"] == 'Default: "".'
    assert export_property("gemini", {"type": "string", "default": "a b"})["description"] == "Default: a b."
