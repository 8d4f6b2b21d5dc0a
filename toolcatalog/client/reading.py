"""Reads answers of the API into dataclasses. What is not in the API's form raises UnreadableAnswer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from .answers import (
    Availability,
    CallReport,
    ExecuteAnswer,
    ExecutedTool,
    FoundTool,
    GroupAnswer,
    Notice,
    Omission,
    ResolveAnswer,
    SearchAnswer,
    SessionTools,
    Snapshot,
    ToolCallsAnswer,
    UnhandledCall,
    Usage,
)
from .errors import UnreadableAnswer
from .exchange import Reply

Answer = TypeVar("Answer")


def read_answer(reply: Reply, read: Callable[[dict[str, Any]], Answer]) -> Answer:
    """The answer in the body of a reply. Raises UnreadableAnswer."""
    try:
        return read(json.loads(reply.body))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableAnswer(
            f"HTTP status {reply.status} with a body that is not the catalog's: is this its address?",
            status=reply.status,
            request_id=reply.headers.get("x-request-id", ""),
        ) from error


def read_resolve(body: dict[str, Any], format_: str) -> ResolveAnswer:
    """The answer of resolve as the server sent it."""
    return ResolveAnswer(
        snapshot=_read_snapshot(body["snapshot"]),
        request=body.get("request"),
        tools=body.get("tools"),
        system_prompt=body.get("system_prompt"),
        messages=body.get("messages"),
        tool_names=tuple(body.get("tool_names", ())),
        groups=tuple(GroupAnswer(group["name"], group["matched"], group["reason"]) for group in body.get("groups", ())),
        active_tools=tuple(body.get("active_tools", ())),
        omitted=tuple(Omission(tool["name"], tool["reason"]) for tool in body.get("omitted", ())),
        name_map=body.get("name_map", {}),
        argument_maps=body.get("argument_maps", {}),
        usage=_read_usage(body.get("usage")),
        notices=_read_notices(body),
        explanation=body.get("explanation"),
        format=format_,
        unchanged=body.get("unchanged", False),
    )


def read_search(body: dict[str, Any]) -> SearchAnswer:
    """The answer of search."""
    return SearchAnswer(
        names=tuple(body["names"]),
        results=tuple(_read_found(hit) for hit in body["results"]),
        outcome=body["outcome"],
        hint=body.get("hint"),
        notices=_read_notices(body),
        explanation=body.get("explanation"),
    )


def read_tool_calls(body: dict[str, Any]) -> ToolCallsAnswer:
    """The answer of tool-calls."""
    return ToolCallsAnswer(
        messages=tuple(body["messages"]),
        unhandled=tuple(
            UnhandledCall(call["call_id"], call["name"], call["exported_name"], call["arguments"])
            for call in body["unhandled"]
        ),
        results=tuple(
            CallReport(
                call["call_id"],
                call["name"],
                call["status"],
                call.get("result"),
                call["duration_ms"],
                call["message"],
            )
            for call in body["results"]
        ),
        notices=_read_notices(body),
    )


def read_execute(body: dict[str, Any]) -> ExecuteAnswer:
    """The answer of execute."""
    tool = body["tool"]
    ran = ExecutedTool(tool["name"], tool["version"], tool["revision"])
    return ExecuteAnswer(body["status"], body.get("result"), body["duration_ms"], ran, _read_notices(body))


def read_session_tools(body: dict[str, Any]) -> SessionTools:
    """The answer of a call that sets a session's own tools."""
    return SessionTools(body["session_id"], body["profile"], tuple(body["tool_names"]), _read_notices(body))


def read_availability(body: dict[str, Any]) -> Availability:
    """The answer of availability."""
    return Availability(body["available"], body["reason"], body["retryable"], body["detail"], _read_notices(body))


def _read_snapshot(body: dict[str, Any]) -> Snapshot:
    return Snapshot(
        id=body["id"],
        digest=body["digest"],
        catalog_revision=body["catalog_revision"],
        created_at=datetime.fromisoformat(body["created_at"]),
        valid_until=datetime.fromisoformat(body["valid_until"]),
    )


def _read_usage(body: dict[str, Any] | None) -> Usage | None:
    if body is None:
        return None
    return Usage(
        body["snapshot_tokens"],
        body["catalog_tokens"],
        body["saved_percent"],
        body["tokenizer"],
        body["catalog_tools"],
    )


def _read_notices(body: dict[str, Any]) -> tuple[Notice, ...]:
    return tuple(Notice(notice["code"], notice["name"], notice["detail"]) for notice in body.get("notices", ()))


def _read_found(hit: dict[str, Any]) -> FoundTool:
    return FoundTool(
        name=hit["name"],
        title=hit["title"],
        description=hit["description"],
        category=hit["category"],
        tags=tuple(hit["tags"]),
        score=hit["score"],
        matched_on=tuple(hit["matched_on"]),
        exported_name=hit.get("exported_name"),
    )
