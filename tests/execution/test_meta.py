"""X6, P13, R12: in meta mode the tool list never changes, and every rule holds as for a call of the tool itself."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from tests.support import (
    deny,
    edit_profile,
    edit_tool,
    fact,
    grant,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
)
from toolcatalog.models import AgentProfile, Tool

from .agents import Agent, Auditor, contents, says_calls
from .conftest import PRICE, make_callback_tool


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    return make_profile(agent.tenant, disclosure="meta")


def search_call(query: Any, call_id: str = "s", **more: Any) -> dict[str, Any]:
    return says_calls((call_id, "search_tools", {"query": query, **more}))


def run_call(name: Any, given: Any = None, call_id: str = "x") -> dict[str, Any]:
    return says_calls((call_id, "execute_dynamic_tool", {"tool_name": name, "tool_input": given or {}}))


def find(agent: Agent, query: Any, **more: Any) -> Any:
    """What `search_tools` answers."""
    (found,) = contents(agent.run_calls(search_call(query, **more)))
    return found


def snapshot_after(agent: Agent, *queries: str, **body: Any) -> str:
    """A snapshot of a conversation in which these searches were answered."""
    messages: list[Any] = [{"role": "user", "content": "hello"}]
    for number, query in enumerate(queries):
        asked = search_call(query, f"s-{number}")
        messages += [asked, *agent.run_calls(asked, **body)["messages"]]
    return str(agent.resolve(messages=messages, **body)["snapshot"]["id"])


def b_X6_search__answers_with_definitions(agent: Agent, profile: AgentProfile) -> None:
    found = find(agent, "cost of a parcel", max_results=1)
    (tool,) = found["tools"]
    assert found == {"found": 1, "tools": [tool]}
    assert 0 < tool.pop("relevance_score") <= 1
    assert tool == {
        "name": "price",
        "description": "What it costs to send a parcel",
        "category": "freight",
        "tags": [],
        "input_schema": PRICE,
    }


def b_X6_nothing_found__says_so_and_names_real_categories(agent: Agent, profile: AgentProfile) -> None:
    found = find(agent, "quantum chromodynamics")
    assert found.keys() == {"found", "message", "suggestion"}
    assert found["found"] == 0
    assert "freight" in found["suggestion"]
    assert "orders" in found["suggestion"]


@pytest.mark.parametrize("query", [None, "", " \u3000\u200b", "?!"])
def b_X6_blank_query__an_error_with_a_suggestion(agent: Agent, profile: AgentProfile, query: Any) -> None:
    assert find(agent, query).keys() == {"error", "suggestion"}


@pytest.mark.parametrize(
    ("asked", "most"), [(1, 1), ("3", 3), (50, 20), (None, 5), (0, None), (2.5, None), (True, None)]
)
def b_X6_max_results__1_to_20(agent: Agent, profile: AgentProfile, asked: Any, most: int | None) -> None:
    edit_profile(profile, search={"max_results": 100})
    make_many_tools(agent.tenant, [f"parcel_service_{n}" for n in range(30)])
    found = find(agent, "parcel service", max_results=asked)
    if most is None:
        assert found.keys() == {"error", "suggestion"}
    else:
        assert found["found"] == len(found["tools"]) == most


def b_X6_category__filters(agent: Agent, profile: AgentProfile) -> None:
    make_tool(agent.tenant, "parcel_order", "An order of a parcel", category="orders")
    assert [tool["name"] for tool in find(agent, "parcel", category="Orders")["tools"]] == ["parcel_order"]


def b_X6_the_tool_list__never_changes(agent: Agent, profile: AgentProfile) -> None:
    before = agent.resolve()
    asked = search_call("cost of a parcel")
    messages = [{"role": "user", "content": "hello"}, asked, *agent.run_calls(asked)["messages"]]
    after = agent.resolve(messages=messages)
    assert [tool["name"] for tool in before["tools"]] == ["search_tools", "execute_dynamic_tool"]
    assert before["tools"] == after["tools"]
    assert "price" in after["active_tools"]


def b_R12_meta_mode__has_words_of_its_own(agent: Agent, profile: AgentProfile) -> None:
    told = agent.resolve()["request"]["messages"][0]["content"]
    assert "search_tools" in told
    assert "execute_dynamic_tool" in told
    assert "toolSearch" not in told
    edit_profile(profile, search={"system_prompt_suffix": ""})
    assert agent.resolve()["request"]["messages"][0]["role"] == "user"
    edit_profile(profile, search={"system_prompt_suffix": "Ask before you search."})
    assert agent.resolve()["request"]["messages"][0]["content"] == "Ask before you search."


def b_X6_found_tool__runs(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    snapshot = snapshot_after(agent, "cost of a parcel")
    answer = agent.run_calls(run_call("price", {"weight": 2}), snapshot_id=snapshot)
    assert contents(answer) == [{"yuan": 6, "days": None}]
    assert [(one["name"], one["status"]) for one in answer["results"]] == [("price", "ok")]
    (row,) = auditor.calls()
    assert (row["door"], row["name"], row["exported_name"], row["call_id"]) == ("meta", "price", "price", "x")
    assert row["reasons"] == ["SEARCH_HIT"]


def b_X2_meta_tools_that_any_answered_search_named__count_as_shown(agent: Agent, profile: AgentProfile) -> None:
    snapshot = snapshot_after(agent, "cost of a parcel", "status of an order")
    assert agent.run_calls(run_call("price", {"weight": 2}), snapshot_id=snapshot)["results"][0]["status"] == "ok"
    agent.run_calls(search_call("cost of a parcel"), session_id="s-1")
    agent.run_calls(search_call("takes a nap"), session_id="s-1")
    assert agent.run_calls(run_call("price", {"weight": 2}), session_id="s-1")["results"][0]["status"] == "ok"


def b_X6_tool_of_the_caller__comes_back_unwrapped(agent: Agent, profile: AgentProfile) -> None:
    snapshot = snapshot_after(agent, "status of an order")
    answer = agent.run_calls(run_call("get_order", {"orderNo": "A", "城市": "x"}, "outer"), snapshot_id=snapshot)
    assert answer["messages"] == []
    assert answer["unhandled"] == [
        {
            "call_id": "outer",
            "name": "get_order",
            "exported_name": "execute_dynamic_tool",
            "arguments": {"orderNo": "A", "城市": "x"},
        }
    ]


def b_X6_tool_of_the_caller__its_arguments_are_checked_here(agent: Agent, profile: AgentProfile) -> None:
    snapshot = snapshot_after(agent, "status of an order")
    answer = agent.run_calls(run_call("get_order", {"orderNo": 5}), snapshot_id=snapshot)
    (told,) = contents(answer)
    assert told.keys() == {"error", "suggestion"}
    assert "arguments.orderNo" in told["error"]
    assert answer["unhandled"] == []


def b_X6_exported_name__is_the_one_that_search_answered(agent: Agent, profile: AgentProfile) -> None:
    make_callback_tool(agent.tenant, "post.say/again", "Repeats a saying", callback="post.echo")
    message = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "s", "name": "search_tools", "input": {"query": "Repeats a saying"}}],
    }
    answer = agent.run_calls(message, format="anthropic", session_id="s-1")
    name = json.loads(answer["messages"][0]["content"][0]["content"])["tools"][0]["name"]
    assert name == "post_say_again"
    given = {"tool_name": name, "tool_input": {"value": 1}}
    message["content"] = [{"type": "tool_use", "id": "x", "name": "execute_dynamic_tool", "input": given}]
    (report,) = agent.run_calls(message, format="anthropic", session_id="s-1")["results"]
    assert (report["name"], report["result"]) == ("post.say/again", 1)


@pytest.mark.parametrize("given", ['{"weight": 2}', {"weight": 2}])
def b_X6_input_as_text__is_read(agent: Agent, profile: AgentProfile, given: Any) -> None:
    snapshot = snapshot_after(agent, "cost of a parcel")
    assert agent.run_calls(run_call("price", given), snapshot_id=snapshot)["results"][0]["status"] == "ok"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"tool_name": ""},
        {"tool_name": None},
        {"tool_name": ["price"]},
        {"tool_name": "price", "tool_input": [1]},
        {"tool_name": "price", "tool_input": "weight"},
        {"tool_name": "price", "tool_input": {"weight": "x"}},
        {"tool_name": "price"},
        {"tool_name": "execute_dynamic_tool", "tool_input": {"tool_name": "price"}},
        {"tool_name": "search_tools", "tool_input": {"query": "x"}},
        {"tool_name": "toolSearch", "tool_input": {"query": "x"}},
    ],
)
def b_X6_what_is_wrong__is_an_error_with_a_suggestion(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType, arguments: Any
) -> None:
    snapshot = snapshot_after(agent, "cost of a parcel")
    answer = agent.run_calls(says_calls(("x", "execute_dynamic_tool", arguments)), snapshot_id=snapshot)
    (told,) = contents(answer)
    assert told.keys() == {"error", "suggestion"}
    assert answer["results"][0]["status"] in {"error", "refused"}
    assert callbacks.RUNS == []


def b_X6_failing_tool__is_an_error_with_a_suggestion(agent: Agent, profile: AgentProfile) -> None:
    snapshot = snapshot_after(agent, "complains")
    (told,) = contents(agent.run_calls(run_call("complains"), snapshot_id=snapshot))
    assert told == {"error": "The scales are broken.", "suggestion": "Say so, or go on without this tool."}


def case_P13_name_that_was_not_found__is_refused_as_by_a_call_of_its_own(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType, auditor: Auditor
) -> None:
    rival = make_tenant()
    make_callback_tool(rival, "rivals_tool", callback="post.echo")
    make_callback_tool(None, "never_granted", callback="post.echo")
    snapshot = snapshot_after(agent, "cost of a parcel")
    told = []
    for name in ("echo", "ghost", "rivals_tool", "never_granted"):
        (answer,) = contents(agent.run_calls(run_call(name), snapshot_id=snapshot))
        told.append(json.dumps(answer))
        direct = agent.run_calls(says_calls(("d", name, {})), snapshot_id=snapshot)["results"][0]
        assert (direct["status"], direct["result"]) == ("refused", answer["error"])
    assert len(set(told)) == 1
    assert callbacks.RUNS == []
    assert {row["code"] for row in auditor.calls()} == {"not_exposed"}


@pytest.mark.parametrize("gate", [True, False])
def case_P13_permission_is_todays(agent: Agent, profile: AgentProfile, callbacks: ModuleType, gate: bool) -> None:
    make_callback_tool(None, "shared_echo", "Repeats a saying", callback="post.echo")
    grant(agent.tenant, "shared_echo")
    edit_profile(profile, execute_gate=gate)
    snapshot = snapshot_after(agent, "Repeats a saying", "takes nothing", "what JSON lacks rich", "big")
    assert contents(agent.run_calls(run_call("shared_echo", {"value": 1}), snapshot_id=snapshot)) == [1]
    callbacks.RUNS.clear()
    deny(agent.tenant, "shared_echo")
    edit_tool(Tool.objects.get(owner=agent.tenant, name="nothing"), status="disabled")
    make_group(agent.tenant, "paying", ["rich"], fact("plan", "equals", "premium"), restricts_access=True)
    edit_profile(profile, search={"exclude_tools": ("big",)})
    for name in ("shared_echo", "nothing", "rich", "big"):
        answer = agent.run_calls(run_call(name, {}, name), snapshot_id=snapshot)
        assert answer["results"][0]["status"] == "refused", name
    assert callbacks.RUNS == []


def b_X6_changed_since_it_was_found__stale_definition(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    snapshot = snapshot_after(agent, "cost of a parcel")
    changed = {**PRICE, "properties": {"weight": {"type": "string"}}}
    edit_tool(Tool.objects.get(owner=agent.tenant, name="price"), parameters=changed)
    (told,) = contents(agent.run_calls(run_call("price", {"weight": 2}), snapshot_id=snapshot))
    assert "Search for the tool again" in told["suggestion"]
    assert [row["code"] for row in auditor.calls()] == ["stale_definition"]


def b_X8_meta__deprecated_and_pinned_tools_are_described_as_they_are(agent: Agent, profile: AgentProfile) -> None:
    price = Tool.objects.get(owner=agent.tenant, name="price")
    newer = {"type": "object", "properties": {"kilograms": {"type": "number"}}}
    edit_tool(price, version="2.0", parameters=newer, status="deprecated", replaced_by="echo")
    (tool,) = find(agent, "cost of a parcel", max_results=1)["tools"]
    assert tool["description"].endswith("This tool is deprecated; use echo instead.")
    assert tool["input_schema"] == newer
    edit_profile(profile, versions={"price": "1.0"})
    (tool,) = find(agent, "cost of a parcel", max_results=1)["tools"]
    assert tool["input_schema"] == PRICE


def b_X10_meta__a_repeat_runs_once(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    snapshot = snapshot_after(agent, "Callback echo of the post")
    for _ in range(2):
        assert contents(agent.run_calls(run_call("echo", {"value": 1}), snapshot_id=snapshot)) == [1]
    assert callbacks.RUNS == [1]


def b_X6_inline_mode__knows_no_meta_tools(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, disclosure="inline")
    (report,) = agent.run_calls(run_call("price", {"weight": 1}), snapshot_id=agent.snapshot())["results"]
    assert report["status"] == "refused"


# X2: what an answered search named counts as exposed, in the same snapshot


def b_X2_search_in_the_same_snapshot__its_tools_may_be_called_at_once(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    assert agent.run_calls(run_call("price", {"weight": 1}), snapshot_id=snapshot)["results"][0]["status"] == "refused"
    find_in(agent, snapshot, "cost of a parcel", max_results=1)
    (done,) = agent.run_calls(run_call("price", {"weight": 2}, "y"), snapshot_id=snapshot)["results"]
    assert (done["status"], done["result"]) == ("ok", {"yuan": 6, "days": None})
    assert agent.execute("price", {"weight": 3}, snapshot_id=snapshot)["result"]["yuan"] == 9


def b_X2_search_in_the_same_message_or_another_snapshot__does_not_count(agent: Agent, profile: AgentProfile) -> None:
    """The model has not read the answer yet, or it was another conversation's."""
    snapshot, other = agent.snapshot(), agent.snapshot()
    both = says_calls(
        ("s", "search_tools", {"query": "cost of a parcel"}),
        ("x", "execute_dynamic_tool", {"tool_name": "price", "tool_input": {"weight": 1}}),
    )
    assert [one["status"] for one in agent.run_calls(both, snapshot_id=snapshot)["results"]] == ["ok", "refused"]
    assert agent.run_calls(run_call("price", {"weight": 1}), snapshot_id=other)["results"][0]["status"] == "refused"
    assert agent.refusal("price", {"weight": 1}, snapshot_id=other) == (409, "not_exposed")


