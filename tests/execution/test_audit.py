"""A01, A05, A06, A13 to A16, F12: every call is on record before it runs, and says afterwards how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest
from django.db import connections

from tests.support import edit_tool, make_group, make_profile, set_tenant
from tests.support.waiting import wait_until
from toolcatalog.auditing.redaction import MASK
from toolcatalog.contract.catalog import TextPolicy
from toolcatalog.models import AgentProfile, Call, Tenant, Tool

from .agents import Agent, Auditor, says_calls
from .conftest import make_catalog
from .worker import Worker

SECRETS = {"auth": {"Api_Key": "k-1", "user": "ann"}, "list": [{"password": "p-1", "id": 7}], "note": "Bearer abc.def"}


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    make_group(agent.tenant, "post", ["echo", "fails", "price", "hangs"])
    return make_profile(agent.tenant)


@contextmanager
def refusing(table: str) -> Iterator[None]:
    """For a while, nothing can be written into the table."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION refuse_for_tests() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER refuse BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_for_tests()"
        )
    try:
        yield
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute("DROP FUNCTION refuse_for_tests() CASCADE")


# Started before, ended after


def case_A01_every_way_to_call__has_its_row(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    snapshot = agent.snapshot()
    agent.execute("echo", {}, snapshot_id=snapshot)
    agent.run("echo", snapshot_id=snapshot)
    dynamic = says_calls(("m", "execute_dynamic_tool", {"tool_name": "echo", "tool_input": {}}))
    agent.run_calls(dynamic, snapshot_id=agent.snapshot(disclosure="meta"))
    agent.run("fails", snapshot_id=snapshot)
    agent.run("rich", snapshot_id=snapshot)
    agent.send_execute("rich", {}, snapshot_id=snapshot)
    rows = [(row["door"], row["name"], row["outcome"], row["code"]) for row in auditor.calls()]
    assert rows == [
        ("execute", "echo", "ok", ""),
        ("tool_calls", "echo", "ok", ""),
        ("meta", "echo", "ok", ""),
        ("tool_calls", "fails", "error", "failed"),
        ("tool_calls", "rich", "refused", "not_exposed"),
        ("execute", "rich", "refused", "not_exposed"),
    ]


def case_A06_row__says_which_tool_and_why_it_was_known(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    context = {"account_id": "a-1", "conversation_id": "c-1", "model": "m-1"}
    snapshot = agent.snapshot(context=context)
    agent.run("echo", {"value": 1}, snapshot_id=snapshot, headers={"x_request_id": "req-1"})
    (row,) = auditor.calls()
    tool = Tool.objects.get(owner=agent.tenant, name="echo")
    wanted = {
        "tool_id": tool.pk,
        "name": "echo",
        "exported_name": "echo",
        "revision": 1,
        "version": "1.0",
        "reasons": ["TARGETING_MATCH"],
        "groups": ["post"],
        "exposure_id": snapshot,
        "account": "a-1",
        "conversation_id": "c-1",
        "model": "m-1",
        "request_id": "req-1",
        "api_key": {"name": "tests", "prefix": agent.key.secret.split("_")[1]},
        "call_id": "call-1",
    }
    assert {key: row[key] for key in wanted} == wanted


def case_A06_call_on_the_strength_of_a_session__says_so(agent: Agent, auditor: Auditor) -> None:
    agent.search("cost of a parcel", session_id="s-1")
    agent.execute("price", {"weight": 1}, session_id="s-1")
    (row,) = auditor.calls()
    assert (row["reasons"], row["session_id"], row["correlation_id"]) == (["SESSION"], "s-1", "s-1")


def case_A13_refused_call__has_key_reason_and_duration(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    agent.send_calls(says_calls(("a", "echo", {}), ("s", "toolSearch", {"query": "x"})))
    agent.send_execute("echo", {})
    agent.send_execute("get_order", {})
    agent.send_execute("ghost", {}, snapshot_id=agent.snapshot())
    rows = auditor.calls()
    assert [(row["name"], row["outcome"], row["code"]) for row in rows[:4]] == [
        ("echo", "refused", "snapshot_required"),
        ("toolSearch", "refused", "snapshot_required"),
        ("echo", "refused", "snapshot_required"),
        ("get_order", "refused", "not_executable"),
    ]
    assert (rows[4]["outcome"], rows[4]["code"]) == ("refused", "unknown_tool")
    assert all(row["api_key"]["name"] == "tests" and row["duration_ms"] == 0 for row in rows)
    assert rows[0]["tool_id"] == Tool.objects.get(owner=agent.tenant, name="echo").pk


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["toolcatalog_call", "toolcatalog_exposure"])
def rel_A2_start_cannot_be_recorded__nothing_runs(callbacks: ModuleType, table: str) -> None:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("echo",))
    agent, snapshot = Agent(tenant), Agent(tenant).snapshot()
    message = says_calls(("a", "echo", {}), ("s", "toolSearch", {"query": "order"}))
    with refusing(table):
        answer = agent.send_calls(message, snapshot_id=snapshot)
        assert answer.status_code == 503
        assert answer["Retry-After"]
        if table == "toolcatalog_call":
            assert agent.send_execute("echo", {}, snapshot_id=snapshot).status_code == 503
    assert callbacks.RUNS == []
    assert agent.run_calls(message, snapshot_id=snapshot)["results"][0]["status"] == "ok"


@pytest.mark.django_db(transaction=True)
def rel_A13_refusal_cannot_be_recorded__the_request_stays_refused(callbacks: ModuleType) -> None:
    agent = Agent(make_catalog())
    with refusing("toolcatalog_call"):
        assert agent.send_execute("echo", 3).status_code == 422


@pytest.mark.django_db(transaction=True)
def rel_end_cannot_be_recorded__the_answer_goes_out_and_the_record_says_unknown(callbacks: ModuleType) -> None:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("echo",))
    agent, snapshot = Agent(tenant), Agent(tenant).snapshot()
    with refusing("toolcatalog_call_end"):
        assert agent.run("echo", {"value": 1}, snapshot_id=snapshot)["result"] == 1
        assert agent.execute("echo", {"value": 2}, snapshot_id=snapshot)["result"] == 2
    assert callbacks.RUNS == [1, 2]
    assert [row["outcome"] for row in Auditor(tenant).calls()] == ["unknown", "unknown"]


