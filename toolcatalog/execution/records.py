"""What the audit is told of a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import orjson
import structlog
from django.db import DatabaseError, InterfaceError, transaction

from toolcatalog.auditing import CallEntry, CallOutcome
from toolcatalog.contract.execution import ExecuteRequest, ToolCallsRequest
from toolcatalog.contract.reasons import Reason

from .answers import Answered
from .judging import JudgedCall
from .situation import Situation

log = structlog.get_logger(__name__)


@contextmanager
def keeping_the_answer() -> Iterator[None]:
    """A transaction after tools have run.

    Where the database fails here the answer goes out all the same: an error would say that nothing ran. The audit then
    shows the start of the calls only, which reads as unknown.
    """
    try:
        with transaction.atomic():
            yield
    except (DatabaseError, InterfaceError) as error:
        log.error("ends_of_calls_not_recorded", error=type(error).__name__)  # noqa: TRY400  # its text may quote rows


def make_entry(situation: Situation, call: JudgedCall, request: ToolCallsRequest | ExecuteRequest) -> CallEntry:
    """One call as it is taken on: what is called, by whom, and on the strength of which exposure."""
    caller = situation.caller
    content = call.content or (call.tool.content if call.tool is not None else None)
    reasons, groups = _strength_of(situation, call)
    return CallEntry(
        door=_door_of(call, request),
        tenant=situation.catalog.tenant,
        api_key_id=caller.key_id,
        profile_id=situation.profile.id,
        request_id=caller.request_id,
        context=situation.context,
        call_id=call.call.call_id,
        name=call.name,
        exported_name=call.exported_name,
        is_known=call.is_known,
        tool_id=call.tool.id if call.tool is not None and not call.tool.of_session else None,
        revision=call.revision or None,
        version=content.version if content is not None else "",
        exposure_id=_exposure_of(situation),
        reasons=reasons,
        groups=groups,
        session_id=request.session_id,
        correlation_id=request.correlation_id,
        arguments=call.arguments,
        schema=orjson.loads(content.parameters) if content is not None else None,
    )


def _strength_of(situation: Situation, call: JudgedCall) -> tuple[Sequence[str], Sequence[str]]:
    """(reasons, groups): why the model knew the tool."""
    if call.shown is not None:
        return call.shown.reasons, call.shown.groups
    is_of_session = situation.session_names is not None and call.name in situation.session_names
    return (Reason.SESSION,) if is_of_session else (), ()


def _door_of(call: JudgedCall, request: ToolCallsRequest | ExecuteRequest) -> str:
    if isinstance(request, ExecuteRequest):
        return "execute"
    return "meta" if call.via_meta and request.door == "tool_calls" else request.door


def _exposure_of(situation: Situation) -> UUID | None:
    return situation.shown.id if situation.shown is not None else None


def make_outcome(answered: Answered) -> CallOutcome:
    """How one call ended."""
    return CallOutcome(answered.status, answered.duration_ms, answered.code, answered.value)
