"""The record of requests to run something that were refused before any call in them was judged."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import structlog
from django.db import DatabaseError, InterfaceError, transaction

from toolcatalog.auditing import CallEntry, CallOutcome, end_calls, start_calls
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.execution import REFUSED
from toolcatalog.contract.json import describe_bad_text
from toolcatalog.contract.resolve import Caller
from toolcatalog.resolution import CATALOGS, TenantCatalog

log = structlog.get_logger(__name__)
UNREAD = "(unread)"
"""The name of what a refused request wanted to run, where it was not read."""


@dataclass(frozen=True, slots=True)
class RefusedRequest:
    """A request of a valid key that was refused: `door` is `execute` or `tool_calls`, `name` the tool in its address,
    `code` why. Nothing of its body is kept.
    """

    door: str
    name: str | None
    code: str
    duration_ms: int
    correlation_id: str | None = None


def record_refusal(refused: RefusedRequest, caller: Caller) -> None:
    """Write that the request was refused. Where that fails it stays refused all the same, and the log says so."""
    try:
        with transaction.atomic():
            catalog = CATALOGS.get(caller.tenant_id)
            (call_id,) = start_calls([_make_entry(refused, caller, catalog)])
            outcome = CallOutcome(REFUSED, refused.duration_ms, refused.code)
            end_calls(catalog.tenant, [(call_id, outcome)])
    except (DatabaseError, InterfaceError) as error:
        log.error("refusal_not_recorded", code=refused.code, error=type(error).__name__)  # noqa: TRY400  # may quote rows


def _make_entry(refused: RefusedRequest, caller: Caller, catalog: TenantCatalog) -> CallEntry:
    name = refused.name if refused.name is not None and not describe_bad_text(refused.name) else None
    tool = catalog.find(name) if name is not None else None
    if tool is not None and tool.owner_id is None and tool.id not in catalog.granted:
        tool = None
    return CallEntry(
        door=refused.door,
        tenant=catalog.tenant,
        api_key_id=caller.key_id,
        profile_id=None,
        request_id=caller.request_id,
        context=EvaluationContext(catalog.tenant.slug, datetime.now(UTC)),
        call_id="",
        name=name or UNREAD,
        exported_name=name or UNREAD,
        is_known=name is None or tool is not None,
        tool_id=None if tool is None else tool.id,
        correlation_id=refused.correlation_id,
    )
