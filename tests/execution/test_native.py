"""N1 to N5 through the API: the vendors' own deferred tools, from resolve over a search to the next resolve."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection

from tests.support import edit_profile, edit_tool, fact, make_group, make_many_tools, make_profile, make_tool
from toolcatalog.formats import check_exported
from toolcatalog.models import AgentProfile, Exposure, ExposureContent, Tool

from .agents import Agent
from .talks import Talk, names

NATIVE = ("anthropic", "openai_responses", "gemini")


def body_of(snapshot: str) -> dict[str, Any]:
    exposure = Exposure.objects.get(pk=snapshot)
    body: dict[str, Any] = json.loads(bytes(ExposureContent.objects.get(pk=exposure.snapshot_sha256).body))
    return body


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    return make_profile(agent.tenant, resident_tools=("nothing",))


# N1


def b_N1_anthropic__declares_all_that_may_be_found_and_something_that_is_not_deferred(
    agent: Agent, profile: AgentProfile
) -> None:
    talk = Talk(agent, "anthropic")
    talk.resolve()
    assert names(talk.tools)[:2] == ["nothing", "toolSearch"]
    assert all("defer_loading" not in tool for tool in talk.tools[:2])
    assert names(talk.tools)[2:] == sorted(names(talk.tools)[2:])
    assert "price" in names(talk.tools)
    assert all(tool["defer_loading"] is True for tool in talk.tools[2:])
    assert all(check_exported("anthropic", tool) == [] for tool in talk.tools)
    assert talk.answer["tool_names"] == ["nothing", "toolSearch"]


def b_N1_anthropic__search_answers_with_references_and_the_list_does_not_change(
    agent: Agent, profile: AgentProfile
) -> None:
    talk = Talk(agent, "anthropic")
    before = talk.resolve()["tools"]
    found = talk.search("cost of a parcel", maxResults=1)
    assert found == [{"type": "tool_reference", "tool_name": "price"}]
    after = talk.resolve()
    assert after["tools"] == before
    assert after["active_tools"] == ["price"]
    assert after["notices"] == []
    done = talk.call("price", {"weight": 2}, "c-1")
    assert done["results"][0]["result"] == {"yuan": 6, "days": None}


def b_N1_anthropic__nothing_found_is_one_text_block(agent: Agent, profile: AgentProfile) -> None:
    talk = Talk(agent, "anthropic")
    talk.resolve()
    found = talk.search("quantum chromodynamics")
    assert [block["type"] for block in found] == ["text"]
    assert talk.resolve()["active_tools"] == []


def b_N1_anthropic__error_is_a_text_the_model_can_read(agent: Agent, profile: AgentProfile) -> None:
    talk = Talk(agent, "anthropic")
    talk.resolve()
    told = talk.search("")
    assert isinstance(told, str)
    assert talk.messages[-1]["content"][0]["is_error"] is True


def references(messages: Any) -> list[str]:
    return [
        block["tool_name"]
        for message in messages
        if isinstance(message["content"], list)
        for result in message["content"]
        if result["type"] == "tool_result" and isinstance(result["content"], list)
        for block in result["content"]
        if block["type"] == "tool_reference"
    ]


@pytest.mark.parametrize("change", ["disabled", "restricted", "out of scope", "resident"])
def b_N1_anthropic__every_reference_is_declared(agent: Agent, profile: AgentProfile, change: str) -> None:
    talk = Talk(agent, "anthropic")
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    talk.resolve()
    talk.search("status of an order", "s-2")
    if change == "disabled":
        edit_tool(Tool.objects.get(owner=agent.tenant, name="price"), status="disabled")
    elif change == "restricted":
        make_group(agent.tenant, "paying", ["price"], fact("plan", "equals", "premium"), restricts_access=True)
    elif change == "out of scope":
        edit_profile(profile, search={"exclude_tools": ("price",)})
    else:
        edit_profile(profile, resident_tools=("nothing", "price"))
    answer = talk.resolve()
    kept = references(answer["request"]["messages"])
    assert set(kept) <= set(names(talk.tools))
    assert len(names(talk.tools)) == len(set(names(talk.tools)))
    stale = [notice["name"] for notice in answer["notices"] if notice["code"] == "stale_reference"]
    if change == "resident":
        assert (kept, stale) == (["price", "get_order"], [])
    else:
        assert (kept, stale) == (["get_order"], ["price"])
        assert references(talk.messages) == ["price", "get_order"]


def b_N1_anthropic__a_conversation_that_goes_on_inline__keeps_no_reference_to_what_is_not_sent(
    agent: Agent, profile: AgentProfile
) -> None:
    talk = Talk(agent, "anthropic")
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    talk.resolve()
    talk.search("status of an order", "s-2")
    answer = talk.resolve(disclosure="inline")
    assert names(talk.tools) == ["nothing", "toolSearch", "get_order"]
    assert references(answer["request"]["messages"]) == ["get_order"]


@pytest.mark.parametrize("end", ["inline", "meta", "nothing searchable"])
def b_N2_responses__a_conversation_that_goes_on_without_native_search__has_no_item_of_it(
    agent: Agent, profile: AgentProfile, end: str
) -> None:
    """Such items stand only in requests that declare the vendor's search tool."""
    talk = Talk(agent, "openai_responses")
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    talk.resolve()
    before = json.dumps(talk.messages)
    if end == "nothing searchable":
        edit_profile(profile, search={"enabled": False})
    answer = talk.resolve(disclosure="native" if end == "nothing searchable" else end)
    assert not any(tool["type"] == "tool_search" for tool in talk.tools)
    _, call, output = answer["request"]["input"]
    assert (call["type"], call["call_id"], call["name"]) == ("function_call", "s-1", "toolSearch")
    assert json.loads(call["arguments"]) == {"query": "cost of a parcel", "maxResults": 1}
    assert (output["type"], output["call_id"]) == ("function_call_output", "s-1")
    assert output["output"] == ("[]" if end == "nothing searchable" else '["price"]')
    assert json.dumps(talk.messages) == before
    if end == "inline":
        assert "price" in names(talk.tools)


