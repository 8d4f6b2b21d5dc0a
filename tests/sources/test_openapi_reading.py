"""OpenAPI documents as tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcatalog.contract.catalog import Execution
from toolcatalog.curation.schemas import check_output_schema, check_parameters
from toolcatalog.sources import ListedTool, SourceListing, read_openapi, suggest_base_url


def read(paths: dict[str, Any], *, version: str = "3.1.0", **fields: Any) -> SourceListing:
    return read_openapi(json.dumps({"openapi": version, "paths": paths, **fields}).encode())


def read_one(operation: dict[str, Any], *, path: str = "/x", method: str = "post", **fields: Any) -> ListedTool:
    (tool,) = read({path: {method: operation}}, **fields).tools
    return tool


def with_body(schema: Any, *, media_type: str = "application/json", required: bool = True) -> dict[str, Any]:
    return {"requestBody": {"required": required, "content": {media_type: {"schema": schema}}}}


def query(name: str, schema: Any, **fields: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, **fields}


# Names and texts


def test_operation__with_everything__becomes_a_tool() -> None:
    tool = read_one(
        {
            "operationId": "getOrder",
            "summary": "Order status",
            "description": "Tells where an order is.",
            "tags": ["orders", "logistics"],
            "deprecated": True,
            "parameters": [query("verbose", {"type": "boolean"}, description="Say more")],
            "responses": {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}},
        },
        path="/orders",
        method="get",
    )
    assert not tool.errors
    assert (tool.name, tool.path, tool.execution) == ("getOrder", "GET /orders", Execution.HTTP)
    assert (tool.title, tool.description) == ("Order status", "Order status\n\nTells where an order is.")
    assert (tool.tags, tool.category, tool.deprecated) == (("orders", "logistics"), "orders", True)
    assert tool.annotations == {"readOnlyHint": True}
    assert tool.output_schema == {"type": "object"}
    assert tool.parameters == {
        "type": "object",
        "properties": {"verbose": {"type": "boolean", "description": "Say more"}},
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("get", "/orders/{id}", "get_orders_id"),
        ("post", "/v1/orders.json", "post_v1_orders_json"),
        ("get", "/", "get"),
        ("delete", "/订单/{编号}", "delete_订单_编号"),
    ],
)
def test_operation__without_id__named_by_method_and_path(method: str, path: str, name: str) -> None:
    assert read_one({}, path=path, method=method).name == name


def test_operations__of_one_id__told_apart() -> None:
    listing = read({"/a": {"get": {"operationId": "list"}}, "/b": {"get": {"operationId": "list"}}})
    assert [tool.name for tool in listing.tools] == ["list", "list_2"]
    assert "Another operation" in listing.tools[1].notes[0]


def test_description__longer_than_kept__cut_with_a_note() -> None:
    tool = read_one({"description": "x" * 5000})
    assert len(tool.description) == 4096
    assert "5,000 characters" in tool.notes[0]


# Parameters


def case_I03_a_parameter_that_stands_twice_in_the_path_is_one_argument_with_a_note() -> None:
    parameter = {"name": "tenant", "in": "path", "required": True, "schema": {"type": "string"}}
    tool = read_one({"parameters": [parameter, parameter]}, path="/{tenant}/{tenant}/device", method="get")
    assert list(tool.parameters["properties"]) == ["tenant"]
    assert tool.parameters["required"] == ["tenant"]
    assert any("stands 2 times in the path" in note for note in tool.notes)
    assert any("described twice" in note for note in tool.notes)


def test_path__part_that_is_not_described__taken_as_text() -> None:
    tool = read_one({"parameters": [{"name": "gone", "in": "path"}]}, path="/{id}", method="get")
    assert tool.parameters["properties"] == {"id": {"type": "string"}}
    assert len(tool.notes) == 2


def test_parameters__of_path_and_operation__the_operations_stand_above() -> None:
    item = {
        "parameters": [query("limit", {"type": "integer"}), query("page", {"type": "integer"})],
        "get": {"parameters": [query("limit", {"type": "string"}, required=True)]},
    }
    (tool,) = read({"/x": item}).tools
    assert tool.parameters["properties"] == {"limit": {"type": "string"}, "page": {"type": "integer"}}
    assert tool.parameters["required"] == ["limit"]


def test_arguments__same_name_in_several_places__told_apart_and_bound() -> None:
    operation = {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            query("id", {"type": "integer"}),
            {"name": "id", "in": "header", "schema": {"type": "string"}},
        ],
        **with_body({"type": "object", "properties": {"id": {"type": "boolean"}, "id_query": {}}, "required": ["id"]}),
    }
    tool = read_one(operation, path="/x/{id}")
    properties: Any = tool.parameters["properties"]
    assert {name: schema.get("type") for name, schema in properties.items()} == {
        "id": "string",
        "id_query": "integer",
        "id_header": "string",
        "id_body": "boolean",
        "id_query_body": None,
    }
    assert tool.parameters["required"] == ["id", "id_body"]
    origin: Any = tool.origin
    assert [(each["argument"], each["name"], each["in"]) for each in origin["parameters"]] == [
        ("id", "id", "path"),
        ("id_query", "id", "query"),
        ("id_header", "id", "header"),
    ]
    assert origin["body"]["fields"] == {"id_body": "id", "id_query_body": "id_query"}


def test_parameters__that_settings_or_the_request_set__left_out() -> None:
    schemes = {"key": {"type": "apiKey", "in": "query", "name": "api_key"}}
    headers = [{"name": name, "in": "header"} for name in ("Authorization", "Accept", "Content-Type")]
    tool = read_one(
        {"parameters": [query("api_key", {"type": "string"}, required=True), *headers]},
        components={"securitySchemes": schemes},
    )
    assert tool.parameters["properties"] == {}
    assert "credential" in tool.notes[0]


def test_parameter__with_content__sent_as_json() -> None:
    parameter = {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}
    tool = read_one({"parameters": [parameter]})
    origin: Any = tool.origin
    assert tool.parameters["properties"] == {"filter": {"type": "object"}}
    assert origin["parameters"][0]["json"] is True


# Bodies


def test_body__plain_object__merged() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "title": "Place"}
    tool = read_one(with_body({"$ref": "#/components/schemas/Place"}), components={"schemas": {"Place": schema}})
    assert tool.parameters == {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    }
    assert tool.origin["body"] == {
        "media_type": "application/json",
        "argument": None,
        "fields": {"city": "city"},
        "base64_fields": [],
    }


@pytest.mark.parametrize(
    ("schema", "required"),
    [
        ({"type": "array", "items": {"type": "string"}}, True),
        ({"type": "object", "additionalProperties": {"type": "string"}}, True),
        ({"type": "object", "properties": {"a": {}}, "additionalProperties": True}, True),
        ({"oneOf": [{"type": "object", "properties": {"a": {}}}, {"type": "string"}]}, True),
        ({"type": "object", "properties": {"a": {}}, "minProperties": 1}, True),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"]}, False),
        ({"type": "string"}, False),
    ],
)
def test_body__anything_else__one_argument(schema: dict[str, Any], required: bool) -> None:
    tool = read_one(with_body(schema, required=required))
    assert tool.parameters["properties"] == {"body": schema}
    assert tool.parameters.get("required", []) == (["body"] if required else [])


@pytest.mark.parametrize(
    ("types", "chosen"),
    [
        (["text/plain", "application/json"], "application/json"),
        (["application/x-www-form-urlencoded", "application/merge-patch+json"], "application/merge-patch+json"),
        (["multipart/form-data"], "multipart/form-data"),
        (["*/*"], "application/json"),
        (["application/json; charset=utf-8"], "application/json"),
        (["application/xml", "application/octet-stream"], "application/octet-stream"),
    ],
)
def test_body__several_media_types__json_first(types: list[str], chosen: str) -> None:
    content = {name: {"schema": {"type": "string"}} for name in types}
    origin: Any = read_one({"requestBody": {"content": content}}).origin
    assert origin["body"]["media_type"] == chosen


def test_body__files__are_base64() -> None:
    properties = {"file": {"type": "string", "format": "binary"}, "name": {"type": "string"}}
    tool = read_one(with_body({"type": "object", "properties": properties}, media_type="multipart/form-data"))
    origin: Any = tool.origin
    assert tool.parameters["properties"] == {
        "file": {"type": "string", "contentEncoding": "base64"},
        "name": {"type": "string"},
    }
    assert origin["body"]["base64_fields"] == ["file"]


# Schemas


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


# What cannot become a tool


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (with_body({"$ref": "#/components/schemas/Nowhere"}), "broken_reference"),
        (with_body({"$ref": "https://example.com/schemas.json#/A"}), "remote_reference"),
        (with_body({"$ref": "other.yaml#/A"}), "remote_reference"),
        (with_body({"$ref": "#/components/schemas/Loop"}), "broken_reference"),
        (with_body({"$ref": 5}), "broken_reference"),
        (with_body("nonsense"), "not_a_schema"),
        (with_body({"type": "object", "properties": {"a": 5}}), "not_a_schema"),
        (with_body({}, media_type="image/png"), "unknown_media_type"),
        ({"requestBody": {"content": {}}}, "unknown_media_type"),
        ({"requestBody": []}, "not_an_object"),
        ({"requestBody": {"content": 5}}, "not_an_object"),
        ({"parameters": "none"}, "not_a_list"),
        ({"parameters": [5]}, "not_an_object"),
        ({"parameters": [{"name": "a", "in": "moon"}]}, "bad_parameter"),
        ({"parameters": [{"in": "query"}]}, "bad_parameter"),
        ({"parameters": [{"name": "a", "in": "query", "style": "matrix"}]}, "unknown_style"),
        ({"parameters": [{"$ref": "#/components/parameters/Nowhere"}]}, "broken_reference"),
        ({"tags": "orders"}, "not_a_list"),
        ([], "not_an_object"),
        (None, "not_an_object"),
        ({"$ref": "#/nowhere"}, "broken_reference"),
    ],
)
def case_I05_one_broken_operation_is_listed_and_the_others_imported(operation: Any, code: str) -> None:
    loop = {"components": {"schemas": {"Loop": {"$ref": "#/components/schemas/Loop"}}}}
    listing = read({"/before": {"get": {}}, "/broken": {"post": operation}, "/after": {"get": {}}}, **loop)
    before, broken, after = listing.tools
    assert (before.errors, after.errors) == ((), ())
    assert (broken.path, broken.errors[0].code) == ("POST /broken", code)


def test_path_item__reference_that_leads_nowhere__listed() -> None:
    listing = read({"/a": {"$ref": "#/components/pathItems/Nowhere"}, "/b": {"get": {}}})
    assert [bool(tool.errors) for tool in listing.tools] == [True, False]


@pytest.mark.parametrize("method", ["options", "trace"])
def test_method__that_is_not_run__listed(method: str) -> None:
    assert read_one({}, method=method).errors[0].code == "unknown_method"


def test_paths__missing_or_odd__a_warning() -> None:
    for paths in ({}, [], None, {"/x": 5}, {"/x": {"summary": "nothing"}}):
        listing = read(paths)  # type: ignore[arg-type]  # as documents have it
        assert listing.tools == ()
        assert listing.warnings == ("The document describes no operation.",)


def rel_T15_a_reference_opens_no_connection(http_server: Any) -> None:
    schema = {"$ref": f"{http_server.origin}/schema.json"}
    operation = {**with_body(schema), "responses": {"200": {"content": {"application/json": {"schema": schema}}}}}
    assert read_one(operation).errors[0].code == "remote_reference"
    assert http_server.requests == []


# What is answered


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
    assert list(tool.parameters["properties"]) == ["password"]
    assert tool.output_schema == {"type": "object", "properties": {"id": {"type": "string"}}}


@pytest.mark.parametrize(
    ("servers", "url"),
    [
        ([{"url": "https://api.example.com/v1"}], "https://api.example.com/v1"),
        ([{"url": "/v1"}, {"url": "https://{region}.example.com"}, {"url": "https://b.example"}], "https://b.example"),
        ([], None),
        ("none", None),
    ],
)
def test_servers__first_whole_url__suggested(servers: Any, url: str | None) -> None:
    assert suggest_base_url(json.dumps({"openapi": "3.1.0", "servers": servers}).encode()) == url
