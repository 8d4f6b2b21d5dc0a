"""X2, T7, S34: only what was shown runs, only what is permitted now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from tests.support import (
    deny,
    edit_profile,
    edit_tool,
    fact,
    grant,
    make_group,
    make_profile,
    make_tenant,
    make_tool,
)
from toolcatalog.models import AgentProfile, Tenant, Tool

from .agents import Agent, Auditor, contents, says_calls, searches
from .conftest import make_callback_tool


@pytest.fixture
def profile(tenant: Tenant) -> AgentProfile:
    return make_profile(tenant, resident_tools=("price",))


def age(snapshot: str, by: timedelta) -> str:
    """The id of a copy of the snapshot that is older. Records themselves are never changed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(column_name, ', ') FROM information_schema.columns "
            "WHERE table_name = 'toolcatalog_exposure' AND column_name NOT IN ('id', 'at')"
        )
        (columns,) = cursor.fetchone()
        older = f"SELECT gen_random_uuid(), at - make_interval(secs => %s), {columns} FROM toolcatalog_exposure"
        cursor.execute(
            f"INSERT INTO toolcatalog_exposure (id, at, {columns}) {older} WHERE id = %s RETURNING id",
            [by.total_seconds(), snapshot],
        )
        return str(cursor.fetchone()[0])


def b_X2_shown_tool__runs(agent: Agent, profile: AgentProfile) -> None:
    assert agent.run("price", {"weight": 2}, snapshot_id=agent.snapshot())["result"] == {"yuan": 6, "days": None}
    assert agent.execute("price", {"weight": 2}, snapshot_id=agent.snapshot())["result"] == {"yuan": 6, "days": None}


def b_X2_neither_snapshot_nor_session__409(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    answer = agent.send_calls(says_calls(("a", "price", {"weight": 2})))
    assert (answer.status_code, answer.json()["code"]) == (409, "snapshot_required")
    assert agent.refusal("price", {"weight": 2}) == (409, "snapshot_required")
    assert callbacks.RUNS == []


def b_X2_neither_snapshot_nor_session__a_search_alone_runs(agent: Agent, profile: AgentProfile) -> None:
    assert contents(agent.run_calls(searches("cost of a parcel"))) == [[]]  # the only one that fits is resident
    assert contents(agent.run_calls(searches("status of an order"))) == [["get_order"]]


def rel_T7_guessed_name__is_refused_and_audited(
    agent: Agent, profile: AgentProfile, auditor: Auditor, callbacks: ModuleType
) -> None:
    snapshot = agent.snapshot()
    assert agent.refusal("echo", {}, snapshot_id=snapshot) == (409, "not_exposed")
    assert agent.run("echo", snapshot_id=snapshot)["status"] == "refused"
    assert callbacks.RUNS == []
    rows = [(row["name"], row["outcome"], row["code"], row["door"]) for row in auditor.calls()]
    assert rows == [("echo", "refused", "not_exposed", "execute"), ("echo", "refused", "not_exposed", "tool_calls")]


def fmt_S34_deferred_tool_before_it_was_found__is_refused_and_audited(agent: Agent, auditor: Auditor) -> None:
    answer = agent.resolve(format="anthropic", disclosure="native")
    assert "price" in {tool["name"] for tool in answer["request"]["tools"]}
    message = {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "a", "name": "price", "input": {"weight": 1}}],
    }
    report = agent.run_calls(message, format="anthropic", snapshot_id=answer["snapshot"]["id"])["results"][0]
    assert report["status"] == "refused"
    assert [row["code"] for row in auditor.calls()] == ["not_exposed"]


def case_X03_found_and_called_in_one_message__is_refused_until_it_was_shown(
    agent: Agent, callbacks: ModuleType
) -> None:
    message = says_calls(("1", "toolSearch", {"query": "cost of a parcel"}), ("2", "price", {"weight": 1}))
    answer = agent.run_calls(message, snapshot_id=agent.snapshot())
    assert [report["status"] for report in answer["results"]] == ["ok", "refused"]
    edit_profile(AgentProfile.objects.get(tenant=agent.tenant), execute_gate=False)
    answer = agent.run_calls(message, snapshot_id=agent.snapshot())
    assert [report["status"] for report in answer["results"]] == ["ok", "ok"]


@pytest.mark.parametrize(("hours", "expected"), [(23.9, 200), (24.1, 409)])
def b_X2_snapshot__is_good_for_24_hours(agent: Agent, profile: AgentProfile, hours: float, expected: int) -> None:
    old = age(agent.snapshot(), timedelta(hours=hours))
    assert agent.send_execute("price", {"weight": 1}, snapshot_id=old).status_code == expected
    assert agent.run("price", {"weight": 1}, snapshot_id=old)["status"] == ("ok" if expected == 200 else "refused")