def b_N1_anthropic__beyond_the_cap__what_was_found_stays_declared(agent: Agent, profile: AgentProfile) -> None:
    make_many_tools(agent.tenant, [f"a_tool_{number:04}" for number in range(1005)])
    talk = Talk(agent, "anthropic")
    answer = talk.resolve()
    deferred = [tool for tool in talk.tools if tool.get("defer_loading")]
    assert len(deferred) == 1000
    assert "price" not in names(deferred)
    body = body_of(answer["snapshot"]["id"])
    assert body["deferred"] == names(deferred)
    assert [tool["name"] for tool in body["tools"]] == ["nothing", "toolSearch"]
    assert body["found"] == []
    assert talk.search("cost of a parcel", maxResults=1) == [{"type": "tool_reference", "tool_name": "price"}]
    talk.resolve()
    assert "price" in names(talk.tools)
    assert len(talk.tools) == 1002
    talk.search("status of an order", "s-2", maxResults=1)
    answer = talk.resolve()
    assert set(references(answer["request"]["messages"])) == {"price", "get_order"} <= set(names(talk.tools))


# N2


def b_N2_responses__the_search_tool_is_sent_once_and_nothing_else_of_the_catalog(
    agent: Agent, profile: AgentProfile
) -> None:
    talk = Talk(agent, "openai_responses")
    talk.resolve()
    assert names(talk.tools) == ["nothing", "tool_search"]
    search = talk.tools[1]
    assert (search["type"], search["execution"]) == ("tool_search", "client")
    assert search["parameters"]["required"] == ["query"]
    assert "toolSearch" not in names(talk.tools)


def b_N2_responses__output_holds_only_what_was_found(agent: Agent, profile: AgentProfile) -> None:
    talk = Talk(agent, "openai_responses")
    before = talk.resolve()["tools"]
    output = talk.search("cost of a parcel", maxResults=1)
    assert (output["type"], output["call_id"], output["execution"]) == ("tool_search_output", "s-1", "client")
    (space,) = output["tools"]
    assert (space["type"], space["name"]) == ("namespace", "freight")
    (tool,) = space["tools"]
    assert (tool["name"], tool["defer_loading"]) == ("price", True)
    assert check_exported("openai_responses", tool) == []
    assert talk.resolve()["tools"] == before
    assert talk.call("price", {"weight": 1}, "c-1")["results"][0]["status"] == "ok"


