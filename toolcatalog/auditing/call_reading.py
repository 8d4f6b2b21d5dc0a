"""Calls for auditors: what was asked for, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.expressions import Value
from django.db.models.functions import Coalesce

from toolcatalog.models import ApiKey, Call, CallEnd

UNKNOWN = "unknown"
"""The outcome of a call that has no end on record: it may have run."""


def calls_of(tenant_id: int) -> QuerySet[Call]:
    """The tenant's calls, newest first, each with its `outcome`, `code` and `duration_ms`."""
    return with_ends(Call.objects.filter(tenant_id=tenant_id)).order_by("-at", "-id")


def with_ends(calls: QuerySet[Call]) -> QuerySet[Call]:
    """The calls, each with its `outcome`, `code` and `duration_ms`; one that has no end yet is `unknown`."""
    end = CallEnd.objects.filter(tenant_id=OuterRef("tenant_id"), id=OuterRef("id"))
    return calls.annotate(
        outcome=Coalesce(Subquery(end.values("outcome")[:1]), Value(UNKNOWN)),
        code=Coalesce(Subquery(end.values("code")[:1]), Value("")),
        duration_ms=Subquery(end.values("duration_ms")[:1]),
    )


def render_calls(calls: Sequence[Any]) -> list[dict[str, Any]]:
    """Calls as JSON objects; `calls` come from `calls_of`. One query for the names of keys."""
    keys = {key.pk: key for key in ApiKey.objects.filter(pk__in={call.api_key_id for call in calls})}
    return [_render(call, keys.get(call.api_key_id)) for call in calls]


def _render(call: Any, key: ApiKey | None) -> dict[str, Any]:
    return {
        "id": call.id,
        "at": call.at,
        "door": call.door,
        "outcome": call.outcome,
        "code": call.code,
        "duration_ms": call.duration_ms,
        "call_id": call.call_id,
        "tool_id": call.tool_id,
        "name": call.name,
        "exported_name": call.exported_name,
        "revision": call.revision,
        "version": call.version,
        "reasons": call.reasons,
        "groups": call.groups,
        "exposure_id": call.exposure_id,
        "api_key": None if key is None else {"name": key.name, "prefix": key.prefix},
        "account": call.account,
        "model": call.model,
        "conversation_id": call.conversation_id,
        "session_id": call.session_id,
        "correlation_id": call.correlation_id,
        "request_id": call.request_id,
        "arguments_digest": None if call.arguments_digest is None else bytes(call.arguments_digest).hex(),
        "arguments": call.arguments,
    }
