"""Messages of every dialect, read into one form."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.contract.conversation import Message, Role, ToolAnswer, ToolCall, find_last_user_text
from toolcatalog.formats import detect_format, get_format

from .conversations import CONVERSATIONS, FOUND, NEUTRAL, RESPONSES, SEARCH
from .support import ALL


def read_one(dialect: str, message: Any) -> Message:
    return get_format(dialect).read_messages([message])[0]


@pytest.mark.parametrize("dialect", CONVERSATIONS)
@pytest.mark.parametrize("asked", ALL)
def test_detect__a_dialect_with_calls__is_found_whatever_format_is_asked(dialect: str, asked: str) -> None:
    found = detect_format(CONVERSATIONS[dialect], get_format(asked))
    assert found.name == dialect
    assert found.read_messages(CONVERSATIONS[dialect]) == NEUTRAL


@pytest.mark.parametrize("asked", ALL)
def test_detect__responses_items__are_found_whatever_format_is_asked(asked: str) -> None:
    assert detect_format(RESPONSES, get_format(asked)).name == "openai_responses"


def test_responses__calls_of_one_answer__are_one_turn() -> None:
    read = get_format("openai_responses").read_messages(RESPONSES)
    assert len(read) == len(RESPONSES)
    assert read[2].calls == (SEARCH, ToolCall("c2", "current_time", {}))
    assert read[3].calls == ()
    assert read[4].answers == (FOUND,)
    assert read[5].answers == (ToolAnswer("c2", "noon", None),)
    assert read[6] == Message(Role.ASSISTANT, "It rains.")


def test_responses__calls_of_two_answers__stay_apart() -> None:
    items = [RESPONSES[2], RESPONSES[4], {**RESPONSES[2], "call_id": "c3"}]
    read = get_format("openai_responses").read_messages(items)
    assert [[call.call_id for call in message.calls] for message in read] == [["c1"], [], ["c3"]]


PLAIN = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]


@pytest.mark.parametrize("asked", ALL)
def test_detect__plain_messages__are_the_asked_dialect_or_openai_chat(asked: str) -> None:
    expected = "openai_chat" if asked in ("gemini", "bedrock") else asked
    found = detect_format(PLAIN, get_format(asked))
    assert found.name == expected
    assert found.read_messages(PLAIN) == (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "hi"))


@pytest.mark.parametrize("asked", ALL)
def test_detect__nothing__is_the_asked_format(asked: str) -> None:
    assert detect_format([], get_format(asked)).name == asked


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([{"role": "user", "content": [{"text": "hi"}]}], "bedrock"),
        ([{"role": "user", "content": [{"type": "text", "text": "hi"}]}], "generic"),
        ([{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}], "openai_responses"),
        ([{"type": "message", "role": "user", "content": "hi"}], "openai_responses"),
        ([{"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}], "anthropic"),
        ([{"role": "assistant", "content": [{"type": "server_tool_use", "name": "web_search"}]}], "anthropic"),
        ([{"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hi"}]}], "generic"),
        ([{"role": "user", "parts": []}], "gemini"),
        ([5, None, "x", {"content": 5}], "generic"),
    ],
)
def test_detect__telling_signs(messages: list[Any], expected: str) -> None:
    assert detect_format(messages, get_format("generic")).name == expected


def b_G8_text_parts_are_joined() -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {}}, {"type": "text", "text": "two"}]
    assert read_one("openai_chat", {"role": "user", "content": parts}) == Message(Role.USER, "one\ntwo", other_parts=1)


@pytest.mark.parametrize(
    ("dialect", "message"),
    [
        ("openai_chat", {"role": "user", "content": None}),
        ("openai_chat", {"role": "user", "content": ""}),
        ("openai_chat", {"role": "user", "content": []}),
        ("openai_chat", {"role": "user", "content": [{"type": "image_url"}]}),
        ("anthropic", {"role": "user", "content": [{"type": "image", "source": {}}]}),
        ("gemini", {"parts": [{"inlineData": {}}]}),
        ("bedrock", {"role": "user", "content": [{"image": {}}]}),
        ("openai_responses", {"role": "user", "content": [{"type": "input_image"}]}),
    ],
)
def b_G8_no_text_is_none(dialect: str, message: Any) -> None:
    read = read_one(dialect, message)
    assert read.role is Role.USER
    assert read.text is None


@pytest.mark.parametrize("dialect", CONVERSATIONS)
def b_G8_answers_are_no_user_message(dialect: str) -> None:
    read = get_format(dialect).read_messages(CONVERSATIONS[dialect])
    assert find_last_user_text(read) == "weather?"


def test_anthropic__results_with_text_beside__are_a_user_message() -> None:
    blocks = [{"type": "tool_result", "tool_use_id": "c1", "content": "[]"}, {"type": "text", "text": "and now?"}]
    read = read_one("anthropic", {"role": "user", "content": blocks})
    assert (read.role, read.text, read.answers) == (Role.USER, "and now?", (ToolAnswer("c1", [], ()),))


@pytest.mark.parametrize("blank", [None, "", "  "])
def b_R3_missing_or_blank_id_is_the_name(blank: Any) -> None:
    call = {"id": blank, "function": {"name": "toolSearch", "arguments": "{}"}}
    asked = read_one("openai_chat", {"role": "assistant", "tool_calls": [call]})
    told = read_one("openai_chat", {"role": "tool", "name": "toolSearch", "tool_call_id": blank, "content": "[]"})
    assert asked.calls[0].call_id == told.answers[0].call_id == "toolSearch"
    content = {"functionCall": {"id": blank, "name": "toolSearch"}}
    response = {"functionResponse": {"id": blank, "name": "toolSearch", "response": {"output": []}}}
    read = read_one("gemini", {"role": "model", "parts": [content, response]})
    assert read.calls[0].call_id == read.answers[0].call_id == "toolSearch"


def b_R3_older_function_messages() -> None:
    asked = read_one("openai_chat", {"role": "assistant", "function_call": {"name": "f", "arguments": '{"a": 1}'}})
    told = read_one("openai_chat", {"role": "function", "name": "f", "content": '["x"]'})
    assert asked.calls == (ToolCall("f", "f", {"a": 1}),)
    assert told.answers == (ToolAnswer("f", ["x"], ("x",)),)


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ("", {}),
        (None, {}),
        ("{}", {}),
        ('{"a": [1]}', {"a": [1]}),
        ({"a": 1}, {"a": 1}),
        ("[1]", None),
        ("{", None),
        ("null", None),
        ("5", None),
        (7, None),
        ('{"a": \ud800}', None),
        ('{"a":' * 100_000, None),
        ('{"a":' * 900 + "1" + "}" * 900, None),
    ],
)
def test_arguments__of_every_kind(arguments: Any, read: Any) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": arguments}}
    assert read_one("openai_chat", {"role": "assistant", "tool_calls": [call]}).calls[0].arguments == read


def test_anthropic__what_the_vendor_runs__is_no_call() -> None:
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
        {"type": "mcp_tool_use", "id": "m1", "name": "x", "input": {}},
    ]
    read = read_one("anthropic", {"role": "assistant", "content": blocks})
    assert (read.calls, read.answers, read.other_parts) == ((), (), 3)


def test_responses__what_the_vendor_runs__is_no_call() -> None:
    items: list[Any] = [
        {"type": "web_search_call", "id": "w"},
        {"type": "mcp_call", "id": "m", "name": "x"},
        {"type": "tool_search_call", "call_id": "t", "execution": "server", "arguments": {}},
        {"type": "item_reference", "id": "i"},
        {"type": "computer_call_output", "call_id": "c"},
    ]
    read = get_format("openai_responses").read_messages(items)
    assert all(not message.calls and not message.answers for message in read)
    assert [message.role for message in read] == [Role.ASSISTANT] * 4 + [Role.TOOL]


def test_gemini__snake_case_and_thoughts() -> None:
    parts = [
        {"text": "hm", "thought": True},
        {"text": "so"},
        {"function_call": {"name": "f", "args": None}, "thought_signature": "x"},
    ]
    read = read_one("gemini", {"role": "model", "parts": parts})
    assert (read.text, read.calls, read.other_parts) == ("so", (ToolCall("f", "f", {}),), 1)


@pytest.mark.parametrize("dialect", CONVERSATIONS)
def test_read_calls__the_assistant_message(dialect: str) -> None:
    assert get_format(dialect).read_calls(CONVERSATIONS[dialect][1]) == (SEARCH,)


def test_read_calls__lists_and_wholes() -> None:
    blocks = CONVERSATIONS["anthropic"][1]["content"]
    parts = CONVERSATIONS["gemini"][1]
    assert get_format("anthropic").read_calls(blocks) == (SEARCH,)
    assert get_format("gemini").read_calls(parts["parts"]) == (SEARCH,)
    assert get_format("gemini").read_calls({"content": parts, "finishReason": "STOP"}) == (SEARCH,)
    assert get_format("bedrock").read_calls({"message": CONVERSATIONS["bedrock"][1]}) == (SEARCH,)
    calls = (SEARCH, ToolCall("c2", "current_time", {}))
    assert get_format("openai_responses").read_calls(RESPONSES[1:4]) == calls
    assert get_format("openai_responses").read_calls({"output": RESPONSES[1:4]}) == calls
    assert get_format("openai_responses").read_calls(RESPONSES[2]) == (SEARCH,)


def test_read_calls__custom_tools__are_not_lost() -> None:
    chat: Any = {
        "role": "assistant",
        "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "f", "input": "x"}}],
    }
    item = {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"}
    expected = (ToolCall("c", "f", {"input": "x"}, is_callers=True),)
    assert get_format("openai_chat").read_calls(chat) == expected
    assert get_format("openai_responses").read_calls([item]) == expected


def test_read_calls__empty_list_beside_an_older_call__is_no_call_of_its_own() -> None:
    message: Any = {"role": "assistant", "tool_calls": [], "function_call": {"name": "f", "arguments": "{}"}}
    assert get_format("openai_chat").read_calls(message) == (ToolCall("f", "f", {}),)
