"""A10, A13: what was refused is on record too: whose key, what, why, how long it took; and no word of the body."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import ProgrammingError, connection, transaction

from tests.api.conftest import Api
from toolcatalog.curation import revoke_api_key
from toolcatalog.models import Call

from .agents import Agent, Auditor, says_calls

SECRET = "SECRET-WORDS"
CALL = says_calls(("c-1", "price", {"weight": 1, "note": SECRET}))
REFUSED: list[tuple[str, Any, int, str | None, str]] = [
    ("/tools/price/execute", b"{" + SECRET.encode(), 400, "unreadable", "price"),
    ("/tools/price/execute", {"arguments": SECRET}, 422, "invalid", "price"),
    ("/tools/price/execute", {"tenant": "another"}, 403, "other_tenant", "price"),
    ("/tools/price/execute", {"profile": "none"}, 422, "unknown_profile", "price"),
    ("/tools/price/execute", {"snapshot_id": "01a22b2e-91d1-70a9-b55b-0cdc351fd93a"}, 422, "unknown_snapshot", "price"),
    ("/tools/price/execute", {"arguments": {"weight": 1}}, 409, "snapshot_required", "price"),
    ("/tool-calls", b"\xff" + SECRET.encode(), 400, "unreadable", "(unread)"),
    ("/tool-calls", {"format": SECRET, "message": CALL}, 422, "unknown_format", "(unread)"),
    ("/tool-calls", {"message": {"role": "assistant", "tool_calls": SECRET}}, 422, None, "(unread)"),
    ("/tool-calls", {"message": CALL}, 409, "snapshot_required", "price"),
]


@pytest.mark.parametrize(("path", "body", "status", "code", "name"), REFUSED)
def rel_A13_refused_request__is_one_row_without_its_body(
    agent: Agent, auditor: Auditor, path: str, body: Any, status: int, code: str | None, name: str
) -> None:
    answer = agent.api.send("POST", path, body) if isinstance(body, bytes) else agent.api.post(path, body)
    assert answer.status_code == status, answer.content
    (row,) = auditor.calls()
    assert row["code"] == answer.json()["code"] == (code or row["code"])
    assert (row["outcome"], row["name"], row["exported_name"]) == ("refused", name, name)
    assert row["door"] == ("tool_calls" if path == "/tool-calls" else "execute")
    assert row["api_key"] == {"name": "tests", "prefix": row["api_key"]["prefix"]}
    assert row["duration_ms"] >= 0
    assert row["request_id"] == answer["X-Request-ID"]
    assert SECRET not in str(Call.objects.values())


def rel_A13_key_without_the_scope__is_on_record(agent: Agent, auditor: Auditor) -> None:
    searcher = Agent(agent.tenant, "resolve")
    assert searcher.send_execute("price", {"weight": 1}).status_code == 403
    assert Agent(agent.tenant, "curate").send_calls(CALL).status_code == 403
    assert [(row["door"], row["code"], row["name"]) for row in auditor.calls()] == [
        ("execute", "missing_scope", "price"),
        ("tool_calls", "missing_scope", "(unread)"),
    ]


def rel_A13_names_that_mean_nothing__are_digests(agent: Agent, auditor: Auditor) -> None:
    assert Agent(agent.tenant, "resolve").send_execute(SECRET).status_code == 403
    (row,) = auditor.calls()
    assert row["name"].startswith("unknown:")
    assert row["tool_id"] is None


def case_A08_wrong_or_revoked_key__leaves_no_row_and_no_part_of_itself(agent: Agent, auditor: Auditor) -> None:
    """Such a request is nobody's: there is no tenant whose audit could hold it."""
    assert Api("tc_wrong_key").post("/tool-calls", {"message": CALL}).status_code == 401
    revoke_api_key(agent.key.key)
    assert agent.send_calls(CALL).status_code == 401
    assert auditor.calls() == []


def rel_A13_refusal_that_is_recorded_with_its_call__is_one_row(agent: Agent, auditor: Auditor) -> None:
    snapshot = agent.snapshot()
    assert agent.refusal("price", {"weight": 1}, snapshot_id=snapshot) == (409, "not_exposed")
    assert agent.refusal("unknown_tool", snapshot_id=snapshot) == (404, "unknown_tool")
    assert [row["code"] for row in auditor.calls()] == ["not_exposed", "unknown_tool"]


def case_A10_refused_call__the_denial_is_there_and_cannot_be_taken_away(agent: Agent, auditor: Auditor) -> None:
    assert agent.refusal("price", {"weight": 1}, snapshot_id=agent.snapshot()) == (409, "not_exposed")
    for statement in ("DELETE FROM toolcatalog_call", "UPDATE toolcatalog_call_end SET outcome = 'ok'"):
        with pytest.raises(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    (row,) = auditor.calls()
    assert (row["outcome"], row["code"], row["name"]) == ("refused", "not_exposed", "price")
