"""The agent loop: resolve, call the model, run its calls, again, until it answers or the rounds are used up."""

from __future__ import annotations

import asyncio
import inspect
import logging
import uuid
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias, Unpack, cast

from .answers import ResolveAnswer, ToolCallsAnswer, UnhandledCall
from .asynchronous import AsyncToolCatalogClient
from .blocking import ToolCatalogClient
from .dialects import Message, get_dialect, refuse_foreign
from .plain import make_plain
from .replies import find_function, join_answers, read_reply, write_answers
from .requests import DEFAULT_FORMAT, ConversationFields, ResolveFields, ToolCallsFields, make_context, refuse_unknown

log = logging.getLogger("toolcatalog.client")

MAX_ROUNDS = 10

Function: TypeAlias = Callable[..., Any]


class AgentStatus(StrEnum):
    """How a run ended."""

    ANSWERED = "answered"
    """The model answered without calling a tool."""
    MAX_ROUNDS = "max_rounds"
    """The model still called tools in the last round that it was given. These calls were answered."""
    UNHANDLED = "unhandled"
    """The model called tools for which no function was given."""


@dataclass(frozen=True, slots=True)
class AgentOutcome:
    """What came of a run.

    `messages` are the caller's own and all that followed, without what the catalog added to the system prompt: to be
    stored, and to be gone on with. `rounds` counts model calls. `text` is what the model said last, `reply` its last
    answer as `call_model` returned it, `last_answer` that of the last resolve (store its `active_tools` with the turn).
    With the status `unhandled`, `messages` end with the model's calls, `unhandled` are those that wait for the caller,
    none of which was run, and `go_on_with` makes the messages to go on with.
    """

    status: AgentStatus
    messages: list[Message]
    rounds: int
    text: str
    reply: Any
    last_answer: ResolveAnswer
    unhandled: tuple[UnhandledCall, ...] = ()
    handled: ToolCallsAnswer | None = None

    def go_on_with(self, results: Mapping[str, Any]) -> list[Message]:
        """The messages with answers to all calls: the catalog's, and `results` by call id (an exception is an error).

        Raises KeyError for an unhandled call without a result.
        """
        if self.handled is None:
            return list(self.messages)
        reply = read_reply(self.reply, self.last_answer.format)
        return [*self.messages, *write_answers(reply, self.handled, results, self.last_answer.format)]


class AgentFields(ConversationFields, total=False):
    """What a run may be told beside its own arguments.

    `format`: the vendor's form of messages and request (default `openai_chat`). `own_tools`: definitions of the
    caller's own tools.
    """

    format: str
    own_tools: Sequence[Any] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A run as it was asked for. `fields` are what every resolve is asked beside the messages."""

    messages: list[Message]
    tools: Mapping[str, Function]
    format: str
    max_rounds: int
    fields: ResolveFields


@dataclass(frozen=True, slots=True)
class AskCatalog:
    """Resolve."""

    fields: ResolveFields


@dataclass(frozen=True, slots=True)
class AskModel:
    """Call the model with these fields."""

    request: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunCalls:
    """Let the catalog run the calls of a message."""

    message: Any
    fields: ToolCallsFields


@dataclass(frozen=True, slots=True)
class RunOwn:
    """Run functions of the caller; the outcome is a list of results and exceptions."""

    jobs: tuple[tuple[UnhandledCall, Function], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Tell the caller where the conversation stands."""

    messages: list[Message]


AgentStep: TypeAlias = AskCatalog | AskModel | RunCalls | RunOwn | Report
AgentRun: TypeAlias = Generator[AgentStep, Any, AgentOutcome]


def run_agent(
    client: ToolCatalogClient,
    call_model: Callable[..., Any],
    messages: Sequence[Any],
    *,
    tools: Mapping[str, Function] | None = None,
    max_rounds: int = MAX_ROUNDS,
    on_round: Callable[[list[Message]], object] | None = None,
    **fields: Unpack[AgentFields],
) -> AgentOutcome:
    """Talk to the model until it answers.

    `call_model(**request)` calls the vendor and returns its SDK's object, its dict, or the accumulated message of a
    stream. `messages` are in the vendor's form, and not changed. `tools`: functions by tool name, for the caller's own
    tools and for those that the catalog leaves to callers; they get the arguments by name, and what they raise becomes
    an error text for the model. `on_round` is given the conversation after each round, such as to store it. What
    `call_model` raises, and ToolCatalogError, passes through.
    """
    run = run_rounds(make_plan(messages, tools, max_rounds, fields))
    outcome: Any = None
    while True:
        try:
            step = run.send(outcome)
        except StopIteration as end:
            result: AgentOutcome = end.value
            return result
        match step:
            case AskCatalog():
                outcome = client.resolve(**step.fields)
            case AskModel():
                outcome = call_model(**step.request)
            case RunCalls():
                outcome = client.run_tool_calls(step.message, **step.fields)
            case RunOwn():
                outcome = [run_function(call, function) for call, function in step.jobs]
            case Report():
                outcome = on_round(step.messages) if on_round is not None else None


