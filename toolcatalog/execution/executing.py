"""Runs one tool by its name, for callers that make their own tool messages."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
from toolcatalog.contract.resolve import Caller
from toolcatalog.resolution import CATALOGS, read_format

from .answers import Answered, still_running
from .judging import Fate, JudgedCall, judge_tool
from .records import keeping_the_answer, make_entry, make_outcome
from .running import run_all
from .situation import Situation, read_situation


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
        refusal.on_record = True
        raise refusal
    if isinstance(started, ExecuteAnswer):
        return started
    answered = run_all(started.situation, [started.call])[0]
    with keeping_the_answer():
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
        reads_messages=False,
    )
    judged, refusal = judge_execution(situation, ToolCall("", request.name, request.arguments))
    remembered, key = claim(situation, judged, request) if refusal is None else (None, None)
    if remembered is not None:
        return remembered, None
    audit_id = start_calls([make_entry(situation, judged, request)])[0]
    if refusal is not None:
        end_calls(situation.catalog.tenant, [(audit_id, make_outcome(Answered(judged, REFUSED, None, refusal.code)))])
    return _Started(situation, judged, audit_id, key), refusal


def judge_execution(situation: Situation, call: ToolCall) -> tuple[JudgedCall, ToolCatalogError | None]:
    """The call, and why it may not run; None: it is ready to run."""
    name, shown = situation.read_name(call.name)
    decision = situation.decide(name)
    judged = JudgedCall(call, Fate.REFUSED, name, call.arguments or {}, tool=decision.tool, shown=shown)
    if decision.tool is None:
        error = NotFound(f"There is no tool “{call.name}” for this caller.", code="unknown_tool")
        return replace(judged, is_known=False), error
    if decision.tool.execution is Execution.CLIENT:
        return judged, Conflict("The caller runs this tool itself.", code="not_executable")
    try:
        judged = judge_tool(situation, call, name, call.arguments, shown)
    except Conflict as error:
        return judged, error
    return judged, make_refusal(judged)


def make_refusal(judged: JudgedCall) -> ToolCatalogError | None:
    """The error that says why a call may not run; None where it may."""
    if judged.fate is not Fate.REFUSED:
        return None
    if judged.code == "invalid_arguments":
        return InvalidInput(judged.errors, code=judged.code)
    return Conflict(judged.text, code=judged.code)


def claim(situation: Situation, call: JudgedCall, request: ExecuteRequest) -> tuple[ExecuteAnswer | None, str | None]:
    """(the answer of an earlier call with the same key, None) or (None, the key that is now ours) (X10).

    The key alone says what is a repeat, whatever the arguments. Raises Conflict `call_running`.
    """
    if request.idempotency_key is None:
        return None, None
    key = f"key:{request.name}:{request.idempotency_key}"
    taken = claim_call(situation.catalog.tenant.id, key)
    if taken.running:
        raise still_running("A call with this Idempotency-Key still runs.")
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
