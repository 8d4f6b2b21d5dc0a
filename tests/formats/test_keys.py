"""Property names that a provider refuses: renamed on the way out, led back on the way in."""

from __future__ import annotations

import copy
import hashlib
from typing import Any

import pytest

from toolcatalog.contract.export import ArgumentMap
from toolcatalog.formats import check_exported, get_format, restore_arguments

from .support import export, make_tool, obj, schema_of

RENAMING = ("anthropic", "gemini")
STRING = {"type": "string"}
HIDDEN = "city\u034f"


def h8(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]


@pytest.mark.parametrize("format_name", RENAMING)
@pytest.mark.parametrize(
    ("name", "exported"),
    [
        ("filter[id]", "filter_id_"),
        ("k" * 70, f"{'k' * 55}_{h8('k' * 70)}"),
        ("城市", f"p_{h8('城市')}"),
        (HIDDEN, f"city_{h8(HIDDEN)}"),
        ("", f"p_{h8('')}"),
        ("end date", "end_date"),
    ],
)
def fmt_S17_property_keys(format_name: str, name: str, exported: str) -> None:
    tool = export(format_name, {**obj(**{name: STRING}), "required": [name]})
    schema = schema_of(format_name, tool)
    assert list(schema["properties"]) == [exported]
    assert schema["required"] == [exported]
    assert dict(tool.arguments.keys) == {exported: name}
    assert restore_arguments({exported: "x"}, tool.arguments) == {name: "x"}
    assert check_exported(format_name, tool.payload) == []


def fmt_S17_gemini_wants_a_letter_first() -> None:
    tool = export("gemini", obj(**{"2nd": STRING, "a-b": STRING, "a.b": STRING}))
    assert set(schema_of("gemini", tool)["properties"]) == {"p_2nd", f"a_b_{h8('a-b')}", f"a_b_{h8('a.b')}"}
    assert export("anthropic", obj(**{"2nd": STRING, "a-b": STRING, "a.b": STRING})).arguments.keys == {}


@pytest.mark.parametrize("format_name", RENAMING)
def fmt_S17_collisions_are_resolved(format_name: str) -> None:
    names = ["filter[id]", "filter(id)", "filter_id_"]
    tool = export(format_name, obj(**dict.fromkeys(names, STRING)))
    keys = set(schema_of(format_name, tool)["properties"])
    assert keys == {"filter_id_", f"filter_id__{h8('filter[id]')}", f"filter_id__{h8('filter(id)')}"}
    assert restore_arguments(dict.fromkeys(keys, 1), tool.arguments) == dict.fromkeys(names, 1)


@pytest.mark.parametrize("format_name", RENAMING)
def fmt_S17_nested_keys_lead_back_too(format_name: str) -> None:
    parameters = obj(订单={"type": "array", "items": obj(城市=STRING, note=obj(城市=STRING))})
    tool = export(format_name, parameters)
    city, order = f"p_{h8('城市')}", f"p_{h8('订单')}"
    assert check_exported(format_name, tool.payload) == []
    sent: Any = {order: [{city: "上海", "note": {city: "x"}}], "other": [[{city: 1}], 2]}
    assert restore_arguments(sent, tool.arguments) == {
        "订单": [{"城市": "上海", "note": {"城市": "x"}}],
        "other": [[{"城市": 1}], 2],
    }


@pytest.mark.parametrize("format_name", RENAMING)
def fmt_S17_references_survive_renaming(format_name: str) -> None:
    parameters = {**obj(城市={"$ref": "#/$defs/名"}, again={"$ref": "#/properties/城市"}), "$defs": {"名": STRING}}
    tool = export(format_name, parameters)
    schema = schema_of(format_name, tool)
    kind = "STRING" if format_name == "gemini" else "string"
    assert {child["type"] for child in schema["properties"].values()} == {kind}
    assert check_exported(format_name, tool.payload) == []


def fmt_S17_the_model_is_told_the_real_name() -> None:
    tool = export("anthropic", obj(城市={"type": "string", "description": "Where."}))
    assert schema_of("anthropic", tool)["properties"][f"p_{h8('城市')}"]["description"] == "城市: Where."


