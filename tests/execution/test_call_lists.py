"""`GET /calls`: filters, pages, streams, and what joins the rows of one conversation (A9, A16)."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.support import grant, make_group, make_profile
from toolcatalog.models import AgentProfile, Tool

from .agents import Agent, Auditor, read, searches
from .conftest import make_callback_tool, make_catalog


@pytest.fixture
def profile(agent: Agent) -> AgentProfile:
    make_group(agent.tenant, "post", ["echo", "fails"])
    return make_profile(agent.tenant)


def case_A16_one_correlation_id__joins_resolve_search_and_calls(
    agent: Agent, profile: AgentProfile, auditor: Auditor
) -> None:
    ways: list[tuple[dict[str, Any], dict[str, str], str]] = [
        ({"context": {"conversation_id": "c-1"}}, {}, "c-1"),
        ({"session_id": "s-1"}, {}, "s-1"),
        ({}, {"x_correlation_id": "x-1"}, "x-1"),
    ]
    for body, headers, wanted in ways:
        snapshot = agent.resolve(headers=headers, **body)["snapshot"]["id"]
        session: dict[str, Any] = {"session_id": body["session_id"]} if "session_id" in body else {}
        agent.run_calls(searches("order"), snapshot_id=snapshot, headers=headers, **session)
        agent.run("echo", {"value": 1}, snapshot_id=snapshot, headers=headers, **session)
        agent.execute("echo", {"value": 2}, snapshot_id=snapshot, headers=headers, **session)
        agent.search("order", headers=headers, **body)
        kinds = [row["kind"] for row in auditor.exposures(f"?correlation_id={wanted}")]
        assert kinds == ["resolve", "search", "search"], wanted
        assert [row["door"] for row in auditor.calls(f"?correlation_id={wanted}")] == ["tool_calls", "execute"]


def test_calls__every_filter__narrows(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    contexts = [
        {"account_id": "a-1", "conversation_id": "c-1", "model": "m-1"},
        {"account_id": "a-2", "conversation_id": "c-2", "model": "m-2"},
    ]
    shown = [agent.snapshot(context=context) for context in contexts]
    agent.run("echo", {"value": 1}, snapshot_id=shown[0], headers={"x_request_id": "r-1"})
    agent.run("fails", snapshot_id=shown[1])
    agent.run("rich", snapshot_id=shown[1])
    first, second, third = auditor.calls()
    for query, wanted in (
        ("tool=echo", [first]),
        ("group=post", [first, second]),
        ("account=a-1", [first]),
        ("account_id=a-1", [first]),
        ("conversation_id=c-2", [second, third]),
        ("conversation=c-2", [second, third]),
        ("model=m-2", [second, third]),
        ("outcome=ok", [first]),
        ("outcome=error", [second]),
        ("outcome=refused", [third]),
        ("outcome=unknown", []),
        ("request_id=r-1", [first]),
        (f"since={first['at'].replace('+', '%2B')}", [first, second, third]),
        (f"until={first['at'].replace('+', '%2B')}", []),
        (f"since={third['at'].replace('+', '%2B')}", [third]),
    ):
        assert auditor.calls(f"?{query}") == wanted, query
    assert auditor.api.get("/calls?outcom=ok").status_code == 422
    assert auditor.api.get("/calls?since=yesterday").status_code == 422


def test_calls__pages__show_each_row_once(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    snapshot = agent.snapshot()
    for number in range(7):
        agent.run("echo", {"value": number}, call_id=f"c-{number}", snapshot_id=snapshot)
    seen, url = [], "/calls?page_size=3"
    while url:
        page = read(auditor.api.get(url))
        seen += [row["call_id"] for row in page["results"]]
        url = page["next"] and page["next"].split("/api/v1", 1)[1]
    assert seen == [f"c-{number}" for number in reversed(range(7))]


def test_calls__csv_and_json_lines__hold_all_of_them(agent: Agent, profile: AgentProfile, auditor: Auditor) -> None:
    snapshot = agent.snapshot()
    for number in range(60):
        agent.run("echo", {"value": number}, call_id=f"=c-{number}", snapshot_id=snapshot)
    agent.run("rich", snapshot_id=snapshot)
    table = b"".join(auditor.api.get("/calls", accept="text/csv").streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == 61
    assert (rows[0]["name"], rows[0]["outcome"], rows[0]["code"]) == ("rich", "refused", "not_exposed")
    assert (rows[1]["call_id"], rows[1]["groups"], rows[1]["api_key"]) == ("'=c-59", "post", "tests")
    listed = next(call for call in auditor.calls() if call["id"] == rows[1]["id"])
    assert (rows[1]["at"], rows[1]["api_key_prefix"]) == (listed["at"], listed["api_key"]["prefix"])
    assert rows[1]["arguments_digest"] == listed["arguments_digest"]
    lines = b"".join(auditor.api.get("/calls?outcome=ok", accept="application/x-ndjson").streaming_content)
    assert [json.loads(line)["call_id"] for line in lines.splitlines()] == [f"=c-{n}" for n in reversed(range(60))]
    assert json.loads(lines.splitlines()[0])["at"] == listed["at"]


def test_exposures__csv_and_json_lines__say_what_the_pages_say(
    agent: Agent, profile: AgentProfile, auditor: Auditor
) -> None:
    agent.resolve(context={"account_id": "-a"})
    listed = auditor.exposures()[0]
    table = b"".join(auditor.api.get("/exposures", accept="text/csv").streaming_content).decode()
    row = next(csv.DictReader(io.StringIO(table)))
    for name in ("id", "at", "kind", "profile", "digest", "request_id", "text_digest"):
        assert row[name] == listed[name], name
    assert (row["account"], row["api_key"], row["api_key_prefix"]) == ("'-a", "tests", listed["api_key"]["prefix"])
    lines = b"".join(auditor.api.get("/exposures", accept="application/x-ndjson").streaming_content)
    assert json.loads(lines) == listed


def rel_A9_calls_of_another_tenant__are_not_there(agent: Agent, profile: AgentProfile) -> None:
    agent.run("echo", snapshot_id=agent.snapshot())
    rival = make_catalog()
    assert Auditor(rival).calls() == []
    assert agent.api.get("/calls").status_code == 403


def test_calls__queries__do_not_grow_with_the_rows(
    agent: Agent, profile: AgentProfile, auditor: Auditor, django_assert_max_num_queries: Any
) -> None:
    snapshot = agent.snapshot()
    for number in range(30):
        agent.run("echo", {"value": number}, call_id=f"c-{number}", snapshot_id=snapshot)
    with django_assert_max_num_queries(6):
        assert len(auditor.calls()) == 30


def test_urls__calls__has_no_other_methods(auditor: Auditor) -> None:
    assert auditor.api.post("/calls", {}).status_code == 405


def case_A06_shared_tool__is_on_record_with_its_own_id(agent: Agent, auditor: Auditor) -> None:
    make_callback_tool(None, "shared_echo", callback="post.echo")
    grant(agent.tenant, "shared_echo")
    make_profile(agent.tenant, resident_tools=("shared_echo",))
    assert agent.run("shared_echo", {"value": 1}, snapshot_id=agent.snapshot())["result"] == 1
    assert auditor.calls()[0]["tool_id"] == Tool.objects.get(owner=None, name="shared_echo").pk