def b_X2_hours_of_the_profile__count_and_valid_until_does_not(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, gate_hours=48, valid_for_seconds=0)
    old = age(agent.snapshot(), timedelta(hours=47))
    assert agent.execute("price", {"weight": 1}, snapshot_id=old)["status"] == "ok"
    edit_profile(profile, gate_hours=1)
    assert agent.refusal("price", {"weight": 1}, snapshot_id=old) == (409, "not_exposed")


def rel_F11_clock_of_this_process_is_a_day_off__the_gate_is_as_it_was(agent: Agent, profile: AgentProfile) -> None:
    fresh, old = agent.snapshot(), age(agent.snapshot(), timedelta(hours=30))
    for days in (-1, 1):
        with time_machine.travel(timezone.now() + timedelta(days=days), tick=True):
            assert agent.execute("price", {"weight": 1}, snapshot_id=fresh)["status"] == "ok"
            assert agent.refusal("price", {"weight": 1}, snapshot_id=old) == (409, "not_exposed")


def b_X2_session__remembers_what_was_shown_and_found(agent: Agent) -> None:
    assert agent.refusal("price", {"weight": 1}, session_id="s-1") == (409, "not_exposed")
    agent.search("cost of a parcel", session_id="s-1")
    assert agent.execute("price", {"weight": 1}, session_id="s-1")["status"] == "ok"
    assert agent.run("price", {"weight": 1}, session_id="s-1")["status"] == "ok"
    assert agent.refusal("echo", {}, session_id="s-1") == (409, "not_exposed")
    make_group(agent.tenant, "sounds", ["echo"])
    agent.resolve(session_id="s-1")
    assert agent.execute("echo", {}, session_id="s-1")["status"] == "ok"


def b_X2_session_of_another_tenant_or_profile__shows_nothing(agent: Agent) -> None:
    agent.search("cost of a parcel", session_id="s-1")
    make_profile(agent.tenant, "other")
    assert agent.refusal("price", {"weight": 1}, session_id="s-1", profile="other") == (409, "not_exposed")
    rival = Agent(make_tenant())
    make_callback_tool(rival.tenant, "price")
    assert rival.refusal("price", {"weight": 1}, session_id="s-1") == (409, "not_exposed")


def b_X2_snapshot_of_another_tenant__is_unknown(agent: Agent, profile: AgentProfile) -> None:
    rival = Agent(make_tenant())
    make_callback_tool(rival.tenant, "price")
    snapshot = agent.snapshot()
    assert rival.refusal("price", {"weight": 1}, snapshot_id=snapshot) == (422, "unknown_snapshot")
    assert rival.send_calls(says_calls(("a", "price", {})), snapshot_id=snapshot).status_code == 422


def b_X2_gate_off__permission_alone_decides(agent: Agent, profile: AgentProfile) -> None:
    edit_profile(profile, execute_gate=False)
    assert agent.execute("echo", {"value": 1})["result"] == 1
    assert agent.run("echo", {"value": 1})["result"] == 1
    assert agent.refusal("ghost", {}) == (404, "unknown_tool")


Change = Callable[[Tenant], Any]


def _disable(tenant: Tenant) -> None:
    edit_tool(Tool.objects.get(owner=tenant, name="price"), status="disabled")


def _restrict(tenant: Tenant) -> None:
    make_group(tenant, "paying", ["price"], fact("plan", "equals", "premium"), restricts_access=True)


def _take_out_of_scope(tenant: Tenant) -> None:
    profile = AgentProfile.objects.get(tenant=tenant)
    edit_profile(profile, resident_tools=(), search={"exclude_tools": ("price",)})


@pytest.mark.parametrize("change", [_disable, _restrict, _take_out_of_scope])
@pytest.mark.parametrize("gate", [True, False])
def b_X2_permission_withdrawn_after_the_tool_was_shown__refused(
    agent: Agent, profile: AgentProfile, callbacks: ModuleType, change: Change, gate: bool
) -> None:
    edit_profile(profile, execute_gate=gate)
    snapshot = agent.snapshot()
    change(agent.tenant)
    assert agent.send_execute("price", {"weight": 1}, snapshot_id=snapshot).status_code == 409
    assert agent.run("price", {"weight": 1}, snapshot_id=snapshot)["status"] == "refused"
    assert callbacks.RUNS == []


