"""What a catalog answers, for tests that need no real one."""

from __future__ import annotations

from typing import Any

from .servers import Answer, Received

TOOL = {"type": "function", "function": {"name": "get_order", "description": "d", "parameters": {"type": "object"}}}
ADDITIONS = "Only orders of this account."


def resolve_body(request: Any, *, number: int = 1, valid_for: int = 60, additions: str = ADDITIONS) -> dict[str, Any]:
    """The answer of resolve to a body in the form of OpenAI Chat: one tool, and one addition to the system prompt."""
    messages = request.get("messages") or [{"role": "user", "content": request.get("prompt")}]
    digest = f"sha256:{additions}"
    unchanged = request.get("if_digest") == digest
    body: dict[str, Any] = {
        "snapshot": {
            "id": f"00000000-0000-7000-8000-{number:012d}",
            "digest": digest,
            "catalog_revision": 7,
            "created_at": "2026-03-01T00:00:00Z",
            "valid_until": f"2026-03-01T00:{valid_for // 60:02d}:{valid_for % 60:02d}Z",
        },
        "unchanged": unchanged,
        "tool_names": ["get_order"],
        "groups": [{"name": "order", "matched": True, "reason": "TARGETING_MATCH"}],
        "active_tools": [],
        "omitted": [],
        "name_map": {"get_order": "get_order"},
        "argument_maps": {},
        "usage": {
            "snapshot_tokens": 1,
            "catalog_tokens": 2,
            "saved_percent": 50.0,
            "tokenizer": "o200k_base",
            "catalog_tools": 1,
        },
        "notices": [],
        "explanation": None,
    }
    if not unchanged and "request" in request.get("return", ["request"]):
        body["request"] = {"messages": merge(messages, additions), "tools": [TOOL]}
    if not unchanged and "tools" in request.get("return", []):
        body["tools"] = [TOOL]
    return body


def merge(messages: list[Any], additions: str) -> list[Any]:
    """The messages with the additions in their system message."""
    if messages and messages[0]["role"] == "system":
        return [{**messages[0], "content": f"{messages[0]['content']}\n\n{additions}"}, *messages[1:]]
    return [{"role": "system", "content": additions}, *messages]


def answer_resolve(request: Received) -> Answer:
    """Answers every resolve."""
    return Answer(body=resolve_body(request.body))


def calls_body(**parts: Any) -> dict[str, Any]:
    """The answer of tool-calls."""
    return {"messages": [], "unhandled": [], "results": [], "notices": [], **parts}


def chat_calls(*calls: tuple[str, str, str]) -> dict[str, Any]:
    """An assistant's message with calls, each of id, name and arguments."""
    entries = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
        for call_id, name, arguments in calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": entries}


def user(text: str) -> dict[str, Any]:
    """What a person says."""
    return {"role": "user", "content": text}