async def run_agent_async(
    client: AsyncToolCatalogClient,
    call_model: Callable[..., Awaitable[Any]],
    messages: Sequence[Any],
    *,
    tools: Mapping[str, Function] | None = None,
    max_rounds: int = MAX_ROUNDS,
    on_round: Callable[[list[Message]], object] | None = None,
    **fields: Unpack[AgentFields],
) -> AgentOutcome:
    """As `run_agent`, in asyncio. Functions of one round run side by side: coroutine functions in the event loop, plain
    ones in threads. `on_round` may be either.
    """
    run = run_rounds(make_plan(messages, tools, max_rounds, fields))
    outcome: Any = None
    while True:
        try:
            step = run.send(outcome)
        except StopIteration as end:
            result: AgentOutcome = end.value
            return result
        match step:
            case AskCatalog():
                outcome = await client.resolve(**step.fields)
            case AskModel():
                outcome = await call_model(**step.request)
            case RunCalls():
                outcome = await client.run_tool_calls(step.message, **step.fields)
            case RunOwn():
                outcome = await asyncio.gather(*(await_function(call, function) for call, function in step.jobs))
            case Report():
                outcome = on_round(step.messages) if on_round is not None else None
                if inspect.isawaitable(outcome):
                    await outcome


def run_rounds(plan: Plan) -> AgentRun:
    """The loop without I/O. Raises UnreadableReply."""
    dialect = get_dialect(plan.format, plan.messages)
    messages = plan.messages
    for number in range(1, plan.max_rounds + 1):
        answer: ResolveAnswer = yield AskCatalog({**plan.fields, "messages": messages})
        raw = yield AskModel(answer.request or {})
        reply = read_reply(raw, plan.format)
        messages = [*messages, *reply.messages]
        if not reply.calls and not reply.paused:
            return AgentOutcome(AgentStatus.ANSWERED, messages, number, reply.text, raw, answer)
        if reply.calls:
            done: ToolCallsAnswer = yield RunCalls(reply.payload, name_snapshot(answer, plan))
            jobs = [(call, find_function(plan.tools, call)) for call in done.unhandled]
            known = tuple((call, function) for call, function in jobs if function is not None)
            if len(known) < len(jobs):
                return AgentOutcome(
                    AgentStatus.UNHANDLED, messages, number, reply.text, raw, answer, done.unhandled, done
                )
            results = (yield RunOwn(known)) if known else []
            messages = [*messages, *join_answers(dialect, reply, done, results)]
        yield Report(list(messages))
    return AgentOutcome(AgentStatus.MAX_ROUNDS, messages, plan.max_rounds, reply.text, raw, answer)


def make_plan(
    messages: Sequence[Any], tools: Mapping[str, Function] | None, max_rounds: int, fields: AgentFields
) -> Plan:
    """A run, with what every resolve of it is asked.

    Raises TypeError for an unknown field, ValueError for less than one round, UnsupportedMessages for messages that are
    not of a known dialect. A run without a conversation has a name all the same, by which its audit rows belong
    together.
    """
    refuse_unknown(fields, AgentFields)
    if max_rounds < 1:
        raise ValueError("An agent needs at least one round.")
    format_ = fields.get("format") or DEFAULT_FORMAT
    plain: list[Message] = make_plain(messages)
    refuse_foreign(get_dialect(format_, plain), plain)
    given: dict[str, Any] = {**fields, "format": format_, "tools": fields.get("own_tools")}
    given.pop("own_tools", None)
    context = make_context(fields.get("context")) or {}
    if not (context.get("conversation_id") or fields.get("session_id") or fields.get("correlation_id")):
        given["correlation_id"] = str(uuid.uuid4())
    return Plan(plain, tools or {}, format_, max_rounds, cast("ResolveFields", given))


def name_snapshot(answer: ResolveAnswer, plan: Plan) -> ToolCallsFields:
    """By what the catalog knows what the model was shown."""
    return {
        "format": plan.format,
        "snapshot_id": answer.snapshot.id,
        "session_id": plan.fields.get("session_id"),
        "correlation_id": plan.fields.get("correlation_id"),
    }


def run_function(call: UnhandledCall, function: Function) -> Any:
    """The result of one function of the caller, or what it raised."""
    try:
        return function(**call.arguments)
    except Exception as error:  # the callback border: the model is told, and the other calls go on
        log.warning("The tool %s failed.", call.name, exc_info=True)
        return error


async def await_function(call: UnhandledCall, function: Function) -> Any:
    """The same in asyncio."""
    try:
        if inspect.iscoroutinefunction(function):
            return await function(**call.arguments)
        result = await asyncio.to_thread(function, **call.arguments)
        return await result if inspect.isawaitable(result) else result
    except Exception as error:  # the callback border, as above
        log.warning("The tool %s failed.", call.name, exc_info=True)
        return error
