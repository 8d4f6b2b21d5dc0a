"""Schemas of OpenAPI documents: arguments, answers, references."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.curation.schemas import check_output_schema, check_parameters

from .openapi import arguments_of, query, read, read_one, with_body


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        (
            {"allOf": [{"type": "string"}], "nullable": True},
            {"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
        ),
        ({"nullable": True}, {}),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 1}),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, {"type": "integer", "maximum": 9}),
        ({"type": "string", "example": "AF1"}, {"type": "string", "examples": ["AF1"]}),
        ({"type": "string", "format": "byte"}, {"type": "string", "contentEncoding": "base64"}),
        ({"type": "string", "xml": {}, "externalDocs": {}, "x-internal": 1, "discriminator": {}}, {"type": "string"}),
        ({"type": "string", "pattern": "^a+$"}, {"type": "string", "pattern": "^a+$"}),
        ({"type": "string", "pattern": "^(?=a)b$"}, {"type": "string"}),
        ({"type": "string", "required": True}, {"type": "string"}),
        (
            {"type": "object", "properties": {"nullable": {"type": "string"}, "example": {"type": "string"}}},
            {"type": "object", "properties": {"nullable": {"type": "string"}, "example": {"type": "string"}}},
        ),
        (
            {
                "type": "object",
                "properties": {"id": {"type": "string", "readOnly": True}, "n": {"type": "string", "writeOnly": True}},
                "required": ["id", "n"],
            },
            {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]},
        ),
        ({"enum": [{"nullable": True}]}, {"enum": [{"nullable": True}]}),
    ],
)
def test_schema__of_3_0__in_the_present_draft(old: dict[str, Any], new: dict[str, Any]) -> None:
    tool = read_one({"parameters": [query("q", old)]}, version="3.0.3")
    assert tool.parameters["properties"] == {"q": new}
    assert not check_parameters(tool.parameters)


def test_reference__with_keywords_beside_it__counts_from_3_1_on() -> None:
    schema = {"$ref": "#/components/schemas/A", "minLength": 2, "description": "d"}
    fields: dict[str, Any] = {"components": {"schemas": {"A": {"type": "string"}}}}
    old = read_one({"parameters": [query("q", schema)]}, version="3.0.0", **fields)
    new = read_one({"parameters": [query("q", schema)]}, version="3.1.0", **fields)
    assert old.parameters["properties"] == {"q": {"$ref": "#/$defs/A", "description": "d"}}
    assert new.parameters["properties"] == {"q": {"$ref": "#/$defs/A", "minLength": 2, "description": "d"}}


def case_I01_schemas_that_refer_to_each_other_are_kept_once() -> None:
    schemas = {
        "Node": {
            "type": "object",
            "properties": {"edges": {"type": "array", "items": {"$ref": "#/components/schemas/Edge"}}},
        },
        "Edge": {
            "type": "object",
            "properties": {"to": {"$ref": "#/components/schemas/Node"}, "weight": {"type": "number"}},
        },
    }
    body = {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}
    response = {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}}
    tool = read_one({**with_body(body), "responses": response}, components={"schemas": schemas})
    definitions: Any = tool.parameters["$defs"]
    assert set(definitions) == {"Node", "Edge"}
    assert definitions["Edge"]["properties"]["to"] == {"$ref": "#/$defs/Node"}
    assert not check_parameters(tool.parameters)
    assert tool.output_schema is not None
    assert not check_output_schema(tool.output_schema)


def case_I01_fifteen_hundred_operations_share_what_they_refer_to() -> None:
    schemas = {
        f"S{number}": {
            "type": "object",
            "properties": {"next": {"$ref": f"#/components/schemas/S{(number + 1) % 40}"}, "name": {"type": "string"}},
        }
        for number in range(40)
    }
    paths = {
        f"/p{number}": {"post": with_body({"type": "array", "items": {"$ref": f"#/components/schemas/S{number % 40}"}})}
        for number in range(1500)
    }
    paths["/broken"] = {"post": with_body({"$ref": "#/components/schemas/Nowhere"})}
    listing = read(paths, components={"schemas": schemas})
    good = [tool for tool in listing.tools if not tool.errors]
    bad = [tool for tool in listing.tools if tool.errors]
    assert (len(good), [tool.path for tool in bad]) == (1500, ["POST /broken"])
    assert all(len(tool.parameters["$defs"]) == 40 for tool in good)  # type: ignore[arg-type]  # $defs is an object
    definitions: list[Any] = [tool.parameters["$defs"] for tool in good]
    assert len({id(each["S0"]) for each in definitions}) == 1


def case_I01_a_schema_that_is_too_big_is_left_open_where_it_is_farthest() -> None:
    schemas: dict[str, Any] = {
        f"S{number}": {
            "type": "object",
            "properties": {
                **{f"field_{index}": {"type": "string", "description": "x" * 60} for index in range(30)},
                "next": {"$ref": f"#/components/schemas/S{number + 1}"},
            },
        }
        for number in range(30)
    }
    schemas["S30"] = {"type": "string"}
    tool = read_one(
        with_body({"type": "array", "items": {"$ref": "#/components/schemas/S0"}}), components={"schemas": schemas}
    )
    definitions: Any = tool.parameters["$defs"]
    assert definitions["S0"]["type"] == "object"
    assert {} in definitions.values()
    assert any("left open" in note for note in tool.notes)
    assert not check_parameters(tool.parameters)


@pytest.mark.parametrize(
    ("responses", "expected"),
    [
        ({"201": {"content": {"application/json": {"schema": {"type": "object"}}}}}, {"type": "object"}),
        ({"2XX": {"content": {"application/hal+json": {"schema": {"type": "object"}}}}}, {"type": "object"}),
        ({"200": {"content": {"application/json": {"schema": {"type": "array"}}}}}, None),
        ({"200": {"content": {"text/html": {"schema": {"type": "object"}}}}}, None),
        ({"404": {"content": {"application/json": {"schema": {"type": "object"}}}}}, None),
        ({"200": {"$ref": "#/nowhere"}}, None),
        ({"200": 5}, None),
        (5, None),
    ],
)
def test_response__json_object_of_a_success__is_the_output_schema(responses: Any, expected: Any) -> None:
    tool = read_one({"responses": responses})
    assert not tool.errors
    assert tool.output_schema == expected


def test_response__hidden_properties__other_way_round() -> None:
    properties = {"id": {"type": "string", "readOnly": True}, "password": {"type": "string", "writeOnly": True}}
    schema = {"type": "object", "properties": properties}
    response = {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}
    tool = read_one(
        {**with_body({"$ref": "#/components/schemas/A"}), "responses": response}, components={"schemas": {"A": schema}}
    )
    assert list(arguments_of(tool)) == ["password"]
    assert tool.output_schema == {"type": "object", "properties": {"id": {"type": "string"}}}
