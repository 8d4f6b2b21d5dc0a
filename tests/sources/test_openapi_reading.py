"""Operations of OpenAPI documents as tools: names, parameters, bodies, and what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcatalog.contract.catalog import Execution
from toolcatalog.sources import suggest_base_url

from .openapi import arguments_of, query, read, read_one, with_body

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
    assert list(arguments_of(tool)) == ["tenant"]
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
    loop: Any = {"components": {"schemas": {"Loop": {"$ref": "#/components/schemas/Loop"}}}}
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
    odd: list[Any] = [{}, [], None, {"/x": 5}, {"/x": {"summary": "nothing"}}]
    for paths in odd:
        listing = read(paths)
        assert listing.tools == ()
        assert listing.warnings == ("The document describes no operation.",)


def rel_T15_a_reference_opens_no_connection(http_server: Any) -> None:
    schema = {"$ref": f"{http_server.origin}/schema.json"}
    operation = {**with_body(schema), "responses": {"200": {"content": {"application/json": {"schema": schema}}}}}
    assert read_one(operation).errors[0].code == "remote_reference"
    assert http_server.requests == []


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
