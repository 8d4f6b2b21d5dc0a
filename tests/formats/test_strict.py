"""Strict mode: only where it refuses nothing that the canonical schema allows."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.formats import check_exported, get_format, restore_arguments
from toolcatalog.formats.anthropic import fit_strict_budget

from .support import codes, definition_of, export, export_schema, obj, schema_of

OPENAI = ("openai_chat", "openai_responses")
VENDORS = (*OPENAI, "anthropic")
STRING = {"type": "string"}
INTEGER = {"type": "integer"}


def is_strict(format_name: str, parameters: Any) -> bool:
    exported = export(format_name, parameters, strict=True)
    assert check_exported(format_name, exported.payload) == []
    strict = definition_of(format_name, exported).get("strict", False)
    assert strict is not ("not_strict" in codes(exported))
    return bool(strict)


@pytest.mark.parametrize("format_name", VENDORS)
def test_strict__not_asked_for__is_off(format_name: str) -> None:
    definition = definition_of(format_name, export(format_name, obj(a=STRING)))
    assert definition.get("strict", False) is False
    assert ("strict" in definition) is (format_name == "openai_responses")


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize(
    "free_form",
    [
        {"type": "object"},
        {"type": "object", "additionalProperties": STRING},
        {**obj(a=STRING), "required": ["a"], "additionalProperties": True},
        {**obj(a=STRING), "required": ["a"], "patternProperties": {"^x": STRING}},
        {},
        {"description": "anything"},
    ],
)
def fmt_S19_free_form(format_name: str, free_form: Any) -> None:
    assert not is_strict(format_name, {**obj(x=free_form), "required": ["x"]})


def fmt_S19_free_form_gemini() -> None:
    parameters = obj(headers={"type": "object"}, m={"type": "object", "additionalProperties": STRING})
    assert export_schema("gemini", parameters)["properties"] == {
        "headers": {"type": "OBJECT"},
        "m": {"type": "OBJECT"},
    }


@pytest.mark.parametrize("format_name", VENDORS)
def fmt_S20_every_level_is_closed(format_name: str) -> None:
    inner = {**obj(street=STRING), "required": ["street"]}
    parameters = {**obj(address=inner, more={"type": "array", "items": inner}), "required": ["address", "more"]}
    assert is_strict(format_name, parameters)
    schema = schema_of(format_name, export(format_name, parameters, strict=True))
    assert schema["additionalProperties"] is False
    assert schema["properties"]["address"]["additionalProperties"] is False
    assert schema["properties"]["more"]["items"]["additionalProperties"] is False


@pytest.mark.parametrize("format_name", OPENAI)
def fmt_S21_optional(format_name: str) -> None:
    exported = export(format_name, {**obj(city=STRING, days=INTEGER), "required": ["city"]}, strict=True)
    schema = schema_of(format_name, exported)
    assert schema["properties"]["days"] == {"type": ["integer", "null"]}
    assert schema["required"] == ["city", "days"]
    assert exported.arguments.null_means_absent == ("days",)
    assert restore_arguments({"city": "x", "days": None}, exported.arguments) == {"city": "x"}
    assert restore_arguments({"city": "x", "days": 3}, exported.arguments) == {"city": "x", "days": 3}


@pytest.mark.parametrize(
    ("optional", "written"),
    [
        ({"enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"const": 1}, {"type": ["integer", "null"], "enum": [1, None]}),
        ({"anyOf": [STRING, INTEGER]}, {"anyOf": [STRING, INTEGER, {"type": "null"}]}),
        ({"type": ["string", "integer"]}, {"type": ["string", "integer", "null"]}),
    ],
)
def fmt_S21_optional_of_every_kind(optional: Any, written: Any) -> None:
    exported = export("openai_chat", obj(x=optional), strict=True)
    assert schema_of("openai_chat", exported)["properties"]["x"] == written
    assert exported.arguments.null_means_absent == ("x",)


@pytest.mark.parametrize("format_name", OPENAI)
def fmt_S21_null_and_absent_are_not_confused(format_name: str) -> None:
    nullable = {"type": ["integer", "null"]}
    assert not is_strict(format_name, obj(days=nullable))
    assert is_strict(format_name, obj(days={**nullable, "default": None}))
    assert export(format_name, obj(days={**nullable, "default": None}), strict=True).arguments.null_means_absent == ()
    assert is_strict(format_name, {**obj(days=nullable), "required": ["days"]})


@pytest.mark.parametrize("format_name", OPENAI)
def fmt_S21_optional_inside_an_object(format_name: str) -> None:
    assert not is_strict(format_name, {**obj(a=obj(b=STRING)), "required": ["a"]})


def fmt_S21_optional_stays_optional_for_anthropic() -> None:
    exported = export("anthropic", {**obj(city=STRING, days=INTEGER), "required": ["city"]}, strict=True)
    assert exported.payload["strict"] is True
    assert schema_of("anthropic", exported)["required"] == ["city"]
    assert not exported.arguments


@pytest.mark.parametrize("format_name", OPENAI)
def fmt_S22_default(format_name: str) -> None:
    exported = export(format_name, {**obj(x={"type": "integer", "default": 10}), "required": ["x"]}, strict=True)
    assert schema_of(format_name, exported)["properties"]["x"] == {"type": "integer", "description": "Default: 10."}
    assert definition_of(format_name, exported)["strict"] is True


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize(
    "keywords",
    [
        {"oneOf": [STRING, INTEGER]},
        {"allOf": [{"anyOf": [STRING]}, {"anyOf": [INTEGER]}]},
        {**STRING, "not": {"const": "a"}},
        {"type": "array", "prefixItems": [STRING], "items": STRING},
        {"type": "array"},
        {**obj(a=STRING), "required": ["a"], "minProperties": 1},
        {**obj(a=STRING), "required": ["a"], "dependentRequired": {"a": ["a"]}},
    ],
)
def test_strict__what_the_dialect_cannot_say__is_not_strict(format_name: str, keywords: Any) -> None:
    assert not is_strict(format_name, {**obj(x=keywords), "required": ["x"]})


@pytest.mark.parametrize("format_name", VENDORS)
def test_strict__single_all_of_and_unknown_keywords__are_written_away(format_name: str) -> None:
    parameters = {**obj(x={"allOf": [STRING], "x-order": 1, "examples": ["a"]}), "required": ["x"], "$schema": "s"}
    assert is_strict(format_name, parameters)
    assert schema_of(format_name, export(format_name, parameters, strict=True))["properties"]["x"] == STRING


def test_strict__bounds__stay_for_openai_and_are_told_to_anthropic() -> None:
    parameters = {**obj(x={**INTEGER, "minimum": 1}, y={"type": "array", "items": STRING, "minItems": 2})}
    parameters["required"] = ["x", "y"]
    openai = schema_of("openai_chat", export("openai_chat", parameters, strict=True))["properties"]
    anthropic = schema_of("anthropic", export("anthropic", parameters, strict=True))["properties"]
    assert openai["x"] == {**INTEGER, "minimum": 1}
    assert anthropic["x"] == {**INTEGER, "description": "At least 1."}
    assert anthropic["y"] == {"type": "array", "items": STRING, "description": "At least 2 items."}


@pytest.mark.parametrize("format_name", VENDORS)
def test_strict__recursion__is_not_strict(format_name: str) -> None:
    node = {**obj(next={"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}), "required": ["next"]}
    assert not is_strict(format_name, {**obj(n={"$ref": "#/$defs/N"}), "required": ["n"], "$defs": {"N": node}})


@pytest.mark.parametrize("format_name", OPENAI)
def test_strict__openai_limits__are_kept(format_name: str) -> None:
    deep: Any = STRING
    for _ in range(9):
        deep = {**obj(a=deep), "required": ["a"]}
    assert is_strict(format_name, {**obj(a=deep), "required": ["a"]})
    deep = {**obj(a=deep), "required": ["a"]}
    assert not is_strict(format_name, {**obj(a=deep), "required": ["a"]})
    assert not is_strict(format_name, obj(a={"enum": [f"{index:05}" for index in range(1_001)]}))
    assert not is_strict(format_name, obj(a={"enum": ["x" * 100 + f"{index:03}" for index in range(251)]}))


@pytest.mark.parametrize("format_name", ["gemini", "bedrock", "mcp"])
def test_strict__no_such_mode__is_said(format_name: str) -> None:
    assert "not_strict" in codes(export(format_name, obj(a=STRING), strict=True))


def make_strict_tools(count: int, parameters: Any) -> list[Any]:
    return [export("anthropic", parameters, strict=True, name=f"tool_{index}") for index in range(count)]


def fmt_S29_strict_budget_of_tools() -> None:
    parameters = {**obj(a=STRING), "required": ["a"]}
    within = make_strict_tools(20, parameters)
    assert fit_strict_budget(within) == tuple(within)
    beyond = get_format("anthropic").fit_set(make_strict_tools(21, parameters))
    assert not any("strict" in tool.payload for tool in beyond)
    assert all("strict_budget" in codes(tool) for tool in beyond)
    assert [tool.payload for tool in beyond] == [
        export("anthropic", parameters, name=f"tool_{index}").payload for index in range(21)
    ]


def fmt_S29_strict_budget_of_optionals() -> None:
    optionals = obj(**{f"p{index}": STRING for index in range(12)})
    assert all(tool.payload.get("strict") for tool in fit_strict_budget(make_strict_tools(2, optionals)))
    optionals = obj(**{f"p{index}": STRING for index in range(25)})
    assert not any(tool.payload.get("strict") for tool in fit_strict_budget(make_strict_tools(1, optionals)))


def fmt_S29_strict_budget_of_unions() -> None:
    names = [f"p{index}" for index in range(17)]
    unions = {**obj(**{name: {"type": ["string", "integer"]} for name in names}), "required": names}
    assert not any(tool.payload.get("strict") for tool in fit_strict_budget(make_strict_tools(1, unions)))


def fmt_S29_other_formats_have_no_budget() -> None:
    tools = [export("openai_chat", obj(a=STRING), strict=True)] * 30
    assert get_format("openai_chat").fit_set(tools) == tuple(tools)


def fmt_S29_strict_budget__counts_the_callers_own_strict_tools() -> None:
    format_ = get_format("anthropic")
    parameters = {**obj(a=STRING), "required": ["a"], "additionalProperties": False}
    given: Any = [{"name": f"own_{index}", "input_schema": parameters, "strict": True} for index in range(15)]
    own = [format_.export_caller_tool(tool, tool.name, strict=True) for tool in format_.read_tools(given)]
    fitted = format_.fit_set([*own, *make_strict_tools(6, parameters)])
    assert [tool.payload for tool in fitted[:15]] == given
    assert not any("strict" in tool.payload for tool in fitted[15:])
    within = [*own, *make_strict_tools(5, parameters)]
    assert format_.fit_set(within) == tuple(within)


@pytest.mark.parametrize("format_name", VENDORS)
@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"enum": ["a", "b"]}, "string"),
        ({"const": "a"}, "string"),
        ({"enum": [1, 2]}, "integer"),
        ({"enum": [True]}, "boolean"),
    ],
)
def test_strict__values_without_a_type__get_theirs(format_name: str, schema: Any, kind: str) -> None:
    parameters = {**obj(x=schema, y={"type": "array", "items": schema}), "required": ["x", "y"]}
    assert is_strict(format_name, parameters)
    written = export_schema(format_name, parameters, strict=True)["properties"]
    assert written["x"]["type"] == kind
    assert written["y"]["items"]["type"] == kind


@pytest.mark.parametrize("format_name", VENDORS)
def test_strict__values_of_several_types__stay_as_they_are_or_go_without(format_name: str) -> None:
    parameters = {**obj(x={"enum": ["a", 1, None]}), "required": ["x"]}
    exported = export_schema(format_name, parameters, strict=True)["properties"]["x"]
    assert exported["enum"] == ["a", 1, None]
