"""Which tool names an answer carries, and how results are written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcatalog.contract.conversation import Role
from toolcatalog.formats import CallResult, get_format
from toolcatalog.formats._answers import make_answer, read_names

from .support import ALL

TEXT = {"type": "text", "text": '["a", "b"]'}


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ('["a", "b"]', ("a", "b")),
        (' ["a", "b"]\n', ("a", "b")),
        (["a", "b"], ("a", "b")),
        ([TEXT], ("a", "b")),
        ([{"type": "text", "text": '["a",'}, {"type": "text", "text": '"b"]'}], ("a", "b")),
        (json.dumps([TEXT]), ("a", "b")),
        ('{"tools": [{"name": "a"}, {"name": "b"}]}', ("a", "b")),
        ({"tools": [{"name": "a"}, "b"]}, ("a", "b")),
        ({"found": 2, "tools": [{"name": "a", "input_schema": {}}, {"name": "b"}]}, ("a", "b")),
        ([{"type": "text", "text": '{"tools": [{"name": "a"}, {"name": "b"}]}'}], ("a", "b")),
        ([{"type": "tool_reference", "tool_name": "a"}, {"type": "tool_reference", "tool_name": "b"}], ("a", "b")),
        ("[]", ()),
        ([], ()),
        ({"tools": []}, ()),
    ],
)
def b_R5_names_are_read_in_every_form(content: Any, names: tuple[str, ...]) -> None:
    assert make_answer("c", content).names == names


@pytest.mark.parametrize(
    "content",
    [
        "The search failed.",
        "",
        None,
        '"a"',
        "a",
        '["a"',
        "5",
        '{"error": "x", "suggestion": "y"}',
        {"tools": "a"},
        {"names": ["a"]},
        [{"type": "text", "text": "No tool fits."}],
        "[" * 100_000,
        True,
        5,
    ],
)
def b_R4_what_is_no_list_of_names_is_none(content: Any) -> None:
    assert make_answer("c", content).names is None


def b_R4_error_is_no_list_of_names() -> None:
    assert make_answer("c", '["a"]', is_error=True).names is None


def b_R6_repeated_and_foreign_members_are_skipped() -> None:
    assert read_names(["b", 5, None, "a", {"x": 1}, "b", " ", ["a"], True]) == ("b", "a")
    assert read_names({"tools": [{"name": "b"}, {"name": 5}, {}, 7, {"name": "b"}, {"name": "a"}]}) == ("b", "a")


def test_answer__content__is_json_where_it_was_json() -> None:
    assert make_answer("c", '{"a": 1}').content == {"a": 1}
    assert make_answer("c", [{"type": "text", "text": '{"a": 1}'}]).content == {"a": 1}
    assert make_answer("c", "plain").content == "plain"


RESULTS = [
    CallResult("c1", "find", ["a", "b"]),
    CallResult("c2", "get", {"id": 1}),
    CallResult("c3", "say", "hello"),
    CallResult("c4", "fail", "It failed.", is_error=True),
]


@pytest.mark.parametrize("format_name", [name for name in ALL if name != "mcp"])
def b_T10_results_come_back_as_they_were_written(format_name: str) -> None:
    format_ = get_format(format_name)
    read = format_.read_messages(format_.write_results(RESULTS))
    answers = [answer for message in read for answer in message.answers]
    assert all(message.role is Role.TOOL for message in read)
    assert [answer.call_id for answer in answers] == ["c1", "c2", "c3", "c4"]
    assert [answer.content for answer in answers] == [result.value for result in RESULTS]
    assert answers[0].names == ("a", "b")
    assert answers[3].names is None


@pytest.mark.parametrize("format_name", ["anthropic", "gemini", "bedrock"])
def test_results__where_the_vendor_wants_one_message__are_one(format_name: str) -> None:
    messages = get_format(format_name).write_results(RESULTS)
    assert len(messages) == 1
    assert messages[0]["role"] == "user"


@pytest.mark.parametrize("format_name", ["generic", "openai_chat", "openai_responses", "mcp"])
def test_results__elsewhere__are_one_message_each(format_name: str) -> None:
    assert len(get_format(format_name).write_results(RESULTS)) == 4


def test_results__the_exact_forms() -> None:
    find, get, _, fail = RESULTS
    assert get_format("openai_chat").write_results([find]) == (
        {"role": "tool", "tool_call_id": "c1", "content": '["a","b"]'},
    )
    assert get_format("openai_responses").write_results([find]) == (
        {"type": "function_call_output", "call_id": "c1", "output": '["a","b"]'},
    )
    assert get_format("anthropic").write_results([fail])[0]["content"] == [
        {"type": "tool_result", "tool_use_id": "c4", "content": "It failed.", "is_error": True}
    ]
    assert get_format("bedrock").write_results([get, fail])[0]["content"] == [
        {"toolResult": {"toolUseId": "c2", "content": [{"json": {"id": 1}}]}},
        {"toolResult": {"toolUseId": "c4", "content": [{"text": "It failed."}], "status": "error"}},
    ]


def fmt_S31_gemini_result_has_the_exported_name() -> None:
    written = get_format("gemini").write_results([CallResult("c1", "get_order", {"id": 1}), CallResult("f", "f", 2)])
    assert written[0]["parts"] == [
        {"functionResponse": {"id": "c1", "name": "get_order", "response": {"output": {"id": 1}}}},
        {"functionResponse": {"name": "f", "response": {"output": 2}}},
    ]
    failed = get_format("gemini").write_results([RESULTS[3]])[0]["parts"]
    assert failed == [{"functionResponse": {"id": "c4", "name": "fail", "response": {"error": "It failed."}}}]


def fmt_S32_no_structured_content_on_errors() -> None:
    _, get, say, fail = RESULTS
    answers = get_format("mcp").write_results([get, say, fail, CallResult("c", "f", {"a": 1}, is_error=True)])
    assert answers[0] == {
        "content": [{"type": "text", "text": '{"id":1}'}],
        "isError": False,
        "structuredContent": {"id": 1},
    }
    assert ["structuredContent" in answer for answer in answers] == [True, False, False, False]
    assert [answer["isError"] for answer in answers] == [False, False, True, True]


@pytest.mark.parametrize("format_name", ALL)
def test_results__too_deep_to_be_sent__say_so(format_name: str) -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    written = get_format(format_name).write_results([CallResult("c", "f", deep)])
    assert len(str(json.dumps(written))) < 500


@pytest.mark.parametrize("value", ["", "  \n", "\u200b", []])
def test_write_results__bedrock__has_no_blank_text(value: Any) -> None:
    """Converse refuses a block whose text is blank, and with it the conversation from then on."""
    message: Any = get_format("bedrock").write_results([CallResult("c", "f", value)])[0]
    (block,) = message["content"][0]["toolResult"]["content"]
    assert block["text"].strip()
