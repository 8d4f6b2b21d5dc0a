"""Runs one tool by its name, for callers that make their own tool messages."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from toolcatalog.auditing import claim_call, count_usage, end_calls, settle_claim, start_calls
from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.conversation import ToolCall
from toolcatalog.contract.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    ToolCatalogError,
    ToolFailed,
    ToolTimedOut,
)
from toolcatalog.contract.execution import OK, REFUSED, TIMEOUT, ExecuteAnswer, ExecutedTool, ExecuteRequest
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import Caller
from toolcatalog.resolution import CATALOGS, read_format

from .answers import Answered
from .judging import Fate, JudgedCall, find_refusal, judge_tool
from .records import make_entry, make_outcome
from .running import run_all
from .situation import Situation, read_situation

UNKNOWN = (Reason.UNKNOWN, Reason.NOT_GRANTED, Reason.HIDDEN_BY_OWN)


@dataclass(frozen=True, slots=True)
class _Started:
    situation: Situation
    call: JudgedCall
    audit_id: UUID
    claim: str | None = None


def execute_tool(request: ExecuteRequest, caller: Caller) -> ExecuteAnswer:
    """Run one tool.

    Raises, in this order: NotFound; Conflict `not_executable`, `not_exposed`, `snapshot_required`; InvalidInput with
    the paths of the arguments; Conflict `stale_definition`; ToolFailed; ToolTimedOut. Every attempt is on record.
    """
    with transaction.atomic():
        started, refusal = start(request, caller)
    if refusal is not None:
        raise refusal
    if isinstance(started, ExecuteAnswer):
        return started
    answered = run_all(started.situation, [started.call])[0]
    with transaction.atomic():
        finish(started, answered)
    return make_answer(started.call, answered)


def start(request: ExecuteRequest, caller: Caller) -> tuple[_Started | ExecuteAnswer, ToolCatalogError | None]:
    """Judge the call and write that it was taken on, or that it was refused and why."""
    situation = read_situation(
        CATALOGS.get(caller.tenant_id),
        read_format("generic"),
        caller,
        snapshot_id=request.snapshot_id,
        session_id=request.session_id,
        profile=request.profile,
        context=request.context,
    )
    call = ToolCall("", request.name, request.arguments)
    refusal: ToolCatalogError | None = None
    try:
        judged = judge_execution(situation, call)
    except ToolCatalogError as error:
        refusal = error
        judged = JudgedCall(call, Fate.REFUSED, request.name, request.arguments, code=error.code)
    remembered, key = claim(situation, judged, request) if refusal is None else (None, None)
    if remembered is not None:
        return remembered, None
    audit_id = start_calls([make_entry(situation, judged, request)])[0]
    if refusal is not None:
        end_calls(situation.catalog.tenant, [(audit_id, make_outcome(Answered(judged, REFUSED, None, refusal.code)))])
    return _Started(situation, judged, audit_id, key), refusal


def judge_execution(situation: Situation, call: ToolCall) -> JudgedCall:
    """The call, ready to run. Raises as `execute_tool` says."""
    name = situation.names.read(call.name)
    decision = situation.permission.decide(name)
    if decision.tool is None or decision.reason in UNKNOWN:
        raise NotFound(f"There is no tool “{call.name}” for this caller.", code="unknown_tool")
    if decision.tool.execution is Execution.CLIENT:
        raise Conflict("The caller runs this tool itself.", code="not_executable")
    refusal = find_refusal(situation, name)
    if refusal is not None:
        raise Conflict(refusal[1], code=refusal[0])
    shown = situation.shown.find(name) if situation.shown is not None else None
    judged = judge_tool(situation, call, name, call.arguments, shown)
    if judged.code == "stale_definition":
        raise Conflict(judged.text, code=judged.code)
    if judged.fate is Fate.REFUSED:
        raise InvalidInput(judged.errors, code=judged.code)
    return judged


def claim(situation: Situation, call: JudgedCall, request: ExecuteRequest) -> tuple[ExecuteAnswer | None, str | None]:
    """(the answer of an earlier call with the same key, None) or (None, the key that is now ours) (X10)."""
    if request.idempotency_key is None:
        return None, None
    key = f"key:{request.name}:{request.idempotency_key}"
    taken = claim_call(situation.catalog.tenant.id, key)
    if taken.running:
        raise Conflict("A call with this Idempotency-Key still runs. Ask again shortly.", code="call_running")
    if taken.taken:
        return None, key
    stored = taken.result
    if not isinstance(stored, dict):
        raise TypeError("a settled claim holds an object")
    return make_answer(
        call, Answered(call, stored["status"], stored["value"], stored["code"], stored["duration_ms"])
    ), key


def finish(started: _Started, answered: Answered) -> None:
    """Write how the call ended, count it, and keep the answer for repeats."""
    tenant = started.situation.catalog.tenant
    end_calls(tenant, [(started.audit_id, make_outcome(answered))])
    if started.call.tool is not None:
        count_usage(tenant.id, [(started.call.tool.id, answered.status == OK)])
    if started.claim is not None:
        kept = {"status": answered.status, "value": answered.value, "code": answered.code}
        settle_claim(tenant.id, started.claim, {**kept, "duration_ms": answered.duration_ms})


def make_answer(call: JudgedCall, answered: Answered) -> ExecuteAnswer:
    """The answer. Raises ToolFailed or ToolTimedOut."""
    if answered.status == TIMEOUT:
        raise ToolTimedOut(str(answered.value))
    if answered.status != OK:
        raise ToolFailed(str(answered.value))
    version = call.content.version if call.content is not None else ""
    tool = ExecutedTool(call.name, version, call.revision or 0)
    return ExecuteAnswer(answered.status, answered.value, answered.duration_ms, tool)
