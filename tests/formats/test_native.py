"""The vendors' own deferred tools."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from toolcatalog.contract.conversation import Role, ToolCall
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import ExportedTool
from toolcatalog.contract.json import dump_json
from toolcatalog.formats import CallResult, DeferredTool, Format, NativeDisclosure, detect_format, get_format
from toolcatalog.formats.native import MAX_DEFERRED

from .support import make_tool, obj

NATIVE = ("anthropic", "openai_responses", "gemini")
QUERY = {**obj(query={"type": "string"}), "required": ["query"]}


def native_form(format_name: str) -> tuple[Format, NativeDisclosure]:
    format_ = get_format(format_name).native_form()
    assert format_.native is not None
    return format_, format_.native


def write(format_: Format, name: str, parameters: Any = None) -> ExportedTool:
    return format_.export_tool(make_tool(parameters or obj(city={"type": "string"}), name=name), name)


def make_deferred(format_: Format, *names: str, category: str | None = None) -> list[DeferredTool]:
    return [DeferredTool(write(format_, name), category) for name in names]


def find(format_name: str, *names: str, category: str | None = None) -> Any:
    format_, _ = native_form(format_name)
    found = tuple(make_deferred(format_, *names, category=category))
    return format_.write_results([CallResult("c1", "toolSearch", list(names), found=found)])


@pytest.mark.parametrize("format_name", ["generic", "openai_chat", "bedrock", "mcp"])
def b_N4_no_native_form_is_refused(format_name: str) -> None:
    assert get_format(format_name).has_native_disclosure is False
    with pytest.raises(InvalidInput) as caught:
        get_format(format_name).native_form()
    assert [(error.path, error.code) for error in caught.value.errors] == [("disclosure", "no_native_form")]
    assert "anthropic, gemini, openai_responses have" in caught.value.errors[0].message


@pytest.mark.parametrize("format_name", NATIVE)
def b_N4_native_forms_there_are(format_name: str) -> None:
    assert get_format(format_name).has_native_disclosure
    assert native_form(format_name)[0].name == format_name


def b_N1_anthropic_declares_what_may_be_found() -> None:
    format_, native = native_form("anthropic")
    visible, entry = write(format_, "now"), write(format_, "toolSearch", QUERY)
    deferred = make_deferred(format_, "get_order", "now", "send_mail")
    tools = native.declare([{"type": "web_search_20250305", "name": "web_search"}], [visible], entry, deferred)
    assert [tool["name"] for tool in tools] == ["web_search", "now", "toolSearch", "get_order", "send_mail"]
    assert [tool.get("defer_loading", False) for tool in tools] == [False, False, False, True, True]
    assert native.declares_deferred


@pytest.mark.parametrize("format_name", NATIVE)
def fmt_S35_search_tool_is_always_there_and_never_deferred(format_name: str) -> None:
    format_, native = native_form(format_name)
    entry = write(format_, "toolSearch", QUERY)
    tools = native.declare([], [], entry, make_deferred(format_, "get_order", "send_mail"))
    searches = [tool for tool in tools if tool.get("name") == "toolSearch" or tool.get("type") == "tool_search"]
    assert len(searches) == 1
    assert "defer_loading" not in searches[0]


def b_N5_deferred_declarations_have_a_cap_of_their_own() -> None:
    format_, native = native_form("anthropic")
    tool = write(format_, "t")
    deferred = [
        DeferredTool(ExportedTool(f"t{index}", {**tool.payload, "name": f"t{index}"}))
        for index in range(MAX_DEFERRED + 5)
    ]
    tools = native.declare([], [], write(format_, "toolSearch", QUERY), deferred)
    assert len(tools) == MAX_DEFERRED + 1
    assert tools[-1]["name"] == f"t{MAX_DEFERRED - 1}"


def b_N1_anthropic_search_answers_with_references() -> None:
    assert find("anthropic", "get_order", "send_mail") == (
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": [
                        {"type": "tool_reference", "tool_name": "get_order"},
                        {"type": "tool_reference", "tool_name": "send_mail"},
                    ],
                }
            ],
        },
    )


def b_N1_anthropic_empty_result_is_one_text_block() -> None:
    (block,) = find("anthropic")[0]["content"]
    assert [inner["type"] for inner in block["content"]] == ["text"]


@pytest.mark.parametrize("format_name", NATIVE)
@pytest.mark.parametrize("names", [("get_order", "send_mail"), ()])
def b_R5_native_answers_are_read_back(format_name: str, names: tuple[str, ...]) -> None:
    format_, _ = native_form(format_name)
    read = format_.read_messages(find(format_name, *names, category="orders"))
    (answer,) = [answer for message in read for answer in message.answers]
    assert answer.call_id == "c1"
    assert (answer.names or ()) == names


def b_N2_responses_declares_the_search_tool_only() -> None:
    format_, native = native_form("openai_responses")
    visible, entry = write(format_, "now"), write(format_, "toolSearch", QUERY)
    tools = native.declare([{"type": "web_search"}], [visible], entry, make_deferred(format_, "get_order"))
    assert tools == (
        {"type": "web_search"},
        visible.payload,
        {
            "type": "tool_search",
            "execution": "client",
            "description": "Looks an order up.",
            "parameters": QUERY,
        },
    )
    assert not native.declares_deferred


def b_N2_responses_found_tools_stand_in_namespaces() -> None:
    format_, _ = native_form("openai_responses")
    one, two, three, four = make_deferred(format_, "a", "b", "c", "d")
    found = (
        DeferredTool(one.tool, "orders", "All about orders."),
        two,
        DeferredTool(three.tool, "订单"),
        DeferredTool(four.tool, "orders", "All about orders."),
    )
    output: Any = format_.write_results([CallResult("c1", "tool_search", [], found=found)])[0]
    deferred = [{**item.tool.payload, "defer_loading": True} for item in found]
    assert {key: output[key] for key in ("type", "call_id", "execution")} == {
        "type": "tool_search_output",
        "call_id": "c1",
        "execution": "client",
    }
    orders, lone, chinese = output["tools"]
    assert orders == {
        "type": "namespace",
        "name": "orders",
        "description": "All about orders.",
        "tools": [deferred[0], deferred[3]],
    }
    assert lone == deferred[1]
    assert chinese["tools"] == [deferred[2]]
    assert chinese["name"].startswith("category_")
    assert "订单" in chinese["description"]


def b_N2_responses_search_calls_are_read_under_one_name() -> None:
    format_, native = native_form("openai_responses")
    item: Any = {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"query": "x"}}
    assert native.search_call_name == "tool_search"
    assert format_.read_calls([item]) == (ToolCall("c1", "tool_search", {"query": "x"}),)


def b_N3_gemini_declares_the_search_tool_only() -> None:
    format_, native = native_form("gemini")
    visible, entry = write(format_, "now"), write(format_, "toolSearch", QUERY)
    tools = native.declare([{"type": "google_search"}], [visible], entry, make_deferred(format_, "get_order"))
    assert tools == (
        {"type": "google_search"},
        {
            "type": "function",
            "name": "now",
            "description": "Looks an order up.",
            "parameters": obj(city={"type": "string"}),
        },
        {
            "type": "tool_search",
            "execution": "client",
            "name": "toolSearch",
            "description": "Looks an order up.",
            "parameters": QUERY,
        },
    )


def b_N3_gemini_search_is_answered_by_declarations() -> None:
    format_, _ = native_form("gemini")
    assert find("gemini", "get_order") == (
        {
            "type": "function_result",
            "call_id": "c1",
            "name": "toolSearch",
            "result": [write(format_, "get_order").payload],
        },
    )
    assert isinstance(find("gemini")[0]["result"], str)


STEPS: list[Any] = [
    {"type": "user_input", "content": [{"type": "text", "text": "weather?"}]},
    {"type": "thought", "signature": "x"},
    {"type": "function_call", "id": "c1", "name": "toolSearch", "arguments": {"query": "weather"}},
    {"type": "function_call", "id": "c2", "name": "now", "arguments": {}},
    *find("gemini", "getWeather"),
    {"type": "function_result", "call_id": "c2", "name": "now", "result": "noon"},
    {"type": "model_output", "content": [{"type": "text", "text": "It rains."}]},
]


@pytest.mark.parametrize("asked", ["generic", "gemini", "anthropic", "openai_responses"])
def b_N3_gemini_steps_are_recognised_and_read(asked: str) -> None:
    format_, _ = native_form("gemini")
    assert detect_format(STEPS, get_format(asked)) is format_
    read = format_.read_messages(STEPS)
    assert len(read) == len(STEPS)
    assert [message.role for message in read] == [
        Role.USER,
        Role.ASSISTANT,
        Role.ASSISTANT,
        Role.ASSISTANT,
        Role.TOOL,
        Role.TOOL,
        Role.ASSISTANT,
    ]
    assert read[2].calls == (ToolCall("c1", "toolSearch", {"query": "weather"}), ToolCall("c2", "now", {}))
    assert read[4].answers[0].names == ("getWeather",)
    assert read[5].answers[0].content == "noon"
    assert format_.read_calls({"steps": STEPS[1:4]}) == read[2].calls


def b_N3_gemini_steps_make_the_request() -> None:
    format_, _ = native_form("gemini")
    prompted = format_.merge_prompt(messages=STEPS, prompt=None, base="Be brief.", additions=["A"])
    assert prompted.request == {"system_instruction": "Be brief.\n\nA", "input": STEPS}
    prompted = format_.merge_prompt(messages=None, prompt="hi", base=None, additions=[])
    assert prompted.request == {"input": [{"type": "user_input", "content": [{"type": "text", "text": "hi"}]}]}


HISTORY: list[Any] = [
    {"role": "user", "content": "hi"},
    *find("anthropic", "get_order", "gone"),
    *find("anthropic", "gone"),
    {
        "role": "assistant",
        "content": [
            {
                "type": "tool_search_tool_result",
                "tool_use_id": "s1",
                "content": {
                    "type": "tool_search_tool_search_result",
                    "tool_references": [{"type": "tool_reference", "tool_name": "gone_too"}],
                },
            },
            {"type": "text", "text": "ok"},
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": []}]},
]


def b_N1_anthropic_stale_references_are_dropped() -> None:
    before = copy.deepcopy(HISTORY)
    kept = native_form("anthropic")[1].drop_stale(HISTORY, {"get_order"})
    assert before == HISTORY
    assert kept.dropped == ("gone", "gone_too")
    messages: Any = kept.messages
    assert messages[0] is HISTORY[0]
    assert messages[1]["content"][0]["content"] == [{"type": "tool_reference", "tool_name": "get_order"}]
    assert [block["type"] for block in messages[2]["content"][0]["content"]] == ["text"]
    assert messages[3]["content"][0]["content"]["tool_references"] == []
    assert messages[3]["content"][1] == {"type": "text", "text": "ok"}
    assert messages[4] is HISTORY[4]
    assert b"gone" not in dump_json(kept.messages)


def b_N1_anthropic_references_that_the_vendors_own_search_found_in_a_toolset__stay() -> None:
    """Which tools a toolset of an MCP server holds is known to the vendor alone."""
    toolset: Any = {"type": "mcp_toolset", "mcp_server_name": "crm", "default_config": {"defer_loading": True}}
    kept = native_form("anthropic")[1].drop_stale(HISTORY, {"get_order"}, vendor_entries=[toolset])
    assert kept.dropped == ("gone",)
    assert kept.messages[3] is HISTORY[3]


@pytest.mark.parametrize("format_name", NATIVE)
def b_N1_history_without_stale_references_stays_the_same(format_name: str) -> None:
    messages: list[Any] = [
        5,
        None,
        "x",
        {"content": 5},
        *find(format_name, "get_order", category="orders"),
        *find(format_name),
    ]
    kept = native_form(format_name)[1].drop_stale(messages, {"get_order"})
    assert kept.dropped == ()
    assert all(new is old for new, old in zip(kept.messages, messages, strict=True))


def test_drop_stale__responses__takes_definitions_and_empty_namespaces_out() -> None:
    messages = [*find("openai_responses", "a", "b", category="x"), *find("openai_responses", "b", category="y")]
    kept = native_form("openai_responses")[1].drop_stale(messages, {"a"})
    outputs: Any = kept.messages
    assert kept.dropped == ("b",)
    assert [[tool["name"] for tool in space["tools"]] for space in outputs[0]["tools"]] == [["a"]]
    assert outputs[1]["tools"] == []


def test_drop_stale__gemini__takes_definitions_out() -> None:
    kept = native_form("gemini")[1].drop_stale([*find("gemini", "a", "b"), *find("gemini", "b")], {"a"})
    results: Any = kept.messages
    assert kept.dropped == ("b",)
    assert [tool["name"] for tool in results[0]["result"]] == ["a"]
    assert isinstance(results[1]["result"], str)


def test_results__found_tools_in_a_format_without_native_form__are_the_value() -> None:
    tool = write(get_format("openai_chat"), "get_order")
    result = CallResult("c1", "toolSearch", ["get_order"], found=(DeferredTool(tool),))
    assert get_format("openai_chat").write_results([result])[0]["content"] == '["get_order"]'