def b_X2_grant_revoked_after_the_tool_was_shown__is_as_if_it_never_was(agent: Agent, callbacks: ModuleType) -> None:
    make_callback_tool(None, "shared_echo", callback="post.echo")
    grant(agent.tenant, "shared_echo")
    make_profile(agent.tenant, resident_tools=("shared_echo",))
    snapshot = agent.snapshot()
    assert agent.execute("shared_echo", {"value": 1}, snapshot_id=snapshot)["result"] == 1
    deny(agent.tenant, "shared_echo")
    callbacks.RUNS.clear()
    assert agent.refusal("shared_echo", {}, snapshot_id=snapshot) == (404, "unknown_tool")
    assert agent.refusal("ghost", {}, snapshot_id=snapshot) == (404, "unknown_tool")
    assert agent.run("shared_echo", snapshot_id=snapshot)["status"] == "refused"
    assert callbacks.RUNS == []


def case_P05_tool_of_a_group_that_does_not_match__is_refused_unless_shown_otherwise(agent: Agent) -> None:
    make_profile(agent.tenant, search={"exclude_tools": ("echo",)})
    make_group(agent.tenant, "loud", ["echo"], fact("loud", "is_true"), restricts_access=False)
    assert agent.refusal("echo", {}, snapshot_id=agent.snapshot()) == (409, "not_exposed")
    shown = agent.snapshot(context={"attributes": {"loud": True}})
    assert agent.execute("echo", {}, snapshot_id=shown)["status"] == "ok"


def case_N11_two_tenants_with_one_name__each_runs_its_own(agent: Agent, profile: AgentProfile) -> None:
    rival = Agent(make_tenant())
    make_callback_tool(rival.tenant, "price", callback="post.about")
    make_profile(rival.tenant, resident_tools=("price",))
    assert rival.execute("price", {}, snapshot_id=rival.snapshot())["result"]["tenant"] == rival.tenant.slug
    (row,) = Auditor(rival.tenant).calls()
    assert row["tool_id"] == Tool.objects.get(owner=rival.tenant, name="price").pk


def b_X2_body_that_contradicts_its_snapshot__422(agent: Agent, profile: AgentProfile, callbacks: ModuleType) -> None:
    make_profile(agent.tenant, "other")
    snapshot = agent.snapshot(context={"account_id": "a-1", "attributes": {"plan": "x"}})
    for body in (
        {"profile": "other"},
        {"context": {"account_id": "a-2"}},
        {"context": {"attributes": {"plan": "premium"}}},
        {"context": {"conversation_id": "c"}},
    ):
        assert agent.refusal("price", {"weight": 1}, snapshot_id=snapshot, **body) == (422, "contradicts_snapshot")
        answer = agent.send_calls(says_calls(("a", "price", {"weight": 1})), snapshot_id=snapshot, **body)
        assert (answer.status_code, answer.json()["code"]) == (422, "contradicts_snapshot")
    assert callbacks.RUNS == []
    same = {"profile": "default", "context": {"account_id": "a-1", "attributes": {"plan": "x"}}}
    assert agent.execute("price", {"weight": 1}, snapshot_id=snapshot, **same)["status"] == "ok"


def b_X2_context_of_the_snapshot__is_what_the_callback_sees(agent: Agent) -> None:
    make_profile(agent.tenant, resident_tools=("about",))
    context = {"account_id": "a-1", "conversation_id": "c-1", "model": "m", "attributes": {"plan": "gold"}}
    told = agent.execute("about", {}, snapshot_id=agent.snapshot(context=context))["result"]
    assert {**told, "request": ""} == {
        "tenant": agent.tenant.slug,
        "account": "a-1",
        "conversation": "c-1",
        "model": "m",
        "plan": "gold",
        "request": "",
    }


def rel_T1_body_that_names_another_tenant__403(agent: Agent, profile: AgentProfile) -> None:
    snapshot = agent.snapshot()
    assert agent.refusal("price", {"weight": 1}, snapshot_id=snapshot, tenant="rival") == (403, "other_tenant")
    assert agent.send_calls(says_calls(("a", "price", {})), tenant="rival").status_code == 403


def b_X2_names_that_are_not_in_the_catalog__without_a_snapshot_are_the_callers(agent: Agent) -> None:
    answer = agent.run_calls(says_calls(("a", "my_own", {"x": 1})))
    assert [call["name"] for call in answer["unhandled"]] == ["my_own"]
    assert answer["messages"] == []


def b_X9_execute_of_a_tool_that_the_caller_runs__409(agent: Agent) -> None:
    assert agent.refusal("get_order", {"orderNo": "A"}, snapshot_id=agent.snapshot()) == (409, "not_executable")
    assert agent.refusal("get_order", {}) == (409, "not_executable")


def test_make_tool__client__is_what_a_tool_is_by_itself(agent: Agent) -> None:
    make_tool(agent.tenant, "plain")
    assert agent.refusal("plain", {}) == (409, "not_executable")
