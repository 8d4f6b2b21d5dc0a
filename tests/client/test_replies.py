"""What the vendors' SDKs return, and what of it goes back to the vendor. Objects are those of the installed SDKs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcatalog.client import (
    CallReport,
    ToolCallsAnswer,
    UnhandledCall,
    UnreadableReply,
    read_reply,
    write_answers,
)

from .models import MODELS, AnthropicModel, BedrockModel, ChatModel, GeminiModel, Model, ResponsesModel

CALLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("c-1", "toolSearch", {"query": "订单", "category": None}),
    ("c-2", "get_order", {}),
)


def as_sdk_object(kind: type[Model], raw: dict[str, Any]) -> Any:
    """The raw answer as the vendor's SDK gives it to its caller."""
    if kind is ChatModel:
        return pytest.importorskip("openai.types.chat").ChatCompletion.model_validate(raw)
    if kind is ResponsesModel:
        return pytest.importorskip("openai.types.responses").Response.model_validate(raw)
    if kind is AnthropicModel:
        return pytest.importorskip("anthropic.types").Message.model_validate(raw)
    if kind is BedrockModel:
        return raw  # what its SDK gives is a dict
    return pytest.importorskip("google.genai.types").GenerateContentResponse.model_validate(raw)


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_reply__object_of_the_sdk_or_its_dict__is_read_alike(kind: type[Model]) -> None:
    raw = kind(()).write_calls(CALLS)
    from_object = read_reply(as_sdk_object(kind, raw), kind.format)
    from_dict = read_reply(raw, kind.format)
    assert from_object.calls == from_dict.calls
    assert [call.name for call in from_object.calls] == ["toolSearch", "get_order"]
    assert from_object.has_ids == (kind is not GeminiModel)
    assert without_none(from_object.messages) == without_none(from_dict.messages)


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_reply__text__is_the_end(kind: type[Model]) -> None:
    reply = read_reply(as_sdk_object(kind, kind(()).write_text("你好")), kind.format)
    assert (reply.text, reply.calls, reply.paused) == ("你好", (), False)


def test_reply__arguments_that_are_null__stay_for_the_catalog_to_read() -> None:
    reply = read_reply(as_sdk_object(AnthropicModel, AnthropicModel(()).write_calls(CALLS)), "anthropic")
    assert reply.messages[0]["content"][1]["input"] == {"query": "订单", "category": None}


def test_reply__only_the_message__is_enough() -> None:
    message = ChatModel(()).write_calls(CALLS)["choices"][0]["message"]
    openai = pytest.importorskip("openai.types.chat")
    assert read_reply(openai.ChatCompletionMessage.model_validate(message)).calls == read_reply(message).calls


def test_reply__of_chat__goes_back_without_what_is_empty_and_with_what_the_vendor_wants() -> None:
    call = {
        "index": 0,
        "id": "c-1",
        "type": "function",
        "function": {"name": "f", "arguments": "{}", "parsed_arguments": {}},
        "extra_content": {"google": {"thought_signature": "abc"}},
    }
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "annotations": [],
        "parsed": {},
        "tool_calls": [call],
    }
    kept = {
        "id": "c-1",
        "type": "function",
        "function": {"name": "f", "arguments": "{}"},
        "extra_content": {"google": {"thought_signature": "abc"}},
    }
    assert read_reply(message).messages == ({"role": "assistant", "content": None, "tool_calls": [kept]},)


def test_reply__of_responses__keeps_reasoning_between_the_calls() -> None:
    reply = read_reply(as_sdk_object(ResponsesModel, ResponsesModel(()).write_calls(CALLS)), "openai_responses")
    assert [item["type"] for item in reply.messages] == ["reasoning", "function_call", "function_call"]
    assert reply.messages[0]["encrypted_content"] == "abc"
    assert "status" not in reply.messages[0]


def test_reply__of_gemini__keeps_the_signatures_of_thoughts() -> None:
    reply = read_reply(as_sdk_object(GeminiModel, GeminiModel(()).write_calls(CALLS)), "gemini")
    (content,) = reply.messages
    assert [part.get("thoughtSignature") for part in content["parts"]] == [None, "aGVsbG8=", "aGVsbG8="]
    again = pytest.importorskip("google.genai.types").Content.model_validate(content)
    assert again.parts[1].thought_signature == b"hello"


@pytest.mark.parametrize(
    "empty",
    [
        {"role": "assistant", "content": [], "stop_reason": "end_turn"},
        {"role": "assistant", "content": [{"type": "text", "text": ""}]},
    ],
)
def test_reply__of_anthropic_that_is_empty__is_not_put_into_the_conversation(empty: dict[str, Any]) -> None:
    reply = read_reply(empty, "anthropic")
    assert (reply.messages, reply.text) == ((), "")


@pytest.mark.parametrize(
    "blocked", [{"candidates": []}, {"candidates": [{"finishReason": "SAFETY"}]}, {"candidates": [{"content": {}}]}]
)
def test_reply__of_gemini_that_was_blocked__says_nothing(blocked: dict[str, Any]) -> None:
    reply = read_reply(blocked, "gemini")
    assert (reply.messages, reply.calls, reply.text) == ((), (), "")


