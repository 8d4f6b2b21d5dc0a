"""X10: a repeated call runs once. The repeat is told what the first was told, or that it still runs."""

from __future__ import annotations

from functools import partial
from types import ModuleType
from typing import Any

import pytest
from django.db import connection

from tests.support import edit_profile, edit_tool, make_profile, make_tenant
from toolcatalog.models import AgentProfile, CallClaim, Tool

from .agents import Agent, Auditor, contents, says_calls, side_by_side
from .conftest import make_callback_tool, make_catalog


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    return make_profile(agent.tenant, resident_tools=("echo", "fails", "waits", "hangs", "nothing"))


def with_key(key: str) -> dict[str, str]:
    return {"idempotency_key": key}


def b_X10_same_snapshot_and_call_id__runs_once(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    snapshot = agent.snapshot()
    first = agent.run("echo", {"value": 1}, snapshot_id=snapshot)
    again = agent.run("echo", {"value": 1}, snapshot_id=snapshot)
    assert again == first
    assert callbacks.RUNS == [1]
    (usage,) = agent.api.get("/tools/popular").json()["results"]
    assert usage["attempts"] == 1


def b_X10_error__is_remembered_too(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    snapshot = agent.snapshot()
    assert agent.run("fails", snapshot_id=snapshot) == agent.run("fails", snapshot_id=snapshot)
    key = with_key("k-1")
    for _ in range(2):
        answer = agent.send_execute("fails", {}, snapshot_id=snapshot, headers=key)
        assert (answer.status_code, answer.json()["code"]) == (502, "tool_failed")
    assert len(callbacks.RUNS) == 2


@pytest.mark.parametrize("change", ["snapshot", "call id", "arguments", "tool", "tenant"])
def b_X10_another_call__runs(agent: Agent, profile: AgentProfile, callbacks: ModuleType, change: str) -> None:
    snapshot = agent.snapshot()
    agent.run("echo", {"value": 1}, snapshot_id=snapshot)
    other = agent.snapshot() if change == "snapshot" else snapshot
    call_id = "call-2" if change == "call id" else "call-1"
    name, given = ("nothing", {}) if change == "tool" else ("echo", {"value": 2 if change == "arguments" else 1})
    if change == "tenant":
        agent = Agent(make_catalog())
        make_profile(agent.tenant, resident_tools=("echo",))
        other = agent.snapshot()
    assert agent.run(name, given, call_id=call_id, snapshot_id=other)["status"] == "ok"
    assert len(callbacks.RUNS) == 2


def b_X10_one_id_twice_in_a_message__runs_once_and_is_answered_twice(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType
) -> None:
    message = says_calls(("a", "echo", {"value": 1}), ("a", "echo", {"value": 1}), ("a", "echo", {"value": 2}))
    for _ in range(2):
        assert contents(agent.run_calls(message, snapshot_id=agent.snapshot())) == [1, 1, 2]
    assert sorted(callbacks.RUNS) == [1, 1, 2, 2]


def b_X10_ids_without_end__are_ids(agent: Agent, profile: AgentProfile) -> None:
    snapshot, call_id = agent.snapshot(), "号" * 20_000
    for _ in range(2):
        assert agent.run("echo", {"value": 1}, call_id=call_id, snapshot_id=snapshot)["call_id"] == call_id


def b_X10_without_an_id_of_its_own__every_call_runs(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    message = {"role": "model", "parts": [{"functionCall": {"name": "echo", "args": {"value": 1}}}] * 2}
    snapshot = agent.snapshot(format="gemini")
    answer = agent.run_calls(message, format="gemini", snapshot_id=snapshot)
    assert [report["status"] for report in answer["results"]] == ["ok", "ok"]
    assert callbacks.RUNS == [1, 1]


def b_X10_idempotency_key__runs_once(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    snapshot = agent.snapshot()
    first = agent.execute("echo", {"value": 1}, snapshot_id=snapshot, headers=with_key("k-1"))
    assert agent.execute("echo", {"value": 1}, snapshot_id=snapshot, headers=with_key("k-1")) == first
    assert callbacks.RUNS == [1]
    agent.execute("echo", {"value": 1}, snapshot_id=snapshot, headers=with_key("k-2"))
    agent.execute("echo", {"value": 1}, snapshot_id=snapshot)
    assert callbacks.RUNS == [1, 1, 1]


def b_X10_idempotency_key__belongs_to_one_tenant_and_one_tool(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType
) -> None:
    agent.execute("echo", {"value": 1}, snapshot_id=agent.snapshot(), headers=with_key("k-1"))
    agent.execute("nothing", {}, snapshot_id=agent.snapshot(), headers=with_key("k-1"))
    rival = Agent(make_tenant())
    make_callback_tool(rival.tenant, "echo")
    make_profile(rival.tenant, resident_tools=("echo",))
    rival.execute("echo", {"value": 3}, snapshot_id=rival.snapshot(), headers=with_key("k-1"))
    assert callbacks.RUNS == [1, None, 3]


def b_X10_idempotency_key__alone_says_what_is_a_repeat(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType
) -> None:
    for value in (1, 2):
        done = agent.execute("echo", {"value": value}, snapshot_id=agent.snapshot(), headers=with_key("k-1"))
        assert done["result"] == 1
    assert callbacks.RUNS == [1]


@pytest.mark.parametrize("key", ["", "a b", "x" * 129, "键"])
def b_X10_idempotency_key_that_is_no_plain_word__422(agent: Agent, profile: AgentProfile, key: str) -> None:
    answer = agent.send_execute("echo", {}, snapshot_id=agent.snapshot(), headers=with_key(key))
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == "Idempotency-Key"


def b_X10_after_ten_minutes__it_is_a_new_call(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    snapshot = agent.snapshot()
    agent.run("echo", {"value": 1}, snapshot_id=snapshot)
    for seconds, runs in ((590, 1), (20, 2)):
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE toolcatalog_callclaim SET claimed_at = claimed_at - make_interval(secs => %s)", [seconds]
            )
        agent.run("echo", {"value": 1}, snapshot_id=snapshot)
        assert len(callbacks.RUNS) == runs


def b_X10_old_claims__are_forgotten(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    for number in range(5):
        agent.run("echo", {"value": number}, call_id=f"c-{number}", snapshot_id=snapshot)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE toolcatalog_callclaim SET claimed_at = claimed_at - interval '1 hour'")
    agent.run("echo", {"value": 9}, call_id="c-9", snapshot_id=snapshot)
    assert CallClaim.objects.filter(tenant_id=agent.tenant.pk).count() == 1


def b_X10_repeat__is_judged_by_todays_permission(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    agent.run("echo", {"value": 1}, snapshot_id=snapshot)
    edit_tool(Tool.objects.get(owner=agent.tenant, name="echo"), status="disabled")
    assert agent.run("echo", {"value": 1}, snapshot_id=snapshot)["status"] == "refused"


@pytest.mark.django_db(transaction=True)
def b_X10_while_the_first_runs__409_then_the_stored_answer(callbacks: ModuleType) -> None:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("waits", "echo"))
    agent, snapshot = Agent(tenant), Agent(tenant).snapshot()
    message = says_calls(("w", "waits", {}))
    mixed = says_calls(("new", "echo", {"value": 1}), ("w", "waits", {}))

    def first() -> Any:
        return agent.run_calls(message, snapshot_id=snapshot)

    def meanwhile() -> list[Any]:
        assert callbacks.STARTED.wait(20)
        try:
            return [agent.send_calls(one, snapshot_id=snapshot) for one in (message, mixed)]
        finally:
            callbacks.GATE.set()

    done, refused = side_by_side([first, meanwhile])
    assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [(409, "call_running")] * 2
    assert contents(done) == ["waited"]
    assert agent.run_calls(message, snapshot_id=snapshot) == done
    assert callbacks.RUNS == [None]
    assert [row["name"] for row in Auditor(tenant).calls()] == ["waits"]
    assert contents(agent.run_calls(mixed, snapshot_id=snapshot)) == [1, "waited"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", ["tool_calls", "execute"])
def b_X10_many_at_once__exactly_one_runs(callbacks: ModuleType, door: str) -> None:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("echo",))
    agent, snapshot = Agent(tenant), Agent(tenant).snapshot()
    if door == "execute":
        ask = partial(agent.send_execute, "echo", {"value": 1}, snapshot_id=snapshot, headers=with_key("k"))
    else:
        ask = partial(agent.send_calls, says_calls(("a", "echo", {"value": 1})), snapshot_id=snapshot)
    answers = side_by_side([ask] * 18)
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {"call_running"}
    assert any(answer.status_code == 200 for answer in answers)
    assert callbacks.RUNS == [1]
    assert len(Auditor(tenant).calls()) == 1


def b_X10_gate_off_and_no_snapshot__every_call_runs(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    edit_profile(profile, execute_gate=False)
    for _ in range(2):
        agent.run("echo", {"value": 1})
    assert callbacks.RUNS == [1, 1]
