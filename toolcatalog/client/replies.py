"""From what a model answered to the messages that come next: for hand-written loops, and for the agent loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .answers import ToolCallsAnswer, UnhandledCall
from .dialects import Dialect, Message, ModelReply, get_dialect
from .errors import UnreadableReply
from .plain import dump_json, make_plain

UNWRITABLE = "The tool's result cannot be written as JSON."


def read_reply(reply: Any, format: str = "openai_chat") -> ModelReply:  # noqa: A002  # the API's word
    """What a model answered: the object of the vendor's SDK, its dict, or only the assistant's message.

    With streaming, the accumulated message. Raises UnreadableReply, or UnsupportedMessages for an unknown format.
    """
    get_dialect(format)
    try:
        plain = make_plain(reply)
    except TypeError as error:
        raise UnreadableReply(f"A {type(reply).__name__} is not an answer of {format}.") from error
    return get_dialect(format, plain).read_reply(plain)


def write_answers(
    reply: ModelReply,
    answer: ToolCallsAnswer,
    own_results: Mapping[str, Any],
    format: str = "openai_chat",  # noqa: A002  # the API's word
) -> list[Message]:
    """The messages that answer all calls of a reply, in the order of the calls and as the vendor wants them.

    `own_results` are the results of the unhandled calls by call id; an exception stands for an error whose text the
    model reads. Raises KeyError for an unhandled call without a result.
    """
    dialect = get_dialect(format, reply.messages)
    return join_answers(dialect, reply, answer, [own_results[call.call_id] for call in answer.unhandled])


def join_answers(
    dialect: Dialect, reply: ModelReply, answer: ToolCallsAnswer, own_results: Sequence[Any]
) -> list[Message]:
    """The same with the results in the order of the unhandled calls: ids need not differ."""
    waiting: dict[str, list[Message]] = {}
    for report in answer.results:
        waiting.setdefault(report.call_id, []).append(report.message)
    custom = {call.id for call in reply.calls if call.is_custom}
    for call, result in zip(answer.unhandled, own_results, strict=True):
        written = write_result(dialect, call, result)
        waiting.setdefault(call.call_id, []).append(
            dialect.answer_custom(written) if call.call_id in custom else written
        )
    ordered = [waiting[call.id].pop(0) for call in reply.calls if waiting.get(call.id)]
    return dialect.join_results([*ordered, *(message for rest in waiting.values() for message in rest)])


def write_result(dialect: Dialect, call: UnhandledCall, result: Any) -> Message:
    """The message that answers a call that the caller ran."""
    if isinstance(result, Exception):
        return dialect.write_result(call, describe_error(result), is_error=True)
    try:
        plain = make_plain(result)
        dump_json(plain)
    except (TypeError, ValueError):
        return dialect.write_result(call, UNWRITABLE, is_error=True)
    return dialect.write_result(call, plain, is_error=False)


def describe_error(error: Exception) -> str:
    """What the model reads of a tool that raised."""
    return f"The tool failed: {error}" if str(error) else f"The tool failed: {type(error).__name__}."


def find_function(tools: Mapping[str, Callable[..., Any]], call: UnhandledCall) -> Callable[..., Any] | None:
    """The caller's function for a call, by the catalog's name or the one that the model wrote."""
    return tools.get(call.name) or tools.get(call.exported_name)