@pytest.mark.django_db(transaction=True)
def rel_start_is_committed_before_anything_runs(callbacks: ModuleType) -> None:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("waits",))
    agent, snapshot = Agent(tenant), Agent(tenant).snapshot()

    def call() -> None:
        agent.run("waits", snapshot_id=snapshot)
        connections.close_all()

    thread = Thread(target=call)
    thread.start()
    try:
        assert callbacks.STARTED.wait(20)
        assert [(row["name"], row["outcome"]) for row in Auditor(tenant).calls()] == [("waits", "unknown")]
    finally:
        callbacks.GATE.set()
        thread.join()
    assert [(row["name"], row["outcome"]) for row in Auditor(tenant).calls()] == [("waits", "ok")]


@pytest.mark.django_db(transaction=True)
def rel_F12_process_killed_while_a_tool_runs__the_record_says_unknown_and_the_gate_holds(
    callbacks: ModuleType, tmp_path: Path
) -> None:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("waits", "echo"))
    agent = Agent(tenant)
    key = agent.key.secret
    lost: list[Any] = []
    with Worker(tmp_path) as worker:
        status, answer = worker.post("/resolve", key, {"prompt": "hello"})
        assert status == 200
        body = {"message": says_calls(("w", "waits", {})), "snapshot_id": answer["snapshot"]["id"]}

        def call() -> None:
            try:
                worker.post("/tool-calls", key, body)
            except OSError as error:
                lost.append(error)

        thread = Thread(target=call)
        thread.start()
        wait_until(lambda: Call.objects.filter(tenant_id=tenant.pk).exists())
        worker.kill()
        thread.join()
    assert len(lost) == 1
    (row,) = Auditor(tenant).calls("?outcome=unknown")
    assert (row["name"], row["outcome"], row["duration_ms"]) == ("waits", "unknown", None)
    with Worker(tmp_path) as worker:
        status, problem = worker.post("/tool-calls", key, body)
        assert (status, problem["code"]) == (409, "call_running")
        status, answer = worker.post(
            "/tools/echo/execute", key, {"arguments": {"value": 1}, "snapshot_id": body["snapshot_id"]}
        )
        assert (status, answer["result"]) == (200, 1)


# Secrets and texts