@pytest.mark.parametrize("query", ["", "quantum chromodynamics"])
def b_N2_responses__a_search_is_answered_by_an_output_of_a_search_whatever_came_of_it(
    agent: Agent, profile: AgentProfile, query: str
) -> None:
    talk = Talk(agent, "openai_responses")
    talk.resolve()
    output = talk.search(query)
    assert (output["type"], output["call_id"], output["tools"]) == ("tool_search_output", "s-1", [])
    assert output["status"] == ("completed" if query else "incomplete")
    assert talk.resolve()["active_tools"] == []


def b_N2_responses__definition_of_what_may_not_be_had_any_more__leaves_the_history(
    agent: Agent, profile: AgentProfile
) -> None:
    talk = Talk(agent, "openai_responses")
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    edit_tool(Tool.objects.get(owner=agent.tenant, name="price"), status="disabled")
    answer = talk.resolve()
    assert "price" not in json.dumps(answer["request"]["input"][-1])
    assert [notice["name"] for notice in answer["notices"]] == ["price"]


def b_N2_responses__inline__a_tool_called_tool_search_is_the_callers(agent: Agent, profile: AgentProfile) -> None:
    answer = agent.resolve(format="openai_responses", tools=[{"name": "tool_search", "description": "Mine"}])
    message = [{"type": "function_call", "call_id": "a", "name": "tool_search", "arguments": "{}"}]
    done = agent.run_calls(message, format="openai_responses", snapshot_id=answer["snapshot"]["id"])
    assert [call["name"] for call in done["unhandled"]] == ["tool_search"]


# N3


def b_N3_gemini__tool_search_answered_by_a_function_result_of_declarations(agent: Agent, profile: AgentProfile) -> None:
    talk = Talk(agent, "gemini")
    before = talk.resolve()["tools"]
    assert [(tool["type"], tool["name"]) for tool in talk.tools] == [
        ("function", "nothing"),
        ("tool_search", "toolSearch"),
    ]
    assert talk.tools[1]["execution"] == "client"
    (tool,) = talk.search("cost of a parcel", maxResults=1)
    assert (tool["type"], tool["name"]) == ("function", "price")
    assert talk.messages[-1]["type"] == "function_result"
    assert talk.resolve()["tools"] == before
    assert talk.call("price", {"weight": 1}, "c-1")["results"][0]["status"] == "ok"


# N4


@pytest.mark.parametrize("format_name", ["openai_chat", "bedrock", "mcp", "generic"])
def b_N4_format_without_a_native_form__is_refused(agent: Agent, profile: AgentProfile, format_name: str) -> None:
    answer = agent.api.post("/resolve", {"prompt": "x", "format": format_name, "disclosure": "native"})
    assert answer.status_code == 422
    assert [(one["path"], one["code"]) for one in answer.json()["errors"]] == [("disclosure", "no_native_form")]
    edit_profile(profile, disclosure="native")
    assert agent.api.post("/resolve", {"prompt": "x", "format": format_name}).status_code == 422


def b_N4_tool_calls_in_another_format_than_the_snapshot__are_refused(agent: Agent, profile: AgentProfile) -> None:
    talk = Talk(agent, "anthropic")
    snapshot = talk.resolve()["snapshot"]["id"]
    answer = agent.send_calls({"role": "assistant", "content": "x"}, format="openai_chat", snapshot_id=snapshot)
    assert answer.status_code == 422


# N5


def b_N5_deferred_tools__do_not_count_to_max_tools(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, max_tools=2)
    talk = Talk(agent, "anthropic")
    answer = talk.resolve()
    assert len(talk.tools) > 2
    assert answer["omitted"] == []
    assert answer["usage"]["snapshot_tokens"] < answer["usage"]["catalog_tokens"]


@pytest.mark.parametrize("format_name", NATIVE)
def b_N5_record__holds_deferred_apart_from_found(agent: Agent, profile: AgentProfile, format_name: str) -> None:
    talk = Talk(agent, format_name)
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    body = body_of(talk.resolve()["snapshot"]["id"])
    assert [tool["name"] for tool in body["found"]] == ["price"]
    assert "price" not in [tool["name"] for tool in body["tools"]]
    if format_name == "anthropic":
        assert {"price", "get_order"} <= set(body["deferred"])
    else:
        assert body["deferred"] == []


