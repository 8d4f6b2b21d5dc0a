"""X4, X5, X7, T27, rule 6: whatever a tool does, the others go on, and the answer says what happened."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from pytest_django import Settings

from tests.support import edit_profile, make_profile
from toolcatalog.conf import read_settings
from toolcatalog.execution import running
from toolcatalog.models import AgentProfile, Tenant, Tool, ToolUsage

from .agents import Agent, Auditor, contents, says_calls, side_by_side
from .conftest import FUNCTIONS, make_callback_tool, make_catalog


@pytest.fixture
def open_agent(agent: Agent) -> Agent:
    """An agent whose profile has the gate off: what is of interest here comes after it."""
    make_profile(agent.tenant, execute_gate=False)
    return agent


@pytest.fixture
def set_options(settings: Settings) -> Iterator[Any]:
    """Sets options of the application for one test."""

    def set_options(**options: Any) -> None:
        settings.TOOLCATALOG = {**getattr(settings, "TOOLCATALOG", {}), **options}
        read_settings.cache_clear()
        running._pool.cache_clear()

    yield set_options
    read_settings.cache_clear()
    running._pool.cache_clear()


# X4


def b_X4_error_inside_a_callback__is_never_told_as_not_found(open_agent: Agent) -> None:
    answer = open_agent.send_execute("fails", {"text": "SECRET"})
    assert (answer.status_code, answer.json()["code"]) == (502, "tool_failed")
    assert "SECRET" not in answer.content.decode()
    report = open_agent.run("fails", {"text": "SECRET"})
    assert (report["status"], report["result"]) == ("error", "The tool failed.")


def b_X4_words_for_the_model__reach_it(open_agent: Agent) -> None:
    assert open_agent.run("complains")["result"] == "The scales are broken."
    assert "The scales are broken." in open_agent.send_execute("complains").json()["detail"]


def b_X4_attempts_and_successes__are_counted_apart(open_agent: Agent) -> None:
    open_agent.run("fails")
    open_agent.send_execute("fails")
    open_agent.execute("echo", {"value": 1})
    open_agent.run("price", {"weight": "wrong"})
    counts = {Tool.objects.get(pk=row.tool_id).name: (row.attempts, row.successes) for row in ToolUsage.objects.all()}
    assert counts == {"fails": (2, 0), "echo": (1, 1)}


# X5


@pytest.mark.parametrize("name", ["exits", "dies", "recurses", "opaque", "fails"])
def rel_T27_callback_that_ends_what_it_runs_in__is_an_error_and_the_others_go_on(open_agent: Agent, name: str) -> None:
    answer = open_agent.run_calls(says_calls(("1", "echo", {"value": 1}), ("2", name, {}), ("3", "echo", {"value": 3})))
    assert [report["status"] for report in answer["results"]] == ["ok", "error", "ok"]
    assert open_agent.send_execute(name).status_code == 502
    assert open_agent.execute("echo", {"value": 4})["result"] == 4


def b_X5_hanging_callback__is_given_up_after_its_time(open_agent: Agent, callbacks: ModuleType) -> None:
    try:
        answer = open_agent.run_calls(says_calls(("1", "hangs", {}), ("2", "echo", {"value": 2})))
        assert [report["status"] for report in answer["results"]] == ["timeout", "ok"]
        late = open_agent.send_execute("hangs")
        assert (late.status_code, late.json()["code"]) == (504, "tool_timed_out")
    finally:
        callbacks.GATE.set()


def b_X5_deadline_of_the_message__is_one_for_all_its_calls(
    open_agent: Agent, callbacks: ModuleType, set_options: Any, auditor: Auditor
) -> None:
    set_options(execute_deadline_seconds=0.5, execute_parallel=2)
    names = ("waits", "waits", "echo", "echo")
    try:
        answer = open_agent.run_calls(says_calls(*((str(n), name, {}) for n, name in enumerate(names))))
    finally:
        callbacks.GATE.set()
    assert [report["call_id"] for report in answer["results"]] == ["0", "1", "2", "3"]
    assert [report["status"] for report in answer["results"]] == ["timeout"] * 4
    assert [row["code"] for row in auditor.calls()] == ["deadline"] * 4
    assert [message["tool_call_id"] for message in answer["messages"]] == ["0", "1", "2", "3"]


def b_X5_calls_run_side_by_side__and_are_answered_in_call_order(
    open_agent: Agent, installer: Any, callbacks: ModuleType
) -> None:
    meet = threading.Barrier(4, timeout=20)
    callbacks.time.sleep, sleep = lambda _: meet.wait(), time.sleep
    try:
        answer = open_agent.run_calls(says_calls(*((n, "naps", {"seconds": 1, "name": n}) for n in "abcd")))
    finally:
        callbacks.time.sleep = sleep
    assert [report["status"] for report in answer["results"]] == ["ok"] * 4
    assert contents(answer) == ["a", "b", "c", "d"]


def b_X5_result_over_the_limit__is_cut_with_a_mark(open_agent: Agent, set_options: Any) -> None:
    set_options(result_limit_bytes=1000)
    whole = open_agent.execute("big", {"characters": 900})["result"]
    assert whole == "x" * 900
    for cut in (
        open_agent.execute("big", {"characters": 5_000_000})["result"],
        open_agent.run("big", {"characters": 5_000_000})["result"],
    ):
        assert (cut["truncated"], cut["size_bytes"]) == (True, 5_000_002)
        assert len(json.dumps(cut, separators=(",", ":"))) <= 1000
        assert cut["text"].startswith("xxx")


def b_X5_what_json_lacks__becomes_text(open_agent: Agent) -> None:
    wanted = {"day": "2026-03-01", "sum": "1.50", "id": "00000000-0000-0000-0000-000000000007"}
    assert open_agent.execute("rich")["result"] == wanted
    assert open_agent.run("rich")["result"] == wanted


@pytest.mark.parametrize("value", [None, 0, "", "文字", [], {"a": [1, {"b": None}]}, "toolSearch", '{"not": "json"}'])
def b_X5_results__reach_the_caller_as_they_are(open_agent: Agent, value: Any) -> None:
    assert open_agent.execute("echo", {"value": value})["result"] == value
    assert open_agent.run("echo", {"value": value})["result"] == value


@pytest.mark.parametrize("format_name", ["openai_chat", "openai_responses", "anthropic", "gemini", "bedrock"])
def b_X5_answers_of_every_format__stand_in_call_order(open_agent: Agent, format_name: str) -> None:
    calls = [("a", "echo", {"value": 1}), ("b", "ghost_of_mine", {}), ("c", "complains", {}), ("d", "echo", {})]
    answer = open_agent.run_calls(MESSAGES[format_name](calls), format=format_name)
    assert [report["status"] for report in answer["results"]] == ["ok", "error", "ok"]
    assert [call["name"] for call in answer["unhandled"]] == ["ghost_of_mine"]
    together = len(answer["messages"]) == 1
    assert together == (format_name in {"anthropic", "gemini", "bedrock"})
    parts = [report["message"] for report in answer["results"]]
    if together:
        (key,) = {"content", "parts"} & answer["messages"][0].keys()
        assert answer["messages"][0][key] == [part for message in parts for part in message[key]]
    else:
        assert answer["messages"] == parts


Calls = list[tuple[str, str, Any]]


def _responses(calls: Calls) -> Any:
    return [
        {"type": "function_call", "call_id": call_id, "name": name, "arguments": json.dumps(given)}
        for call_id, name, given in calls
    ]


def _anthropic(calls: Calls) -> Any:
    blocks = [{"type": "tool_use", "id": call_id, "name": name, "input": given} for call_id, name, given in calls]
    return {"role": "assistant", "content": blocks}


def _gemini(calls: Calls) -> Any:
    parts = [{"functionCall": {"id": call_id, "name": name, "args": given}} for call_id, name, given in calls]
    return {"role": "model", "parts": parts}


def _bedrock(calls: Calls) -> Any:
    blocks = [{"toolUse": {"toolUseId": call_id, "name": name, "input": given}} for call_id, name, given in calls]
    return {"role": "assistant", "content": blocks}


MESSAGES = {
    "openai_chat": lambda calls: says_calls(*calls),
    "openai_responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
}


def case_X05_callback_that_is_not_registered_here__is_said_not_faked(open_agent: Agent, installer: Any) -> None:
    make_callback_tool(open_agent.tenant, "unbuilt", callback="post.unbuilt")
    assert open_agent.refusal("unbuilt") == (409, "no_callback")
    assert open_agent.run("unbuilt")["status"] == "refused"


# X7


def b_X7_popular_tools__by_successes_of_this_tenant(open_agent: Agent) -> None:
    for _ in range(3):
        open_agent.run("fails")
    for name, times in (("echo", 2), ("nothing", 1)):
        for _ in range(times):
            open_agent.execute(name)
    rival = Agent(make_catalog())
    make_profile(rival.tenant, execute_gate=False)
    for _ in range(4):
        rival.execute("rich")
    answer = open_agent.api.get("/tools/popular?limit=2").json()["results"]
    assert [(row["name"], row["attempts"], row["successes"]) for row in answer] == [("echo", 2, 2), ("nothing", 1, 1)]
    assert all(row["last_used_at"] for row in answer)
    assert [row["name"] for row in rival.api.get("/tools/popular").json()["results"]] == ["rich"]


@pytest.mark.parametrize("limit", ["0", "-1", "101", "x", "1.5", "", "١"])
def b_X7_limit_of_popular_tools__is_checked(open_agent: Agent, limit: str) -> None:
    assert open_agent.api.get(f"/tools/popular?limit={limit}").status_code == 422


@pytest.mark.django_db(transaction=True)
def b_X4_counts_lose_nothing__under_threads(callbacks: ModuleType) -> None:
    tenant = make_catalog()
    make_profile(tenant, execute_gate=False)
    agent = Agent(tenant)

    def call(number: int) -> None:
        if number % 2:
            agent.run_calls(says_calls(("1", "echo", {}), ("2", "fails", {}), ("3", "nothing", {})))
        else:
            agent.run_calls(says_calls(("1", "nothing", {}), ("2", "echo", {})))

    side_by_side([partial(call, number) for number in range(30)])
    counts = {Tool.objects.get(pk=row.tool_id).name: (row.attempts, row.successes) for row in usage_of(tenant)}
    assert counts == {"echo": (30, 30), "nothing": (30, 30), "fails": (15, 0)}


def usage_of(tenant: Tenant) -> list[ToolUsage]:
    return list(ToolUsage.objects.filter(tenant_id=tenant.pk))


def test_catalog_of_these_tests__every_callback_is_registered(open_agent: Agent) -> None:
    edit_profile(AgentProfile.objects.get(tenant=open_agent.tenant), search={"max_results": 20})
    for name in FUNCTIONS:
        assert open_agent.api.post(f"/tools/{name}/availability", {"prompt": "x"}).json()["reason"] != "NO_CALLBACK"
