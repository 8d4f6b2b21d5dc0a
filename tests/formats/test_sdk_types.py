"""A second opinion: the vendors' own SDK types on what the exporters write. Each runs where its SDK is installed."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.formats import CallResult, DeferredTool, get_format

from .support import codes, export, make_tool, obj

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


def check(module: str, name: str, value: Any) -> None:
    """Validate a value against one of an SDK's typed dicts; members that the type does not have are an error."""
    kind = getattr(pytest.importorskip(module), name)
    pytest.importorskip("pydantic").TypeAdapter(kind).validate_python(value, extra="forbid")


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
    chat = export("openai_chat", parameters, strict=strict)
    check("openai.types.chat", "ChatCompletionFunctionToolParam", chat.payload)
    responses = export("openai_responses", parameters, strict=strict)
    check("openai.types.responses", "FunctionToolParam", responses.payload)
    assert responses.payload["strict"] is ("not_strict" not in codes(responses) and strict)


def test_openai__messages_and_items__are_taken() -> None:
    messages = make_request("openai_chat", [{"role": "user", "content": "hi"}])["messages"]
    for message in [*messages, *get_format("openai_chat").write_results(RESULTS)]:
        check("openai.types.chat", "ChatCompletionMessageParam", message)
    request = make_request("openai_responses", [{"role": "user", "content": "hi"}])
    for item in [*request["input"], *get_format("openai_responses").write_results(RESULTS)]:
        check("openai.types.responses", "ResponseInputItemParam", item)
    assert isinstance(request["instructions"], str)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("parameters", AWKWARD)
def test_anthropic__tool__is_taken(parameters: Any, strict: bool) -> None:
    check("anthropic.types", "ToolParam", export("anthropic", parameters, strict=strict).payload)


def test_anthropic__request__is_taken() -> None:
    block = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    request = make_request("anthropic", [{"role": "user", "content": "hi"}], base=[block])
    for system_block in request["system"]:
        check("anthropic.types", "TextBlockParam", system_block)
    for message in [*request["messages"], *get_format("anthropic").write_results(RESULTS)]:
        check("anthropic.types", "MessageParam", message)


@pytest.mark.parametrize(
    "messages", [[{"role": "user", "content": [{"text": "hi"}]}], [{"role": "user", "content": "hi"}]]
)
def test_botocore__converse_request__is_taken(messages: Any) -> None:
    session = pytest.importorskip("botocore.session")
    validator = pytest.importorskip("botocore.validate").ParamValidator()
    model = session.get_session().get_service_model("bedrock-runtime").operation_model("Converse")
    request = make_request("bedrock", messages)
    request["messages"] = [*request["messages"], *get_format("bedrock").write_results(RESULTS)]
    report = validator.validate({"modelId": "m", **request}, model.input_shape)
    assert report.generate_report() == ""
    empty = get_format("bedrock").merge_prompt(messages=messages, prompt=None, base=None, additions=[])
    report = validator.validate({"modelId": "m", **empty.request}, model.input_shape)
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


def find_natively(format_name: str) -> tuple[Any, Any]:
    """The tool list of native disclosure, and the answer of a search."""
    format_ = get_format(format_name).native_form()
    assert format_.native is not None
    tools = [
        format_.export_tool(make_tool(schema, name=f"t{index}"), f"t{index}") for index, schema in enumerate(AWKWARD)
    ]
    entry = format_.export_tool(make_tool(obj(query={"type": "string"}), name="toolSearch"), "toolSearch")
    deferred = tuple(DeferredTool(tool, "orders" if index % 2 else None) for index, tool in enumerate(tools))
    declared = format_.native.declare([], tools[:1], entry, deferred)
    return declared, format_.write_results([CallResult("c1", "toolSearch", [], found=deferred)])


def test_anthropic__native_form__is_taken() -> None:
    declared, answer = find_natively("anthropic")
    for tool in declared:
        check("anthropic.types", "ToolParam", tool)
    check("anthropic.types", "MessageParam", answer[0])


def test_openai__native_form__is_taken() -> None:
    declared, answer = find_natively("openai_responses")
    for tool in declared:
        check("openai.types.responses", "ToolParam", tool)
    check("openai.types.responses", "ResponseInputItemParam", answer[0])


def test_google_genai__native_form__is_taken() -> None:
    declared, answer = find_natively("gemini")
    interactions = pytest.importorskip("google.genai._gaos.types.interactions")
    adapter = pytest.importorskip("pydantic").TypeAdapter(interactions.Tool)
    assert [adapter.validate_python(tool).type for tool in declared] == ["function", "tool_search"]
    step = interactions.FunctionResultStep.model_validate(answer[0])
    assert {found.type for found in step.result} == {"function"}