@pytest.mark.parametrize("format_name", NATIVE)
def b_N5_what_an_earlier_search_disclosed__may_still_be_called(
    agent: Agent, profile: AgentProfile, format_name: str
) -> None:
    talk = Talk(agent, format_name)
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    talk.resolve()
    talk.search("Callback echo of the post", "s-2", maxResults=1)
    talk.resolve()
    assert talk.call("echo", {"value": 1}, "c-1")["results"][0]["status"] == "ok"
    talk.resolve()
    assert talk.call("price", {"weight": 1}, "c-2")["results"][0]["status"] == "ok"
    talk.resolve()
    assert talk.call("rich", {}, "c-3")["results"][0]["status"] == "refused"


# S35


@pytest.mark.parametrize("format_name", NATIVE)
def fmt_S35_nothing_resident__the_search_tool_is_there_and_not_deferred(agent: Agent, format_name: str) -> None:
    talk = Talk(agent, format_name)
    talk.resolve()
    assert sum("search" in name.lower() for name in names(talk.tools)) == 1
    assert [tool for tool in talk.tools if not tool.get("defer_loading")]


@pytest.mark.parametrize("format_name", NATIVE)
def fmt_S35_search_off__plain_mode(agent: Agent, format_name: str) -> None:
    make_profile(agent.tenant, resident_tools=("nothing",), search={"enabled": False})
    talk = Talk(agent, format_name)
    talk.resolve()
    assert [tool.get("name") for tool in talk.tools] == ["nothing"]
    assert "defer_loading" not in json.dumps(talk.tools)


def b_N5_anthropic__what_is_not_declared_is_counted(agent: Agent, profile: AgentProfile) -> None:
    talk = Talk(agent, "anthropic")
    findable = len([tool for tool in talk.resolve()["request"]["tools"] if tool.get("defer_loading")])
    assert talk.answer["notices"] == []
    make_many_tools(agent.tenant, [f"a_tool_{number:04}" for number in range(1005)])
    (notice,) = talk.resolve()["notices"]
    assert notice["code"] == "deferred_cut"
    assert f"{findable + 1005:,} tools" in notice["detail"]
    assert f"other {findable + 5}" in notice["detail"]


@pytest.mark.parametrize("format_name", ["anthropic", "gemini", "openai_responses"])
def case_N08_deferred_tool_not_exportable__is_left_out_with_a_reason(
    agent: Agent, profile: AgentProfile, format_name: str
) -> None:
    talk = Talk(agent, format_name)
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE toolcatalog_tool SET parameters = '[1]' WHERE name = 'price'")
    answer = talk.resolve()
    assert "price" not in names(talk.tools)
    assert answer["omitted"] == [{"name": "price", "reason": "NOT_EXPORTABLE"}]


@pytest.mark.parametrize("format_name", NATIVE)
def b_X2_execute_by_name_under_a_native_snapshot__runs_what_was_shown(
    agent: Agent, profile: AgentProfile, format_name: str
) -> None:
    talk = Talk(agent, format_name)
    talk.resolve()
    talk.search("cost of a parcel", maxResults=1)
    snapshot = talk.resolve()["snapshot"]["id"]
    assert agent.execute("price", {"weight": 2}, snapshot_id=snapshot)["result"] == {"yuan": 6, "days": None}
    assert agent.refusal("rich", {}, snapshot_id=snapshot) == (409, "not_exposed")


@pytest.mark.parametrize(("format_name", "is_strict"), [("openai_responses", True), ("anthropic", False)])
def fmt_S21_strict_profile__definitions_in_search_outputs_are_strict_too(
    agent: Agent, profile: AgentProfile, format_name: str, is_strict: bool
) -> None:
    """Anthropic's deferred tools go without: they would exceed what one request may check strictly."""
    edit_profile(profile, strict="on")
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    }
    make_tool(agent.tenant, "harbour_forecast", "Forecast for a harbour.", parameters=schema, execution="client")
    talk = Talk(agent, format_name)
    talk.resolve()
    found = talk.search("harbour forecast", maxResults=1)
    if is_strict:
        (definition,) = found["tools"]
        assert (definition["strict"], definition["parameters"]["required"]) == (True, ["city", "days"])
    talk.resolve()
    done = talk.call("harbour_forecast", {"city": "Kiel", "days": None}, "c-1")
    (call,) = done["unhandled"]
    assert call["arguments"] == ({"city": "Kiel"} if is_strict else {"city": "Kiel", "days": None})
