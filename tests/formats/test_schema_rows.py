"""The exporters' table of schemas: what each provider gets for each awkward input."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.formats import check_exported

from .support import (
    ALL,
    INLINING,
    VENDORS,
    codes,
    definition_of,
    export,
    export_property,
    export_schema,
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


@pytest.mark.parametrize("format_name", [name for name in ALL if name != "gemini"])
@pytest.mark.parametrize("parameters", [{}, {"type": "object"}, {"type": "object", "properties": {}, "required": []}])
def fmt_S1_no_arguments(format_name: str, parameters: Any) -> None:
    schema = export_schema(format_name, parameters)
    assert {**schema, "required": []} == {**EMPTY, "required": []}
    if format_name != "generic":
        assert schema == EMPTY


@pytest.mark.parametrize("parameters", [{}, {"type": "object"}, EMPTY, {**EMPTY, "required": []}])
def fmt_S1_no_arguments_gemini_leaves_parameters_out(parameters: Any) -> None:
    assert "parameters" not in export("gemini", parameters).payload


@pytest.mark.parametrize("format_name", OPENAI)
def fmt_S1_no_arguments_strict(format_name: str) -> None:
    closed = {**EMPTY, "required": [], "additionalProperties": False}
    assert export_schema(format_name, {}, strict=True) == closed


def fmt_S2_nested_empty_object() -> None:
    assert export_property("gemini", EMPTY) == {"type": "OBJECT"}
    assert "not_strict" in codes(export("openai_chat", obj(x=EMPTY), strict=True))
    closed = {**obj(x={**EMPTY, "additionalProperties": False}), "required": ["x"]}
    assert definition_of("openai_chat", export("openai_chat", closed, strict=True))["strict"] is True


@pytest.mark.parametrize("format_name", OPENAI)
def fmt_S3_array_without_items(format_name: str) -> None:
    assert export_property(format_name, {"type": "array"}) == {"type": "array", "items": {}}
    nested = {"type": "array", "items": {"type": "array"}}
    assert export_property(format_name, nested) == {"type": "array", "items": {"type": "array", "items": {}}}
    assert "not_strict" in codes(export(format_name, {**obj(x={"type": "array"}), "required": ["x"]}, strict=True))


def fmt_S3_array_without_items_gemini() -> None:
    assert export_property("gemini", {"type": "array"}) == {"type": "ARRAY", "items": {}}
    nested = {"type": "array", "items": {"type": "array"}}
    assert export_property("gemini", nested) == {"type": "ARRAY", "items": {"type": "ARRAY", "items": {}}}


@pytest.mark.parametrize("format_name", ["anthropic", "mcp"])
def fmt_S3_array_without_items_stays_elsewhere(format_name: str) -> None:
    assert export_property(format_name, {"type": "array"}) == {"type": "array"}


REFERENCE = {**obj(task={"$ref": "#/$defs/T", "description": "d"}), "$defs": {"T": obj(title=STRING)}}


def fmt_S5_reference_is_inlined() -> None:
    assert export_schema("bedrock", REFERENCE) == obj(task={**obj(title=STRING), "description": "d"})
    assert export_schema("gemini", REFERENCE) == {
        "type": "OBJECT",
        "properties": {"task": {"type": "OBJECT", "description": "d", "properties": {"title": {"type": "STRING"}}}},
    }


def fmt_S5_reference_is_inlined_strict() -> None:
    required = {**REFERENCE, "required": ["task"], "$defs": {"T": {**obj(title=STRING), "required": ["title"]}}}
    closed = {"additionalProperties": False}
    inner = {**obj(title=STRING), **closed, "required": ["title"], "description": "d"}
    assert export_schema("openai_chat", required, strict=True) == {**obj(task=inner), **closed, "required": ["task"]}


@pytest.mark.parametrize("format_name", ["openai_chat", "openai_responses", "anthropic", "mcp", "generic"])
def fmt_S5_reference_stays_where_it_may(format_name: str) -> None:
    assert export_schema(format_name, REFERENCE) == REFERENCE


@pytest.mark.parametrize("format_name", INLINING)
def fmt_S5_reference_to_a_property(format_name: str) -> None:
    schema = export_schema(format_name, obj(headers=obj(a=STRING), more={"$ref": "#/properties/headers"}))
    assert schema["properties"]["more"] == schema["properties"]["headers"]
    assert schema["properties"]["more"]["properties"]


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize("ref", ["#/$defs/Gone", "https://example.org/schema.json", "#/properties/x/items/9"])
def fmt_S5_reference_to_nothing(format_name: str, ref: str) -> None:
    exported = export(format_name, obj(x={"$ref": ref, "description": "d"}))
    assert "reference_unknown" in codes(exported)
    assert schema_of(format_name, exported)["properties"]["x"] == {"description": "d"}


NODE = {**obj(tree={"$ref": "#/$defs/Node"}), "$defs": {"Node": obj(value=STRING, next={"$ref": "#/$defs/Node"})}}


def fmt_S6_recursion_gemini() -> None:
    level = export_schema("gemini", NODE)["properties"]["tree"]
    for _ in range(3):
        assert level["type"] == "OBJECT"
        assert level["properties"]["value"] == {"type": "STRING"}
        level = level["properties"]["next"]
    assert level == {"type": "OBJECT"}


@pytest.mark.parametrize("format_name", ALL)
def fmt_S6_recursion_ends_everywhere(format_name: str) -> None:
    exported = assert_clean(format_name, NODE)
    if format_name in INLINING:
        assert "reference_cut" in codes(exported)


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize("loop", [{"$ref": "#"}, {"$ref": "#/properties/x"}, {"$ref": "#/$defs/A"}])
def fmt_S6_reference_to_itself_ends(format_name: str, loop: Any) -> None:
    assert_clean(format_name, {**obj(x=loop), "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}})
    assert_clean(format_name, {"$ref": "#"})


NULLABLE = {"type": ["string", "null"]}


def case_J03_type_list__gemini_nullable__others_the_accepted_form() -> None:
    assert export_property("gemini", NULLABLE) == {"type": "STRING", "nullable": True}
    assert export_property("bedrock", NULLABLE) == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    for format_name in ("openai_chat", "openai_responses", "anthropic", "mcp"):
        assert export_property(format_name, NULLABLE) == NULLABLE


def fmt_S7_nullable_type_list() -> None:
    assert export_property("gemini", NULLABLE) == {"type": "STRING", "nullable": True}
    strict = export("anthropic", {**obj(x=NULLABLE), "required": ["x"]}, strict=True)
    assert schema_of("anthropic", strict)["properties"]["x"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert strict.payload["strict"] is True


@pytest.mark.parametrize("format_name", ["openai_chat", "openai_responses", "anthropic", "mcp"])
def fmt_S7_nullable_type_list_stays_elsewhere(format_name: str) -> None:
    assert export_property(format_name, NULLABLE) == NULLABLE


def fmt_S7_type_list_is_spread_for_bedrock() -> None:
    assert export_property("bedrock", {**NULLABLE, "minLength": 2, "description": "d"}) == {
        "description": "d",
        "anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}],
    }


def fmt_S8_any_of_with_null() -> None:
    nullable = {"description": "d", "anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
    assert export_property("gemini", nullable) == {"type": "INTEGER", "nullable": True, "description": "d"}


def fmt_S8_any_of_with_siblings() -> None:
    union = {"description": "d", "anyOf": [{"type": "integer"}, STRING, {"type": "null"}]}
    assert export_property("gemini", union) == {
        "anyOf": [
            {"type": "INTEGER", "nullable": True, "description": "d"},
            {"type": "STRING", "nullable": True, "description": "d"},
        ]
    }


def fmt_S8_unions_inside_unions_become_one() -> None:
    union = {"anyOf": [{"type": ["integer", "string"]}, {"oneOf": [{"type": "boolean"}, {"type": "array"}]}]}
    kinds = [branch["type"] for branch in export_property("gemini", union)["anyOf"]]
    assert kinds == ["INTEGER", "STRING", "BOOLEAN", "ARRAY"]


def case_J01_definitions_and_null() -> None:
    optional = {"anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}]}
    schema = export_schema("gemini", {**obj(task=optional), "$defs": {"T": obj(title=STRING)}})
    assert schema["properties"]["task"] == {
        "type": "OBJECT",
        "nullable": True,
        "properties": {"title": {"type": "STRING"}},
    }
    assert "$defs" not in schema
