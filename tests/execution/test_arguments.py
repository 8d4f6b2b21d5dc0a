"""X3: arguments get their own names back, fit the live revision, and say where they do not."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.support import edit_profile, edit_tool, make_group, make_profile
from toolcatalog.models import AgentProfile, Tool

from .agents import Agent, Auditor, contents, says_calls
from .conftest import PRICE, make_callback_tool

CITY = {
    "type": "object",
    "properties": {"城市": {"type": "string"}, "天数": {"type": "integer"}},
    "required": ["城市"],
    "additionalProperties": False,
}

RENAMED = """
@tool
def renamed(城市: str, 天数: int = 1) -> dict:
    "Arguments that have names which vendors do not take."
    return {"城市": 城市, "天数": 天数}

@tool
def either(a: str = "", b: str = "") -> list:
    "One of the two."
    return [a, b]
"""


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    make_callback_tool(agent.tenant, "天气/echo.city", "Weather", callback="post.renamed", parameters=CITY)
    return make_profile(agent.tenant, resident_tools=("price", "nothing", "天气/echo.city"))


@pytest.fixture(autouse=True)
def renamed(callbacks: ModuleType, installer: Any) -> None:
    """Callbacks for tools with arguments of their own."""
    installer.install(RENAMED, {"post.renamed": "renamed", "post.either": "either"})


def tool_use(name: str, arguments: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": name, "input": arguments}]}


def price(agent: Agent) -> Tool:
    return Tool.objects.get(owner=agent.tenant, name="price")


@pytest.mark.parametrize("gate", [True, False])
def b_X3_exported_keys_and_names__are_undone(agent: Agent, profile: AgentProfile, gate: bool) -> None:
    edit_profile(profile, execute_gate=gate)
    answer = agent.resolve(format="anthropic")
    ((name, catalog_name),) = [pair for pair in answer["name_map"].items() if pair[0] != pair[1]]
    assert catalog_name == "天气/echo.city"
    keys = {own: key for key, own in answer["argument_maps"][name]["keys"].items()}
    sent = {keys["城市"]: "上海", keys["天数"]: 3}
    wanted = {"城市": "上海", "天数": 3}
    snapshot = answer["snapshot"]["id"]
    for body in ({"snapshot_id": snapshot}, {} if not gate else {"session_id": "s-1"}):
        if "session_id" in body:
            agent.resolve(format="anthropic", session_id="s-1")
        for written, arguments in ((name, sent), (catalog_name, wanted), (name, wanted)):
            report = agent.run_calls(tool_use(written, arguments), format="anthropic", **body)["results"][0]
            assert (report["name"], report["status"], report["result"]) == (catalog_name, "ok", wanted), body


def b_X3_execute__takes_either_side(agent: Agent, profile: AgentProfile) -> None:
    answer = agent.resolve(format="anthropic")
    ((name, _),) = [pair for pair in answer["name_map"].items() if pair[0] != pair[1]]
    keys = {own: key for key, own in answer["argument_maps"][name]["keys"].items()}
    done = agent.execute(name, {keys["城市"]: "上海"}, snapshot_id=answer["snapshot"]["id"])
    assert (done["result"], done["tool"]["name"]) == ({"城市": "上海", "天数": 1}, "天气/echo.city")
    assert agent.execute("天气/echo.city", {"城市": "上海"}, snapshot_id=answer["snapshot"]["id"])["status"] == "ok"


@pytest.mark.parametrize("with_session", [False, True])
def fmt_S21_null_of_strict_mode__means_absent(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType, with_session: bool
) -> None:
    edit_profile(profile, strict="on")
    answer = agent.resolve(format="openai_chat", session_id="s-1")
    tool = next(tool["function"] for tool in answer["request"]["tools"] if tool["function"]["name"] == "price")
    assert tool["strict"] is True
    shown = {"session_id": "s-1"} if with_session else {"snapshot_id": answer["snapshot"]["id"]}
    report = agent.run("price", {"weight": 2, "days": None, "currency": None}, **shown)
    assert (report["status"], report["result"]) == ("ok", {"yuan": 6, "days": None})
    assert callbacks.RUNS == [(2, None)]


@pytest.mark.parametrize(
    ("arguments", "path", "code"),
    [
        ({}, "arguments", "required"),
        ({"weight": "2"}, "arguments.weight", "type"),
        ({"weight": 0}, "arguments.weight", "minimum"),
        ({"weight": 1, "more": 1}, "arguments", "additionalProperties"),
        ({"weight": 1, "currency": "XXX"}, "arguments.currency", "enum"),
    ],
)
def b_X3_wrong_arguments__422_with_their_paths(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType, arguments: Any, path: str, code: str
) -> None:
    snapshot = agent.snapshot()
    problem = agent.send_execute("price", arguments, snapshot_id=snapshot)
    assert (problem.status_code, problem.json()["code"]) == (422, "invalid_arguments")
    assert [(one["path"], one["code"]) for one in problem.json()["errors"]] == [(path, code)]
    report = agent.run("price", arguments, snapshot_id=snapshot)
    assert report["status"] == "error"
    assert path in report["result"]
    assert callbacks.RUNS == []


def b_X3_paths_reach_into_lists(agent: Agent) -> None:
    item = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    schema = {"type": "object", "properties": {"value": {"type": "array", "items": item}}}
    edit_tool(Tool.objects.get(owner=agent.tenant, name="echo"), parameters=schema)
    make_profile(agent.tenant, resident_tools=("echo",))
    problem = agent.send_execute("echo", {"value": [{"id": 1}, {"id": "x"}]}, snapshot_id=agent.snapshot()).json()
    assert [one["path"] for one in problem["errors"]] == ["arguments.value[1].id"]


@pytest.mark.parametrize("arguments", [[], ["a"], "text", 3, True])
def case_X01_arguments_that_are_no_object__422(agent: Agent, profile: AgentProfile, arguments: Any) -> None:
    answer = agent.send_execute("price", arguments, snapshot_id=agent.snapshot())
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == "arguments"


@pytest.mark.parametrize("raw", ["[1]", "{", "nonsense", '"text"', "12", '{"weight": 1'])
def b_X3_arguments_that_cannot_be_read__an_error_that_the_model_can_mend(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType, raw: str
) -> None:
    report = agent.run("price", raw, snapshot_id=agent.snapshot())
    assert report["status"] == "error"
    assert "JSON object" in report["result"]
    assert callbacks.RUNS == []


@pytest.mark.parametrize("arguments", ["", "  ", "{}"])
def b_X3_no_arguments_for_a_tool_without_any__run(agent: Agent, profile: AgentProfile, arguments: str) -> None:
    snapshot = agent.snapshot()
    assert agent.run("nothing", arguments, snapshot_id=snapshot)["status"] == "ok"
    assert agent.execute("nothing", None, snapshot_id=snapshot)["result"] == "done"
    answer = agent.api.post("/tools/nothing/execute", {"snapshot_id": snapshot})
    assert answer.json()["result"] == "done"


def b_X3_changed_since_it_was_shown__stale_definition(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType, auditor: Auditor
) -> None:
    snapshot = agent.snapshot()
    changed = {**PRICE, "properties": {**PRICE["properties"], "weight": {"type": "string"}}}
    edit_tool(price(agent), parameters=changed)
    assert agent.refusal("price", {"weight": 2}, snapshot_id=snapshot) == (409, "stale_definition")
    report = agent.run("price", {"weight": 2}, snapshot_id=snapshot)
    assert report["status"] == "error"
    assert "has changed" in report["result"]
    assert agent.refusal("price", {"weight": []}, snapshot_id=snapshot) == (422, "invalid_arguments")
    assert agent.refusal("price", {"weight": 2}, snapshot_id=agent.snapshot()) == (422, "invalid_arguments")
    assert callbacks.RUNS == []
    codes = [row["code"] for row in auditor.calls()]
    assert codes == ["stale_definition", "stale_definition", "invalid_arguments", "invalid_arguments"]


def b_X3_changed_and_still_fits__runs_the_live_revision(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    edit_tool(price(agent), description="What a parcel costs, since today")
    done = agent.execute("price", {"weight": 2}, snapshot_id=snapshot)
    assert done["tool"]["revision"] == 2


def b_X3_root_combinator_that_no_vendor_takes__is_enforced_here(agent: Agent) -> None:
    properties = {"a": {"type": "string"}, "b": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    make_callback_tool(agent.tenant, "either", parameters=schema, callback="post.either")
    make_profile(agent.tenant, resident_tools=("either",))
    answer = agent.resolve(format="anthropic")
    assert "anyOf" not in answer["request"]["tools"][0]["input_schema"]
    assert agent.refusal("either", {}, snapshot_id=answer["snapshot"]["id"])[0] == 422
    assert agent.execute("either", {"b": "x"}, snapshot_id=answer["snapshot"]["id"])["result"] == ["", "x"]


def b_X3_callers_own_tool__gets_canonical_arguments_and_checks_them_itself(agent: Agent) -> None:
    own = {"name": "book.room", "parameters": {"type": "object", "properties": {"城市": {"type": "string"}}}}
    answer = agent.resolve(format="anthropic", tools=[own])
    (name,) = [key for key, value in answer["name_map"].items() if value == "book.room"]
    keys = {value: key for key, value in answer["argument_maps"][name]["keys"].items()}
    message = tool_use(name, {keys["城市"]: 5})
    (call,) = agent.run_calls(message, format="anthropic", snapshot_id=answer["snapshot"]["id"])["unhandled"]
    assert call == {"call_id": "a", "name": "book.room", "exported_name": name, "arguments": {"城市": 5}}


def b_X3_tool_of_the_caller__comes_back_with_a_notice_of_what_does_not_fit(agent: Agent) -> None:
    make_group(agent.tenant, "orders", ["get_order"])
    answer = agent.run_calls(says_calls(("a", "get_order", {"城市": "x"})), snapshot_id=agent.snapshot())
    assert [call["arguments"] for call in answer["unhandled"]] == [{"城市": "x"}]
    assert [(one["code"], one["name"]) for one in answer["notices"]] == [("invalid_arguments", "get_order")]


def b_X3_pinned_version__its_own_schema_counts(agent: Agent) -> None:
    edit_tool(price(agent), version="2.0", parameters={"type": "object", "properties": {"weight": {"type": "string"}}})
    make_profile(agent.tenant, resident_tools=("price",), versions={"price": "1.0"})
    done = agent.execute("price", {"weight": 2}, snapshot_id=agent.snapshot())
    assert (done["tool"]["version"], done["tool"]["revision"]) == ("1.0", 1)
    newest = agent.snapshot(versions={"price": "2.0"})
    assert agent.refusal("price", {"weight": 2}, snapshot_id=newest) == (422, "invalid_arguments")


def b_X3_message_without_calls__is_answered_with_nothing(agent: Agent) -> None:
    answer = agent.run_calls({"role": "assistant", "content": "Hello."})
    assert (answer["messages"], answer["unhandled"], answer["results"]) == ([], [], [])


@pytest.mark.parametrize("message", [None, 3, "text", {}, {"role": "user", "content": "x"}, [1]])
def b_X3_what_is_no_message__is_422_at_its_place(agent: Agent, message: Any) -> None:
    answer = agent.send_calls(message)
    if answer.status_code == 200:
        assert contents(answer.json()) == []
    else:
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["path"].startswith("message")
