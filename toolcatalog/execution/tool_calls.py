"""After a model call: runs what the assistant's message asks for, and writes the tool messages that come next."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db import transaction

from toolcatalog.auditing import claim_call, count_usage, end_calls, settle_claim, start_calls
from toolcatalog.contract.conversation import ToolCall
from toolcatalog.contract.errors import Conflict, Forbidden, InvalidInput, ToolCatalogError
from toolcatalog.contract.execution import ERROR, OK, REFUSED, ToolCallsAnswer, ToolCallsRequest, UnhandledCall
from toolcatalog.contract.json import JsonObject, dump_canonical_json
from toolcatalog.contract.resolve import Caller, Notice
from toolcatalog.resolution import CATALOGS, append_turn, read_format

from .answers import Answered, answer_refusal, make_report, make_result, still_running
from .judging import Fate, JudgedCall, judge_call, judge_refused
from .records import keeping_the_answer, make_entry, make_outcome
from .running import run_all
from .searches import answer_search, error_text, make_search_request
from .situation import Situation, read_situation

SEARCHES = (Fate.SEARCH, Fate.META_SEARCH)


@dataclass(slots=True)
class Work:
    """The calls of one message while they are worked on, by their places in it.

    `started` are the audit ids of what runs, `claims` the keys that are ours; `twins` are calls that repeat an earlier
    one of the same message, whose answer they get.
    """

    situation: Situation
    calls: list[JudgedCall]
    answered: dict[int, Answered] = field(default_factory=dict)
    started: dict[int, UUID] = field(default_factory=dict)
    claims: dict[int, str] = field(default_factory=dict)
    twins: dict[int, int] = field(default_factory=dict)


def run_tool_calls(request: ToolCallsRequest, caller: Caller) -> ToolCallsAnswer:
    """Answer every call of the message, or list it as unhandled; none is dropped.

    Searches, refusals and the records of what is going to run are one transaction: where that fails, nothing ran.
    Raises InvalidInput, Conflict, Forbidden or Unavailable; what a tool does is an answer, never an error.
    """
    with transaction.atomic():
        work, refusal = prepare(request, caller)
    if refusal is not None:
        refusal.on_record = True
        raise refusal
    places = sorted(work.started)
    answers = run_all(work.situation, [work.calls[place] for place in places])
    work.answered.update(zip(places, answers, strict=True))
    with keeping_the_answer():
        record_ends(work, places)
    for place, first in work.twins.items():
        work.answered[place] = replace(work.answered[first], judged=work.calls[place])
    return make_answer(work)


def prepare(request: ToolCallsRequest, caller: Caller) -> tuple[Work, ToolCatalogError | None]:
    """Judge all calls, answer the searches, refuse what may not run, and write what is about to run.

    An error says that the message as a whole is refused: then nothing runs, and that is on record.
    """
    catalog = CATALOGS.get(caller.tenant_id)
    situation = read_situation(
        catalog,
        read_format(request.format),
        caller,
        snapshot_id=request.snapshot_id,
        session_id=request.session_id,
        profile=request.profile,
        context=request.context,
    )
    calls = situation.format.read_calls(request.message)
    try:
        work = Work(situation, [judge_call(situation, call) for call in calls])
        require_scope(work.calls, caller)
    except (Conflict, Forbidden) as error:
        return refuse_all(situation, calls, request, error), error
    run_searches(work, request)
    refused = [place for place, call in enumerate(work.calls) if call.fate is Fate.REFUSED]
    for place in refused:
        work.answered[place] = answer_refusal(work.calls[place])
    claim_repeats(work, request)
    record_starts(work, request, refused)
    return work, None


def require_scope(calls: Sequence[JudgedCall], caller: Caller) -> None:
    """Searching needs the scope `resolve` only; anything else needs `execute`."""
    if "execute" not in caller.scopes and any(call.fate not in SEARCHES for call in calls):
        raise Forbidden("This key lacks the scope “execute”.", code="missing_scope")


def refuse_all(
    situation: Situation, calls: Sequence[ToolCall], request: ToolCallsRequest, error: ToolCatalogError
) -> Work:
    """Write that none of the calls was run, and why."""
    judged = [judge_refused(situation, call, error.code) for call in calls]
    work = Work(situation, judged)
    work.answered.update((place, Answered(call, REFUSED, None, error.code)) for place, call in enumerate(judged))
    record_starts(work, request, range(len(judged)))
    return work


def run_searches(work: Work, request: ToolCallsRequest) -> None:
    """Answer the search calls; together they are one turn of the session (R9). A failed search leaves it as it was."""
    found: list[tuple[str, ...]] = []
    for place, call in enumerate(work.calls):
        if call.fate not in SEARCHES:
            continue
        try:
            search = make_search_request(work.situation, call, request.session_id, request.correlation_id)
        except InvalidInput as error:
            work.answered[place] = Answered(call, ERROR, error_text(call, error), error.code)
            continue
        work.answered[place], names = answer_search(work.situation, call, search)
        if work.answered[place].status == OK:
            found.append(names)
    if found and request.session_id is not None:
        append_turn(work.situation.catalog.tenant, work.situation.profile.id, request.session_id, found)


def claim_repeats(work: Work, request: ToolCallsRequest) -> None:
    """A call that ran before under the same snapshot and id is answered from memory (X10).

    Raises Conflict `call_running` while the first one still runs.
    """
    if request.snapshot_id is None:
        return
    tenant_id = work.situation.catalog.tenant.id
    ours: dict[str, int] = {}
    for place, call in enumerate(work.calls):
        if call.fate is not Fate.RUN or call.call.call_id == call.call.name:
            continue
        key = make_claim_key(request.snapshot_id, call)
        if key in ours:
            work.twins[place] = ours[key]
            continue
        claim = claim_call(tenant_id, key)
        if claim.running:
            raise still_running(f"The call “{call.call.call_id}” still runs.")
        if claim.taken:
            work.claims[place] = key
            ours[key] = place
        else:
            work.answered[place] = remember(call, claim.result)


def make_claim_key(snapshot_id: UUID, call: JudgedCall) -> str:
    """What makes two calls one. Models give ids again (R8): another tool or other arguments are another call."""
    parts = [str(snapshot_id), call.call.call_id, call.name, call.arguments]
    return f"call:{hashlib.sha256(dump_canonical_json(parts)).hexdigest()}"


def remember(call: JudgedCall, stored: object) -> Answered:
    """The answer that the first call of this id got."""
    if not isinstance(stored, dict):
        raise TypeError("a settled claim holds an object")
    return Answered(call, stored["status"], stored["value"], stored["code"], stored["duration_ms"])


def record_starts(work: Work, request: ToolCallsRequest, refused: Sequence[int]) -> None:
    """Write a row for each call that is about to run, and start and end of those that are refused."""
    done = work.answered.keys() | work.twins.keys()
    fresh = [place for place, call in enumerate(work.calls) if call.fate is Fate.RUN and place not in done]
    places = [*fresh, *refused]
    ids = start_calls([make_entry(work.situation, work.calls[place], request) for place in places])
    tenant = work.situation.catalog.tenant
    work.started.update(zip(fresh, ids, strict=False))
    ends = [(ids[len(fresh) + n], make_outcome(work.answered[place])) for n, place in enumerate(refused)]
    end_calls(tenant, ends)


def record_ends(work: Work, places: Sequence[int]) -> None:
    """Write how the calls ended, count them, and keep the answers for repeats."""
    tenant = work.situation.catalog.tenant
    end_calls(tenant, [(work.started[place], make_outcome(work.answered[place])) for place in places])
    used = [(work.calls[place].tool, work.answered[place].status == OK) for place in places]
    count_usage(tenant.id, [(tool.id, went_well) for tool, went_well in used if tool is not None])
    for place, key in work.claims.items():
        answered = work.answered[place]
        kept: JsonObject = {
            "status": answered.status,
            "value": answered.value,
            "code": answered.code,
            "duration_ms": answered.duration_ms,
        }
        settle_claim(tenant.id, key, kept)


def make_answer(work: Work) -> ToolCallsAnswer:
    """Everything in the order of the calls."""
    format_ = work.situation.format
    answered = [work.answered[place] for place in sorted(work.answered)]
    unhandled = [call for call in work.calls if call.fate is Fate.UNHANDLED]
    notices = [
        Notice("invalid_arguments", call.name, " ".join(f"{error.path}: {error.message}" for error in call.errors))
        for call in unhandled
        if call.errors
    ]
    return ToolCallsAnswer(
        messages=format_.write_results([make_result(answer) for answer in answered]) if answered else (),
        unhandled=tuple(
            UnhandledCall(call.call.call_id, call.name, call.call.name, call.arguments) for call in unhandled
        ),
        results=tuple(make_report(format_, answer) for answer in answered),
        notices=tuple(notices),
    )
