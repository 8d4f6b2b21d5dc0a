"""A second opinion: the vendors' own SDK types on what the exporters write. Each runs where its SDK is installed."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.formats import CallResult, get_format

from .support import codes, export, obj

AWKWARD: list[Any] = [
    {},
    obj(city={"type": "string", "description": "Where."}, days={"type": "integer", "default": 3}),
    obj(**{"城市": {"type": ["string", "null"]}, "filter[id]": {"enum": ["a", "b"]}}),
    obj(tags={"type": "array"}, pairs={"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}),
    {**obj(task={"$ref": "#/$defs/T", "description": "d"}), "$defs": {"T": obj(title={"type": "string"})}},
    {**obj(tree={"$ref": "#/$defs/N"}), "$defs": {"N": obj(next={"$ref": "#/$defs/N"})}},
    {**obj(a={"const": 5}, b={"enum": [1, 2]}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {**obj(x={"oneOf": [{"type": "integer", "exclusiveMinimum": 0}, {"type": "null"}]}), "$schema": "x"},
    obj(m={"type": "object", "additionalProperties": {"type": "string"}}, e=obj()),
    obj(u={"anyOf": [{"type": "string", "minLength": 2, "pattern": "^a"}, {"type": "number", "maximum": 2.5}]}),
    obj(f={"type": "string", "format": "uri"}, n={"type": "number", "format": "double"}, z={"type": "null"}),
]
RESULTS = [CallResult("c1", "get_order", {"id": 1}), CallResult("c2", "fail", "It failed.", is_error=True)]
ADDITIONS = ["Only look at the user's own orders."]


def make_request(format_name: str, messages: Any, base: Any = "Be brief.") -> Any:
    format_ = get_format(format_name)
    prompted = format_.merge_prompt(messages=messages, prompt=None, base=base, additions=ADDITIONS)
    tools = [export(format_name, schema, name=f"tool_{index}") for index, schema in enumerate(AWKWARD)]
    fields = format_.tools_request([], tools)
    joined = dict(prompted.request)
    for key, value in fields.items():
        present = joined.get(key)
        joined[key] = {**present, **value} if isinstance(present, dict) and isinstance(value, dict) else value
    return joined


@pytest.mark.parametrize("parameters", AWKWARD)
def test_google_genai__function_declaration__is_taken(parameters: Any) -> None:
    types = pytest.importorskip("google.genai.types")
    payload = export("gemini", parameters).payload
    declaration = types.FunctionDeclaration.model_validate(payload)
    assert declaration.name == "get_order"
    assert (declaration.parameters is None) is ("parameters" not in payload)


def test_google_genai__request__is_taken() -> None:
    types = pytest.importorskip("google.genai.types")
    history = [
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "get_order", "args": {}}}]},
        *get_format("gemini").write_results(RESULTS),
    ]
    request = make_request("gemini", history)
    assert set(request) == {"contents", "config"}
    config = types.GenerateContentConfig.model_validate(request["config"])
    assert config.system_instruction == f"Be brief.\n\n{ADDITIONS[0]}"
    assert len(config.tools[0].function_declarations) == len(AWKWARD)
    for content in request["contents"]:
        types.Content.model_validate(content)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("parameters", AWKWARD)
def test_openai__tools__are_taken(parameters: Any, strict: bool) -> None:
    pytest.importorskip("openai")
    from openai.types.chat import ChatCompletionFunctionToolParam
    from openai.types.responses import FunctionToolParam
    from pydantic import TypeAdapter

    chat = export("openai_chat", parameters, strict=strict)
    TypeAdapter(ChatCompletionFunctionToolParam).validate_python(chat.payload, extra="forbid")
    responses = export("openai_responses", parameters, strict=strict)
    TypeAdapter(FunctionToolParam).validate_python(responses.payload, extra="forbid")
    assert responses.payload["strict"] is ("not_strict" not in codes(responses) and strict)


def test_openai__messages_and_items__are_taken() -> None:
    pytest.importorskip("openai")
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.responses import ResponseInputItemParam
    from pydantic import TypeAdapter

    for message in get_format("openai_chat").write_results(RESULTS):
        TypeAdapter(ChatCompletionMessageParam).validate_python(message)
    for message in make_request("openai_chat", [{"role": "user", "content": "hi"}])["messages"]:
        TypeAdapter(ChatCompletionMessageParam).validate_python(message)
    request = make_request("openai_responses", [{"role": "user", "content": "hi"}])
    for item in [*request["input"], *get_format("openai_responses").write_results(RESULTS)]:
        TypeAdapter(ResponseInputItemParam).validate_python(item)
    assert isinstance(request["instructions"], str)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("parameters", AWKWARD)
def test_anthropic__tool__is_taken(parameters: Any, strict: bool) -> None:
    pytest.importorskip("anthropic")
    from anthropic.types import ToolParam
    from pydantic import TypeAdapter

    TypeAdapter(ToolParam).validate_python(export("anthropic", parameters, strict=strict).payload, extra="forbid")


def test_anthropic__request__is_taken() -> None:
    pytest.importorskip("anthropic")
    from anthropic.types import MessageParam, TextBlockParam
    from pydantic import TypeAdapter

    block = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    request = make_request("anthropic", [{"role": "user", "content": "hi"}], base=[block])
    for system_block in request["system"]:
        TypeAdapter(TextBlockParam).validate_python(system_block)
    for message in [*request["messages"], *get_format("anthropic").write_results(RESULTS)]:
        TypeAdapter(MessageParam).validate_python(message)


@pytest.mark.parametrize(
    "messages", [[{"role": "user", "content": [{"text": "hi"}]}], [{"role": "user", "content": "hi"}]]
)
def test_botocore__converse_request__is_taken(messages: Any) -> None:
    session = pytest.importorskip("botocore.session")
    from botocore.validate import ParamValidator

    model = session.get_session().get_service_model("bedrock-runtime").operation_model("Converse")
    request = make_request("bedrock", messages)
    request["messages"] = [*request["messages"], *get_format("bedrock").write_results(RESULTS)]
    report = ParamValidator().validate({"modelId": "m", **request}, model.input_shape)
    assert report.generate_report() == ""
    empty = get_format("bedrock").merge_prompt(messages=messages, prompt=None, base=None, additions=[])
    report = ParamValidator().validate({"modelId": "m", **empty.request}, model.input_shape)
    assert report.generate_report() == ""


@pytest.mark.parametrize("parameters", AWKWARD)
def test_mcp__tool__is_taken(parameters: Any) -> None:
    types = pytest.importorskip("mcp.types")
    payload = export("mcp", parameters, title="Order", annotations={"readOnlyHint": True}).payload
    tool = types.Tool.model_validate(payload)
    assert tool.model_dump(by_alias=True, exclude_none=True) == payload


def test_mcp__results__are_taken() -> None:
    types = pytest.importorskip("mcp.types")
    for result in get_format("mcp").write_results(RESULTS):
        types.CallToolResult.model_validate(result)