def b_X2_search_over_the_api_in_a_snapshot__counts_too(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    agent.search("cost of a parcel", snapshot_id=snapshot)
    assert agent.execute("price", {"weight": 3}, snapshot_id=snapshot)["result"]["yuan"] == 9


def b_X2_inline_mode__a_search_discloses_nothing_by_itself(agent: Agent) -> None:
    """Only names were answered: the definition comes with the next resolve."""
    snapshot = agent.snapshot()
    agent.search("cost of a parcel", snapshot_id=snapshot)
    assert agent.refusal("price", {"weight": 3}, snapshot_id=snapshot) == (409, "not_exposed")


def b_X3_definition_changed_since_the_search__is_told(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    find_in(agent, snapshot, "cost of a parcel", max_results=1)
    other = {"type": "object", "properties": {"grams": {"type": "integer"}}, "required": ["grams"]}
    edit_tool(Tool.objects.get(name="price"), parameters=other)
    (told,) = contents(agent.run_calls(run_call("price", {"weight": 2}), snapshot_id=snapshot))
    assert "Search for the tool again" in told["suggestion"]
    edit_tool(Tool.objects.get(name="price"), status="disabled")
    assert agent.refusal("price", {"grams": 2}, snapshot_id=snapshot) == (409, "disabled")


def b_X2_calls_of_found_tools__say_so_in_the_audit(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    snapshot = agent.snapshot()
    find_in(agent, snapshot, "cost of a parcel", max_results=1)
    agent.run_calls(run_call("price", {"weight": 2}), snapshot_id=snapshot)
    (row,) = auditor.calls()
    assert (row["reasons"], row["exposure_id"], row["outcome"]) == (["SEARCH_HIT"], snapshot, "ok")


def find_in(agent: Agent, snapshot: str, query: str, **more: Any) -> None:
    """Search in the snapshot, as a model in meta mode does."""
    (found,) = contents(agent.run_calls(search_call(query, **more), snapshot_id=snapshot))
    assert found["found"] >= 1
