"""Writes the audit of calls: a row before anything runs, a row when it has ended. A missing end reads as unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from toolcatalog.contract.catalog import TenantRecord, TextPolicy
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.json import JsonObject, dump_canonical_json, dump_json
from toolcatalog.models.exposures import make_uuid7

from .record import digest_text
from .redaction import redact_arguments

MAX_KEPT = 256
"""How many characters are kept of names and ids that callers make up."""


@dataclass(frozen=True, slots=True)
class CallEntry:
    """What is written of one call when it is taken on. `arguments` are canonical; secrets are masked here.

    `door` is the way it came: `tool_calls`, `execute`, `meta`, `mcp` or `admin`. `exposure_id`, `reasons` and `groups`
    say on the strength of what the model knew the tool. Where `is_known` is false the names are text of the model: they
    are kept as digests, unless the tenant keeps texts.
    """

    door: str
    tenant: TenantRecord
    api_key_id: int | None
    profile_id: int | None
    request_id: str
    context: EvaluationContext
    call_id: str
    name: str
    exported_name: str
    is_known: bool = True
    tool_id: int | None = None
    revision: int | None = None
    version: str = ""
    exposure_id: UUID | None = None
    reasons: Sequence[str] = ()
    groups: Sequence[str] = ()
    session_id: str | None = None
    correlation_id: str | None = None
    arguments: JsonObject | None = None
    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """How a call ended: `ok`, `error`, `refused` or `timeout`; `code` is the reason of anything but `ok`."""

    outcome: str
    duration_ms: int
    code: str = ""
    result: object = None


_COLUMNS = (
    "id", "door", "tenant_id", "api_key_id", "profile_id", "exposure_id", "call_id", "tool_id", "name", "exported_name",
    "revision", "version", "reasons", "groups", "account", "model", "conversation_id", "session_id", "correlation_id",
    "request_id", "arguments_digest", "arguments",
)  # fmt: skip
_START = f"INSERT INTO toolcatalog_call ({', '.join(_COLUMNS)}) VALUES ({', '.join(['%s'] * len(_COLUMNS))})"
_END = (
    "INSERT INTO toolcatalog_call_end (id, tenant_id, outcome, code, duration_ms, result_digest) "
    "VALUES (%s, %s, %s, %s, %s, %s)"
)


def start_calls(entries: Sequence[CallEntry]) -> list[UUID]:
    """Write a row for each call, before it runs. Answers their ids. Where this fails, nothing may run."""
    ids = [make_uuid7() for _ in entries]
    rows = [_row(entry, call_id) for entry, call_id in zip(entries, ids, strict=True)]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_START, rows)
    return ids


def end_calls(tenant: TenantRecord, ends: Sequence[tuple[UUID, CallOutcome]]) -> None:
    """Write how calls ended."""
    rows = [
        (call_id, tenant.id, end.outcome, end.code[:64], end.duration_ms, _digest(tenant, end.result))
        for call_id, end in ends
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_END, rows)


def _keep_name(entry: CallEntry, name: str) -> str:
    if entry.is_known or entry.tenant.text_policy is TextPolicy.FULL:
        return name[:MAX_KEPT]
    return f"unknown:{digest_text(entry.tenant, name).hex()[:12]}"


def _digest(tenant: TenantRecord, value: object) -> bytes | None:
    return None if value is None else digest_text(tenant, dump_canonical_json(value).decode())


def _row(entry: CallEntry, call_id: UUID) -> list[Any]:
    arguments = None if entry.arguments is None else redact_arguments(entry.arguments, entry.schema or {})
    context = entry.context
    return [
        call_id,
        entry.door,
        entry.tenant.id,
        entry.api_key_id,
        entry.profile_id,
        entry.exposure_id,
        entry.call_id[:MAX_KEPT],
        entry.tool_id,
        _keep_name(entry, entry.name),
        _keep_name(entry, entry.exported_name),
        entry.revision,
        entry.version,
        list(entry.reasons),
        list(entry.groups),
        context.account_id,
        context.model,
        context.conversation_id,
        entry.session_id,
        context.conversation_id or entry.session_id or entry.correlation_id,
        entry.request_id,
        _digest(entry.tenant, entry.arguments),
        dump_json(arguments).decode()
        if arguments is not None and entry.tenant.text_policy is TextPolicy.FULL
        else None,
    ]
