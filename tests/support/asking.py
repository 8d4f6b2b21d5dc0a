"""Asks what agent services ask: resolve, search and availability, without the HTTP around them."""

from __future__ import annotations

from typing import Any

import orjson
from django.db import connection

from toolcatalog import resolution
from toolcatalog.contract.resolve import (
    Availability,
    Caller,
    ContextInput,
    Explanation,
    ResolveAnswer,
    ResolveRequest,
    SearchAnswer,
    SearchRequest,
)
from toolcatalog.models import Tenant

__all__ = [
    "availability",
    "caller_of",
    "explain",
    "make_resolve_request",
    "make_search_request",
    "own_tool",
    "resolve",
    "search",
    "sent",
    "take_time",
]

_CONTEXT = frozenset(ContextInput.__slots__)


def caller_of(tenant: Tenant, *scopes: str, profiles: tuple[str, ...] = ()) -> Caller:
    """A caller with a key of the tenant that may resolve, and what `scopes` adds."""
    return Caller(tenant.pk, scopes=frozenset({"resolve", *scopes}), profiles=profiles, request_id="request-of-tests")


def make_resolve_request(message: str | None = None, *, attributes: Any = None, **fields: Any) -> ResolveRequest:
    """A request that says `message`, unless `messages` are given. Fields of the context may stand among the others."""
    context = {name: fields.pop(name) for name in list(fields) if name in _CONTEXT}
    if "messages" not in fields and "prompt" not in fields:
        fields["prompt"] = "hello" if message is None else message
    return ResolveRequest(context=ContextInput(**context, attributes=attributes or {}), **fields)


def make_search_request(query: Any, *, attributes: Any = None, **fields: Any) -> SearchRequest:
    """A search. Fields of the context may stand among the others; without any there is no context."""
    context = {name: fields.pop(name) for name in list(fields) if name in _CONTEXT}
    if attributes is not None:
        context["attributes"] = attributes
    return SearchRequest(query, context=ContextInput(**context) if context else None, **fields)


def resolve(
    tenant: Tenant, message: str | None = None, *, caller: Caller | None = None, **fields: Any
) -> ResolveAnswer:
    """What the tenant's model may see: `resolve(tenant, "查询订单", account_id="a", profile="bot")`."""
    return resolution.resolve(make_resolve_request(message, **fields), caller or caller_of(tenant))


def search(tenant: Tenant, query: Any, *, caller: Caller | None = None, **fields: Any) -> SearchAnswer:
    """What a search answers: `search(tenant, "weather", max_results=3)`."""
    return resolution.search(make_search_request(query, **fields), caller or caller_of(tenant))


def availability(
    tenant: Tenant, name: str, message: str | None = None, *, caller: Caller | None = None, **fields: Any
) -> Availability:
    """Whether one tool would be in the answer."""
    return resolution.check_availability(name, make_resolve_request(message, **fields), caller or caller_of(tenant))


def explain(tenant: Tenant, message: str | None = None, **fields: Any) -> Explanation:
    """Everything that led to the answer."""
    explanation = resolve(tenant, message, explain=True, **fields).explanation
    assert explanation is not None
    return explanation


def sent(answer: ResolveAnswer) -> list[dict[str, Any]]:
    """The tool list of the answer, as the caller reads it."""
    tools: list[dict[str, Any]] = orjson.loads(orjson.dumps(answer.tools))
    return tools


def own_tool(name: str) -> dict[str, Any]:
    """A tool that a caller brings along."""
    return {"name": name, "description": "The caller's.", "parameters": {"type": "object", "properties": {}}}


def take_time() -> None:
    """Let the present transaction, which is a whole test, take longer than that of one request may."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', '60s', true)")
        # Known from PostgreSQL 17 on; older servers have no such limit.
        cursor.execute("SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'")
