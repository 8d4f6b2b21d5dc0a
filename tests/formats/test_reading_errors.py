"""Messages that cannot be read, or are meant to hurt: an error with a path, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolcatalog.contract.conversation import Message
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.formats import detect_format, get_format

from .support import ALL


def read_one(dialect: str, message: Any) -> Message:
    return get_format(dialect).read_messages([message])[0]


@pytest.mark.parametrize(
    ("dialect", "message", "path"),
    [
        ("openai_chat", 5, "messages[0]"),
        ("openai_chat", {"role": "boss", "content": "x"}, "messages[0].role"),
        ("openai_chat", {"content": "x"}, "messages[0].role"),
        ("openai_chat", {"role": ["user"], "content": "x"}, "messages[0].role"),
        ("openai_chat", {"role": "user", "content": 5}, "messages[0].content"),
        ("openai_chat", {"role": "user", "content": [5]}, "messages[0].content[0]"),
        ("openai_chat", {"role": "user", "content": [{"type": "text"}]}, "messages[0].content[0].text"),
        ("openai_chat", {"role": "assistant", "tool_calls": {}}, "messages[0].tool_calls"),
        ("openai_chat", {"role": "assistant", "tool_calls": [{}]}, "messages[0].tool_calls[0].function"),
        (
            "openai_chat",
            {"role": "assistant", "tool_calls": [{"function": {"name": " "}}]},
            "messages[0].tool_calls[0].function.name",
        ),
        ("anthropic", {"role": "tool", "content": "x"}, "messages[0].role"),
        ("anthropic", {"role": "user", "content": [{"type": "text", "text": 5}]}, "messages[0].content[0].text"),
        ("anthropic", {"role": "user", "content": [{"type": "tool_use"}]}, "messages[0].content[0].name"),
        ("gemini", {"role": "assistant", "parts": []}, "messages[0].role"),
        ("gemini", {"role": "user"}, "messages[0].parts"),
        ("gemini", {"role": "user", "parts": [{"functionResponse": {}}]}, "messages[0].parts[0].name"),
        ("bedrock", {"role": "user", "content": "x"}, "messages[0].content"),
        ("bedrock", {"role": "user", "content": [{"toolUse": 5}]}, "messages[0].content[0].toolUse"),
        ("openai_responses", {"type": "function_call"}, "messages[0].name"),
        ("openai_responses", {"content": "x"}, "messages[0].role"),
    ],
)
def test_read__what_cannot_be_read__is_an_error_with_its_path(dialect: str, message: Any, path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_one(dialect, message)
    assert [error.path for error in caught.value.errors] == [path]


def test_read__several_errors__are_all_told() -> None:
    with pytest.raises(InvalidInput) as caught:
        get_format("openai_chat").read_messages([5, {"role": "user", "content": "x"}, {"role": "user", "content": 5}])
    assert [error.path for error in caught.value.errors] == ["messages[0]", "messages[2].content"]


HOSTILE: list[Any] = [
    None,
    5,
    "x",
    [],
    {},
    {"role": None},
    {"role": {}, "content": {}},
    {"type": []},
    {"type": {}, "role": "user"},
    {"role": "user", "parts": [None]},
    {"role": "user", "content": [[]]},
    {"role": "tool", "content": {"tools": 5}},
    {"role": "tool", "content": '{"tools": [{"name": ["x"]}, 5]}'},
    {"role": "tool", "content": "[" * 100_000},
    {"role": "tool", "content": "[" * 900 + "]" * 900},
    {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": "["}]},
    {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "tool_reference", "tool_name": {}}]}]},
    {"role": "user", "content": [{"toolResult": {"content": 5}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": [1]}}]},
    {"type": "tool_search_output", "execution": "client", "tools": [{"type": "namespace", "tools": 5}, 5]},
    {"type": "function_call_output", "output": {"a": 1}},
]


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("message", HOSTILE)
def test_read__hostile__raises_nothing_else(dialect: str, message: Any) -> None:
    format_ = get_format(dialect)
    detect_format([message], format_)
    paths = [
        *list_error_paths(lambda: format_.read_messages([message])),
        *list_error_paths(lambda: format_.read_calls(message)),
    ]
    assert all(path.startswith("message") for path in paths)


def list_error_paths(read: Callable[[], object]) -> list[str]:
    try:
        read()
    except InvalidInput as error:
        return [found.path for found in error.errors]
    return []


@pytest.mark.parametrize("dialect", ALL)
def test_read__deep_values__need_no_recursion(dialect: str) -> None:
    deep: Any = "x"
    for _ in range(50_000):
        deep = [deep]
    messages: list[Any] = [
        {"role": "user", "content": [{"type": "text", "text": "x", "more": deep}]},
        {"role": "tool", "name": "f", "content": deep},
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": deep}}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {"a": deep}}]},
    ]
    for message in messages:
        try:
            get_format(dialect).read_messages([message])
        except InvalidInput:
            continue


@pytest.mark.parametrize("dialect", ALL)
def test_read_calls__what_is_no_message__is_an_error_at_message(dialect: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        get_format(dialect).read_calls("x")
    assert caught.value.errors[0].path.startswith("message")
