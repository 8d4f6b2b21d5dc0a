"""Each method of the API as an exchange. The two clients run these, and add nothing but I/O."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from .answers import Availability, ExecuteAnswer, SearchAnswer, SessionTools, ToolCallsAnswer
from .dialects import find_dialect
from .errors import UnreadableReply
from .exchange import Dispatcher, Exchange
from .plain import make_plain
from .reading import read_answer, read_availability, read_execute, read_search, read_session_tools, read_tool_calls
from .requests import (
    DEFAULT_FORMAT,
    CallFields,
    ResolveFields,
    SearchFields,
    ToolCallsFields,
    make_availability_call,
    make_execute_call,
    make_forget_call,
    make_search_call,
    make_session_tools_call,
    make_tool_calls_call,
)
from .resolving import read_fields


def search(query: str, fields: SearchFields, dispatcher: Dispatcher) -> Exchange[SearchAnswer]:
    """Tools that answer a need."""
    reply = yield from dispatcher.dispatch(make_search_call(query, fields))
    return read_answer(reply, read_search)


def check_availability(name: str, fields: ResolveFields, dispatcher: Dispatcher) -> Exchange[Availability]:
    """Whether one tool would be in the answer of resolve."""
    asked = read_fields(fields)
    reply = yield from dispatcher.dispatch(make_availability_call(name, asked.body, asked.correlation_id))
    return read_answer(reply, read_availability)


def run_tool_calls(message: Any, fields: ToolCallsFields, dispatcher: Dispatcher) -> Exchange[ToolCallsAnswer]:
    """Run the calls of an assistant's message."""
    plain = make_plain(message)
    has_ids = _has_ids(plain, fields.get("format") or DEFAULT_FORMAT)
    call = make_tool_calls_call(plain, fields, has_ids=has_ids)
    reply = yield from dispatcher.dispatch(call)
    return read_answer(reply, read_tool_calls)


def execute(
    name: str, arguments: Mapping[str, Any] | None, key: str | None, fields: CallFields, dispatcher: Dispatcher
) -> Exchange[ExecuteAnswer]:
    """Run one tool. Repeats of one call have one key."""
    call = make_execute_call(name, arguments or {}, fields, key or str(uuid.uuid4()))
    reply = yield from dispatcher.dispatch(call)
    return read_answer(reply, read_execute)


def put_session_tools(
    session_id: str, tools: Sequence[Any], profile: str | None, dispatcher: Dispatcher
) -> Exchange[SessionTools]:
    """Give a session searchable tools of its own."""
    reply = yield from dispatcher.dispatch(make_session_tools_call(session_id, tools, profile))
    return read_answer(reply, read_session_tools)


def forget_session(session_id: str, dispatcher: Dispatcher) -> Exchange[None]:
    """Forget what a session found."""
    yield from dispatcher.dispatch(make_forget_call(session_id))


def _has_ids(message: Any, format_: str) -> bool:
    """Whether the server can recognise a repeat of these calls. What the client cannot read, it does not vouch for."""
    dialect = find_dialect(format_, message)
    if dialect is None:
        return False
    try:
        return dialect.read_reply(message).has_ids
    except UnreadableReply:
        return False
