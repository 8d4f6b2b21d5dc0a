"""What every format has to do, whoever wrote it: run all of `CHECKS` against an object of yours.

Each check is a function of one format. The built-in formats run them in `test_conformance.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from toolcatalog.contract.conversation import Message, Role, find_last_user_text
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import dump_json
from toolcatalog.formats import CallResult, Format, NotExportable, check_exported, export_names, get_format

from .support import make_tool, obj

STRING = {"type": "string"}
NAMES = (
    "get_order",
    "a.b",
    "a/b",
    "a_b",
    "查询订单",
    "订单查询",
    "2fa_verify",
    "n" * 65,
    "n" * 103,
    "Create CIFS Share",
)
SCHEMAS: tuple[Any, ...] = (
    {},
    obj(city=STRING, days={"type": "integer", "default": 3}),
    obj(**{"城市": STRING, "filter[id]": STRING, "k" * 70: STRING}),
    obj(tags={"type": "array"}, x={"type": ["string", "null"]}, y={"const": 5}, z={"enum": [1, None, "a"]}),
    {**obj(node={"$ref": "#/$defs/N"}), "$defs": {"N": obj(next={"$ref": "#/$defs/N"})}},
    {**obj(a=STRING, b=STRING), "anyOf": [{"required": ["a"]}, {"required": ["b"]}], "$schema": "x"},
    {**obj(a=True, b={"not": {}}), "required": ["a", "c"], "if": {"required": ["a"]}, "then": obj(c=STRING)},
)
RESULTS = (CallResult("c1", "get_order", {"id": 1}), CallResult("c2", "fail", "It failed.", is_error=True))


def check_is_registered(format_: Format) -> None:
    assert get_format(format_.name) is format_
    assert format_.label


def check_names_are_legal_and_single(format_: Format) -> None:
    exported = export_names(format_, NAMES)
    assert exported == export_names(format_, reversed(NAMES))
    assert len(set(exported.values())) == len(NAMES)
    if format_.name_rule is not None:
        assert all(map(format_.name_rule.allows, exported.values()))
    for name in exported.values():
        format_.export_tool(make_tool(name="x"), name)


def check_tools_pass_the_checker(format_: Format) -> None:
    for schema in SCHEMAS:
        for strict in (False, True):
            first = format_.export_tool(make_tool(schema), "get_order", strict=strict)
            assert check_exported(format_.name, first.payload) == []
            assert orjson.loads(dump_json(first.payload)) == first.payload
            again = format_.export_tool(make_tool(schema), "get_order", strict=strict)
            assert dump_json(again.payload) == dump_json(first.payload)


def check_what_is_no_schema_is_refused(format_: Format) -> None:
    for schema in ({"type": "string"}, obj(x={"default": float("nan")}), obj(x={"title": "\ud800"})):
        with pytest.raises(NotExportable) as refused:
            format_.export_tool(make_tool(schema), "get_order")
        assert refused.value.finding.fatal


def check_callers_tools_are_read(format_: Format) -> None:
    (tool,) = format_.read_tools([{"name": "now", "description": "Tells the time.", "parameters": obj(zone=STRING)}])
    assert (tool.name, tool.description, tool.parameters) == ("now", "Tells the time.", obj(zone=STRING))
    assert check_exported(format_.name, format_.export_caller_tool(tool, "now").payload) == []


def check_tools_stand_in_the_request(format_: Format) -> None:
    assert format_.tools_request([], []) == {}
    tools = [format_.export_tool(make_tool(schema), f"t{index}") for index, schema in enumerate(SCHEMAS)]
    written = dump_json(format_.tools_request([], tools)).decode()
    assert all(f'"t{index}"' in written for index in range(len(SCHEMAS)))


def check_prompt_makes_a_conversation_that_is_read_back(format_: Format) -> None:
    prompted = format_.merge_prompt(messages=None, prompt="Where is it?", base=None, additions=["Be brief."])
    assert prompted.messages is None
    assert "Be brief." in dump_json(prompted.system_prompt).decode()
    assert "Be brief." in dump_json(prompted.request).decode()
    conversation = _find_conversation(format_, prompted.request)
    assert find_last_user_text(conversation) == "Where is it?"


def check_messages_keep_their_last_user_text_and_get_the_prompt_once(format_: Format) -> None:
    messages: list[Any] = [{"role": "user", "content": "Where is it?"}]
    first = format_.merge_prompt(messages=messages, prompt=None, base=None, additions=["Be brief."])
    assert messages == [{"role": "user", "content": "Where is it?"}]
    again = format_.merge_prompt(messages=first.messages, prompt=None, base=None, additions=["Be brief."])
    assert dump_json(again.request).count(b"Be brief.") == 1


def check_results_are_messages_that_are_read_back(format_: Format) -> None:
    messages = format_.write_results(RESULTS)
    assert messages
    assert orjson.loads(dump_json(messages)) == list(messages)
    try:
        read = format_.read_messages(messages)
    except InvalidInput:
        return  # results that are no messages, such as those of a protocol without a conversation
    answers = [answer for message in read for answer in message.answers]
    assert [answer.call_id for answer in answers] == ["c1", "c2"]


def _find_conversation(format_: Format, request: Any) -> tuple[Message, ...]:
    lists = [value for value in request.values() if isinstance(value, list)]
    conversation = format_.read_messages(lists[-1])
    assert conversation[-1].role is Role.USER
    return conversation


CHECKS: tuple[Callable[[Format], None], ...] = (
    check_is_registered,
    check_names_are_legal_and_single,
    check_tools_pass_the_checker,
    check_what_is_no_schema_is_refused,
    check_callers_tools_are_read,
    check_tools_stand_in_the_request,
    check_prompt_makes_a_conversation_that_is_read_back,
    check_messages_keep_their_last_user_text_and_get_the_prompt_once,
    check_results_are_messages_that_are_read_back,
)
