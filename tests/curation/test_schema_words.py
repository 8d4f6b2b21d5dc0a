"""Properties may be called like keywords of JSON Schema: what stands under them is checked and read all the same."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.curation.old_schemas import modernise_schema
from toolcatalog.curation.schemas import check_parameters, walk_schema

KEYWORDS = ("default", "enum", "const", "examples", "properties", "items", "required", "$ref", "exclusiveMinimum")


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize("name", KEYWORDS)
def test_check__schema_under_a_property_named_like_a_keyword__is_checked(name: str) -> None:
    many = obj(**{name: obj(**{f"p{number}": {} for number in range(501)})})
    assert [error.code for error in check_parameters(many)] == ["too_many_properties"]
    remote = obj(**{name: {"$ref": "https://example.org/x"}})
    assert ("remote_reference", f"parameters.properties.{name}.$ref") in [
        (error.code, error.path) for error in check_parameters(remote)
    ]
    assert check_parameters(obj(**{name: obj(a={"type": "string"})})) == ()


@pytest.mark.parametrize("name", KEYWORDS)
def test_modernise__schema_under_a_property_named_like_a_keyword__is_converted(name: str) -> None:
    old = obj(**{name: {"type": "integer", "minimum": 1, "exclusiveMinimum": True}})
    converted, notes = modernise_schema(old)
    assert converted == obj(**{name: {"type": "integer", "exclusiveMinimum": 1}})
    assert len(notes) == 1


def test_modernise__boolean_schema_of_a_property_named_like_a_bound__stays() -> None:
    schema = obj(exclusiveMinimum=True, minimum={"type": "integer"})
    assert modernise_schema(schema) == (schema, ())


def test_walk__data_is_left_out_and_maps_of_schemas_are_no_schemas() -> None:
    held: Any = {"properties": {"b": {}}, "x": [{"$ref": "https://example.org/x"}]}
    schema: Any = {**obj(a={"type": "object", "default": held, "enum": [held], "const": held}), "examples": [held]}
    assert sorted(path for path, _ in walk_schema(schema, "p")) == ["p", "p.properties.a"]
    listed: Any = {"anyOf": [{"type": "object"}], "not": {"items": {"type": "string"}}, "$defs": {"$defs": {}}}
    paths = ["p", "p.$defs.$defs", "p.anyOf[0]", "p.not", "p.not.items"]
    assert sorted(path for path, _ in walk_schema(listed, "p")) == paths