@pytest.mark.parametrize("format_name", ["openai_chat", "openai_responses", "bedrock", "mcp", "generic"])
def fmt_S17_keys_are_free_elsewhere(format_name: str) -> None:
    tool = export(format_name, obj(**{"城市": STRING, "filter[id]": STRING}))
    assert set(schema_of(format_name, tool)["properties"]) == {"城市", "filter[id]"}
    assert not tool.arguments


@pytest.mark.parametrize("format_name", ["openai_chat", "anthropic", "mcp", "generic"])
def fmt_S17_hidden_marks_are_found(format_name: str) -> None:
    findings = get_format(format_name).check_tool(make_tool(obj(**{"city\u200b": STRING})), "get_order")
    assert [f.code for f in findings if f.code == "hidden_character"]
    assert "\\u200b" in findings[-1].message


def test_restore__both_names_given__the_exported_one_counts() -> None:
    how = ArgumentMap({"p_1": "城市"})
    assert restore_arguments({"城市": 1, "p_1": 2}, how) == {"城市": 2}
    assert restore_arguments({"p_1": 2, "城市": 1}, how) == {"城市": 2}


def test_restore__original_names__stay() -> None:
    assert restore_arguments({"城市": 1}, ArgumentMap({"p_1": "城市"})) == {"城市": 1}


def test_restore__null_that_means_absent__goes_at_the_top_only() -> None:
    how = ArgumentMap({"p_1": "天数"}, ("天数", "b"))
    given = {"p_1": None, "b": None, "c": None, "d": {"b": None}}
    assert restore_arguments(given, how) == {"c": None, "d": {"b": None}}


def test_restore__arguments__are_not_changed() -> None:
    given: Any = {"p_1": {"p_1": [1, {"p_1": None}]}}
    before = copy.deepcopy(given)
    restored: Any = restore_arguments(given, ArgumentMap({"p_1": "x"}, ("x",)))
    assert given == before
    assert restored == {"x": {"x": [1, {"x": None}]}}
    assert restored["x"] is not given["p_1"]


def test_restore__very_deep__needs_no_recursion() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = {"p_1": [deep]}
    restored: Any = restore_arguments({"a": deep}, ArgumentMap({"p_1": "x"}))
    assert list(restored["a"]) == ["x"]


FREE: dict[str, Any] = {
    "map": {"type": "object", "additionalProperties": STRING},
    "pattern": {"type": "object", "patternProperties": {"_": STRING}},
    "object": {"type": "object"},
    "anything": {},
    "array of anything": {"type": "array"},
    "branch": {"anyOf": [{"type": "integer"}, {"type": ["object", "null"]}]},
    "more": {**obj(a=STRING), "additionalProperties": True},
}


@pytest.mark.parametrize("free", FREE)
@pytest.mark.parametrize("format_name", RENAMING)
def fmt_S17_keys_of_a_free_form_object__are_no_parameter_names(format_name: str, free: str) -> None:
    """A legible replacement may be what a user calls something: where any key is taken, none is replaced by it."""
    tool = export(format_name, obj(**{"user id": STRING, "labels": FREE[free]}))
    assert check_exported(format_name, tool.payload) == []
    ((exported, original),) = tool.arguments.keys.items()
    assert (exported, original) == (f"user_id_{h8('user id')}", "user id")
    labels = [{"user_id": "x"}] if free == "array of anything" else {"user_id": "x"}
    assert restore_arguments({exported: "u", "labels": labels}, tool.arguments) == {"user id": "u", "labels": labels}


@pytest.mark.parametrize("format_name", RENAMING)
def fmt_S17_keys_beside_closed_and_named_objects__stay_legible(format_name: str) -> None:
    named = {"plain": obj(a=STRING), "closed": {"type": "object", "additionalProperties": False}}
    other = {"list": {"type": "array", "items": {"enum": ["a"]}}, "union": {"anyOf": [STRING, {"const": 1}]}}
    tool = export(format_name, obj(**{"user id": STRING, **named, **other}))
    assert dict(tool.arguments.keys) == {"user_id": "user id"}
