"""What the audit is told of a call."""

from __future__ import annotations

from uuid import UUID

import orjson

from toolcatalog.auditing import CallEntry, CallOutcome
from toolcatalog.contract.execution import ExecuteRequest, ToolCallsRequest

from .answers import Answered
from .judging import JudgedCall
from .situation import Situation


def make_entry(situation: Situation, call: JudgedCall, request: ToolCallsRequest | ExecuteRequest) -> CallEntry:
    """One call as it is taken on: what is called, by whom, and on the strength of which exposure."""
    caller, shown = situation.caller, call.shown
    content = call.content or (call.tool.content if call.tool is not None else None)
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
        tool_id=call.tool.id if call.tool is not None else None,
        revision=call.revision,
        version=content.version if content is not None else "",
        exposure_id=_exposure_of(situation),
        reasons=shown.reasons if shown is not None else (),
        groups=shown.groups if shown is not None else (),
        session_id=request.session_id,
        correlation_id=request.correlation_id,
        arguments=call.arguments,
        schema=orjson.loads(content.parameters) if content is not None else None,
    )


def _door_of(call: JudgedCall, request: ToolCallsRequest | ExecuteRequest) -> str:
    if isinstance(request, ExecuteRequest):
        return "execute"
    return "meta" if call.via_meta else "tool_calls"


def _exposure_of(situation: Situation) -> UUID | None:
    return situation.shown.id if situation.shown is not None else None


def make_outcome(answered: Answered) -> CallOutcome:
    """How one call ended."""
    return CallOutcome(answered.status, answered.duration_ms, answered.code, answered.value)