@pytest.mark.parametrize("part", ["whole", "output", "message"])
def test_reply__of_bedrock__in_each_form_is_read_without_blank_texts(part: str) -> None:
    blocks = [{"text": " "}, {"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}}]
    use = {"toolUse": {"toolUseId": "u-1", "name": "f", "input": {}}}
    message = {"role": "assistant", "content": [*blocks, use]}
    forms = {"message": message, "output": {"message": message}, "whole": {"output": {"message": message}}}
    reply = read_reply(forms[part], "bedrock")
    assert reply.messages == ({"role": "assistant", "content": [blocks[1], use]},)
    assert [(call.id, call.name) for call in reply.calls] == [("u-1", "f")]


@pytest.mark.parametrize("reply", [{}, {"output": {}}, {"role": "user", "content": []}, {"content": "text"}, []])
def test_reply__of_bedrock_that_is_none__is_said(reply: Any) -> None:
    with pytest.raises(UnreadableReply):
        read_reply(reply, "bedrock")


def test_reply__of_gemini_interactions__is_told_from_generate_content() -> None:
    thought = {"type": "thought", "signature": "aGVsbG8="}
    call = {"type": "function_call", "id": "c-1", "name": "toolSearch", "arguments": {}}
    said = {"type": "model_output", "content": [{"type": "text", "text": "hi"}]}
    reply = read_reply({"id": "i-1", "status": "requires_action", "steps": [thought, call, said]}, "gemini")
    assert reply.messages == (thought, call, said)
    assert (reply.text, [one.name for one in reply.calls], reply.has_ids) == ("hi", ["toolSearch"], True)


def without_none(value: Any) -> Any:
    """SDKs leave out what is null, at the levels that they know."""
    return json.loads(json.dumps(value), object_pairs_hook=lambda pairs: {k: v for k, v in pairs if v is not None})


# Answers of several kinds in one round


def test_write_answers__ids_repeat__each_call_gets_its_own() -> None:
    """Gemini's calls have no ids: those of one name share it."""
    reply = read_reply(GeminiModel(()).write_calls([("", "a", {}), ("", "b", {}), ("", "a", {})]), "gemini")
    message = {"role": "user", "parts": [{"functionResponse": {"name": "a", "response": {"output": 1}}}]}
    answer = ToolCallsAnswer(
        messages=(),
        unhandled=(UnhandledCall("b", "b", "b", {}),),
        results=(
            CallReport("a", "a", "ok", 1, 1, message),
            CallReport("a", "a", "ok", 2, 1, json.loads(json.dumps(message).replace("1", "2"))),
        ),
        notices=(),
    )
    (content,) = write_answers(reply, answer, {"b": "own"}, "gemini")
    outputs = [part["functionResponse"]["response"]["output"] for part in content["parts"]]
    assert outputs == [1, "own", 2]


def test_write_answers__error_of_anthropic__is_marked() -> None:
    reply = read_reply(AnthropicModel(()).write_calls(CALLS[:1]), "anthropic")
    answer = ToolCallsAnswer((), (UnhandledCall("c-1", "f", "f", {}),), (), ())
    (message,) = write_answers(reply, answer, {"c-1": ValueError("no")}, "anthropic")
    (block,) = message["content"]
    assert (block["is_error"], block["content"]) == (True, "The tool failed: no")


def test_write_answers__of_bedrock__objects_as_json_and_errors_marked() -> None:
    reply = read_reply(BedrockModel(()).write_calls(CALLS), "bedrock")
    calls = (UnhandledCall("c-1", "f", "f", {}), UnhandledCall("c-2", "g", "g", {}))
    results = {"c-1": {"a": 1}, "c-2": ValueError("no")}
    (message,) = write_answers(reply, ToolCallsAnswer((), calls, (), ()), results, "bedrock")
    assert [block["toolResult"] for block in message["content"]] == [
        {"toolUseId": "c-1", "content": [{"json": {"a": 1}}]},
        {"toolUseId": "c-2", "content": [{"text": "The tool failed: no"}], "status": "error"},
    ]


def test_write_answers__custom_tool_of_responses__is_answered_in_kind() -> None:
    """The vendor refuses an answer of another kind than the call."""
    output = [
        {"type": "custom_tool_call", "id": "i-1", "call_id": "c-1", "name": "sql", "input": "select 1"},
        {"type": "function_call", "id": "i-2", "call_id": "c-2", "name": "f", "arguments": "{}"},
    ]
    reply = read_reply({"output": output}, "openai_responses")
    calls = (UnhandledCall("c-1", "sql", "sql", {"input": "select 1"}), UnhandledCall("c-2", "f", "f", {}))
    answer = ToolCallsAnswer((), calls, (), ())
    assert write_answers(reply, answer, {"c-1": 1, "c-2": 2}, "openai_responses") == [
        {"type": "custom_tool_call_output", "call_id": "c-1", "output": "1"},
        {"type": "function_call_output", "call_id": "c-2", "output": "2"},
    ]


@pytest.mark.parametrize("value", ["", " \n"])
def test_write_answers__of_bedrock__no_text_is_blank(value: str) -> None:
    """Converse refuses blank text, and with it the conversation from then on."""
    reply = read_reply(BedrockModel(()).write_calls(CALLS[:1]), "bedrock")
    answer = ToolCallsAnswer((), (UnhandledCall("c-1", "f", "f", {}),), (), ())
    (message,) = write_answers(reply, answer, {"c-1": value}, "bedrock")
    (block,) = message["content"][0]["toolResult"]["content"]
    assert block["text"].strip()
