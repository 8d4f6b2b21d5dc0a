"""Schemas that are valid and odd: every keyword of JSON Schema 2020-12 in places where exporters stumble."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.contract.json import dump_json
from toolcatalog.formats import check_exported, get_format, restore_arguments

from .support import ALL, INLINING, codes, export, export_property, export_schema, make_tool, obj, schema_of

STRING: dict[str, Any] = {"type": "string"}
NODE = {"type": "object", "properties": {"v": STRING}}
KEYWORD_NAMES = ("$ref", "properties", "__proto__", "required", "type", "enum", "$defs", "items", "not", "default")
ODD: dict[str, Any] = {
    "booleans": obj(x=True, y=False, z={"type": "array", "items": False}),
    "percent": {**obj(x={"$ref": "#/$defs/a%20b"}, y={"$ref": "#/%24defs/e~1f"}), "$defs": {"a b": STRING, "e/f": {}}},
    "anchors": {**obj(x={"$ref": "#n"}, y={"$dynamicRef": "#n"}), "$defs": {"n": {"$dynamicAnchor": "n", **NODE}}},
    "circle": {**obj(x={"$ref": "#/$defs/a"}), "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "itself": obj(x={"$ref": "#/properties/x"}),
    "root itself": {**obj(a=STRING), "$ref": "#"},
    "root all of itself": {**obj(a=STRING), "allOf": [{"$ref": "#"}]},
    "dependent": {**obj(a=STRING, b=STRING), "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {}}},
    "conditions": {**obj(a=STRING), "if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": obj(c=STRING)},
    "unevaluated": obj(x={"allOf": [obj(a=STRING), obj(b=STRING)], "unevaluatedProperties": False}),
    "names of keywords": {**obj(**{name: obj(**{name: STRING}) for name in KEYWORD_NAMES}), "required": ["$ref"]},
    "mixed enum": obj(x={"enum": ["a", 1, None, {"k": 1}, [1], True, 1.0, ""]}, y={"enum": [None]}),
    "empty enum": obj(x={"enum": []}),
    "constants": obj(x={"const": None}, y={"const": {"a": 1}}, z={"const": [True]}),
    "contradictions": obj(x={"type": "integer", "enum": ["x"]}, y={"allOf": [STRING, {"type": "null"}]}),
    "numbers": obj(x={"type": "integer", "minimum": -(2**63) + 1}, y={"multipleOf": 0.01, "maximum": 1.7e308}),
    "counts": obj(x={**STRING, "maxLength": 3.0, "minLength": 1e300}, y={"multipleOf": 0}),
    "looking around": obj(x={**STRING, "pattern": "^(?=a)(?!b)[a-z]+$"}),
    "titles": obj(x={**STRING, "title": 5, "description": {"a": 1}}),
    "root of types": {"type": ["object", "null"], "properties": {"a": STRING}},
    "blank keys": obj(**{"": STRING, " ": STRING, "\u200b": STRING}),
    "old": {**obj(a={"type": "array", "items": [STRING], "additionalItems": False}), "dependencies": {"a": ["b"]}},
    "choice": {"type": "object", "oneOf": [obj(a=STRING, b=False), {**obj(b=STRING), "required": ["b"]}]},
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("name", ODD)
def test_export__odd_schema__is_taken_and_the_same_each_time(name: str, format_name: str, strict: bool) -> None:
    exported = export(format_name, ODD[name], strict=strict)
    assert check_exported(format_name, exported.payload) == []
    assert dump_json(exported.payload) == dump_json(export(format_name, ODD[name], strict=strict).payload)


@pytest.mark.parametrize("format_name", ["openai_chat", "anthropic", "bedrock"])
@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_export__reference_to_an_anchor__is_written_out(format_name: str, keyword: str) -> None:
    parameters = {**obj(x={keyword: "#n"}), "$defs": {"n": {"$dynamicAnchor": "n", **NODE}}}
    assert export_schema(format_name, parameters) == obj(x=NODE)


@pytest.mark.parametrize("format_name", ["openai_chat", "anthropic", "bedrock"])
def test_export__schema_with_an_id_of_its_own__its_references_are_meant_from_there(format_name: str) -> None:
    inner = {"$id": "https://example.org/t", "$ref": "#/$defs/U", "$defs": {"U": STRING}}
    parameters = {**obj(x={"$ref": "#/$defs/T"}), "$defs": {"T": inner, "U": {"type": "integer"}}}
    assert export_schema(format_name, parameters) == obj(x=STRING)


@pytest.mark.parametrize("format_name", ALL)
def test_export__long_chain_of_references__is_followed_to_its_end(format_name: str) -> None:
    chain = {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(300)}
    parameters = {**obj(x={"$ref": "#/$defs/d0"}), "$defs": {**chain, "d300": STRING}}
    exported = export(format_name, parameters)
    assert codes(exported) == set()
    if format_name in INLINING:
        assert schema_of(format_name, exported)["properties"]["x"]["type"].lower() == "string"


@pytest.mark.parametrize("spelling", ["#/$defs/N", "#/%24defs/N", "#n"])
def fmt_S6_recursion_in_several_spellings__is_unrolled_no_further(spelling: str) -> None:
    node = {"$anchor": "n", **obj(a={"$ref": "#/$defs/N"}, b={"$ref": spelling})}
    written = dump_json(export("gemini", {**obj(x={"$ref": "#/$defs/N"}), "$defs": {"N": node}}).payload)
    assert len(written) < 2_000


def test_gemini__null_constant__is_nullable() -> None:
    assert export_property("gemini", {"const": None}) == {"nullable": True}


def test_gemini__much_beside_a_big_union__is_not_repeated_without_end() -> None:
    values = [f"v{number}" for number in range(3_000)]
    lengths = [{**STRING, "minLength": number} for number in range(500)]
    exported = export("gemini", obj(x={"enum": values, "anyOf": lengths}))
    assert "union_left_out" in codes(exported)
    assert len(dump_json(exported.payload)) < 100_000


@pytest.mark.parametrize("format_name", ["anthropic", "gemini"])
def test_rename__values_inside_choices__are_renamed_with_their_keys(format_name: str) -> None:
    choice = {"type": "object", "properties": {"城市": STRING}, "required": ["城市"], "enum": [{"城市": "a"}]}
    exported = export(format_name, obj(x=choice))
    (key,) = exported.arguments.keys
    if format_name == "anthropic":
        assert export_property(format_name, choice)["enum"] == [{key: "a"}]
    assert restore_arguments({"x": {key: "a"}}, exported.arguments) == {"x": {"城市": "a"}}


def test_strict__alternatives_around_all_parameters__are_sent_without() -> None:
    parameters = {"type": "object", "oneOf": [{**obj(a=STRING), "required": ["a"]}, obj(b={"type": "integer"})]}
    exported = export("openai_chat", parameters, strict=True)
    assert "not_strict" in codes(exported)
    assert schema_of("openai_chat", exported)["properties"].keys() == {"a", "b"}


def test_root_rule__property_forbidden_in_one_branch__takes_its_form_from_the_other() -> None:
    assert export_schema("openai_chat", ODD["choice"])["properties"] == {"a": STRING, "b": STRING}


def test_tidy__counts_and_choices__are_whole_and_single() -> None:
    assert export_property("mcp", {**STRING, "maxLength": 3.0, "enum": ["a", "b", "a"]}) == {
        **STRING,
        "maxLength": 3,
        "enum": ["a", "b"],
    }
    assert export_property("mcp", {**STRING, "minLength": 1e300}) == STRING


@pytest.mark.parametrize("format_name", ["anthropic", "gemini"])
def test_rename__500_keys_that_collide__each_leads_back(format_name: str) -> None:
    names = [f"k{sign}{number}" for number in range(125) for sign in "[(!?"]
    exported = export(format_name, {**obj(**dict.fromkeys(names, STRING)), "required": names})
    schema = schema_of(format_name, exported)
    assert set(schema["required"]) == set(schema["properties"])
    assert len(schema["properties"]) == 500
    assert restore_arguments(dict.fromkeys(schema["properties"], "v"), exported.arguments) == dict.fromkeys(names, "v")


def test_export__number_beyond_64_bits__says_so() -> None:
    (finding,) = get_format("mcp").check_tool(make_tool(obj(x={"const": 10**40}), name="t"), "t")
    assert "beyond 64 bits" in finding.message