def stored_arguments(tenant: Tenant) -> list[Any]:
    rows = Call.objects.filter(tenant_id=tenant.pk).order_by("id").values_list("arguments", flat=True)
    return [None if text is None else json.loads(text) for text in rows]


def case_A05_secrets__are_masked_and_the_rest_kept(agent: Agent, profile: AgentProfile) -> None:
    set_tenant(agent.tenant, text_policy=TextPolicy.FULL)
    agent.execute("echo", {"value": SECRETS}, snapshot_id=agent.snapshot())
    agent.run("ghost", SECRETS, snapshot_id=agent.snapshot())
    kept = {"auth": {"Api_Key": MASK, "user": "ann"}, "list": [{"password": MASK, "id": 7}], "note": MASK}
    assert stored_arguments(agent.tenant) == [{"value": kept}, kept]


@pytest.mark.parametrize("mark", [{"writeOnly": True}, {"x-secret": True}])
def rel_A14_what_the_schema_marks__is_masked(agent: Agent, profile: AgentProfile, mark: dict[str, bool]) -> None:
    hidden = {"type": "string", **mark}
    card = {"type": "object", "properties": {"number": {"$ref": "#/$defs/Hidden"}, "owner": {"type": "string"}}}
    value = {
        "type": "object",
        "properties": {
            "plain": {"type": "string"},
            "direct": hidden,
            "cards": {"type": "array", "items": {"$ref": "#/$defs/Card"}},
            "one": {"anyOf": [{"$ref": "#/$defs/Hidden"}, {"type": "null"}]},
            "all": {"allOf": [{"type": "object"}, {"properties": {"code": hidden}}]},
        },
        "additionalProperties": hidden,
    }
    schema = {
        "type": "object",
        "properties": {"value": value},
        "$defs": {"Hidden": hidden, "Card": card, "Loop": {"$ref": "#/$defs/Loop"}},
    }
    edit_tool(Tool.objects.get(owner=agent.tenant, name="echo"), parameters=schema)
    set_tenant(agent.tenant, text_policy=TextPolicy.FULL)
    given = {
        "plain": "p",
        "direct": "S1",
        "cards": [{"number": "S2", "owner": "ann"}],
        "one": "S3",
        "all": {"code": "S4", "kind": "k"},
        "other": "S5",
    }
    agent.execute("echo", {"value": given}, snapshot_id=agent.snapshot())
    assert stored_arguments(agent.tenant) == [
        {
            "value": {
                "plain": "p",
                "direct": MASK,
                "cards": [{"number": MASK, "owner": "ann"}],
                "one": MASK,
                "all": {"code": MASK, "kind": "k"},
                "other": MASK,
            }
        }
    ]


def case_A15_texts_are_not_kept__digests_tell_repeats(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    word = "我的密码是hunter2"
    snapshot = agent.snapshot()
    for value in (word, word, "other"):
        agent.run("echo", {"value": value}, call_id=f"c-{value}", snapshot_id=agent.snapshot())
    for name in (word, word, "ghost"):
        agent.run(name, snapshot_id=snapshot)
    rows = auditor.calls()
    assert word not in json.dumps(rows[3:], ensure_ascii=False)
    assert [row["arguments"] for row in rows] == [None] * 6
    digests = [row["arguments_digest"] for row in rows]
    assert digests[0] == digests[1] != digests[2]
    names = [row["name"] for row in rows[3:]]
    assert names[0] == names[1] != names[2]
    assert all(name.startswith("unknown:") for name in names)
    assert [row["exported_name"] for row in rows[3:]] == names
    set_tenant(agent.tenant, text_policy=TextPolicy.FULL)
    agent.run(word, snapshot_id=snapshot)
    assert auditor.calls()[-1]["name"] == word


def rel_T31_logs__hold_no_arguments_and_no_results(
    agent: Agent, profile: AgentProfile, capfd: pytest.CaptureFixture[str]
) -> None:
    snapshot = agent.snapshot()
    agent.run("fails", {"text": "MARKER-1"}, snapshot_id=snapshot)
    agent.execute("echo", {"value": "MARKER-2"}, snapshot_id=snapshot)
    agent.send_execute("price", {"weight": "MARKER-3"}, snapshot_id=snapshot)
    agent.run("MARKER-4", {}, snapshot_id=snapshot)
    out, err = capfd.readouterr()
    assert "MARKER" not in out + err
