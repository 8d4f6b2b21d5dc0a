"""What is sent to the catalog: the fields of each method, and how they become an HTTP request. No I/O."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict
from urllib.parse import quote

from .plain import drop_none, dump_json, make_plain

BASE_PATH = "/api/v1"
DEFAULT_FORMAT = "openai_chat"
"""The format of messages where none is named."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the catalog's rules may read beside the message."""

    account_id: str | None = None
    conversation_id: str | None = None
    bot_id: str | None = None
    turn_id: str | None = None
    model: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


ContextLike = Context | Mapping[str, Any]


class ConversationFields(TypedDict, total=False):
    """What resolve, availability and the agent loop have in common. All optional; None is the server's default.

    `profile`: the agent profile. `context`: a `Context`, or a mapping with its fields. `system_prompt`: the base, where
    the messages hold no system message. `groups`: narrows and orders the profile's groups. `active_tools`: what an
    earlier answer gave to be stored with the turn. `session_id`: a memory of what was found, on the server.
    `versions`: version labels by tool. `exposure_policy`: latest_call, latest_turn or accumulate. `disclosure`: inline,
    native or meta. `trim`: send only what the catalog needs to see of the messages (see `trim_messages`).
    `entry_tools`: the names of the tool search, for `trim`, where a profile calls it something else.
    `correlation_id`: joins audit rows where there is neither a conversation nor a session.
    """

    profile: str | None
    context: ContextLike | None
    system_prompt: Any
    groups: Sequence[str] | None
    active_tools: Sequence[str] | None
    session_id: str | None
    versions: Mapping[str, str] | None
    exposure_policy: str | None
    disclosure: str | None
    trim: bool
    entry_tools: Collection[str]
    correlation_id: str | None


class ResolveFields(ConversationFields, total=False):
    """The fields of resolve and availability. One of `messages` and `prompt` is required.

    `messages`: the conversation in the vendor's form; objects of the vendor's SDK are taken as well. `prompt`: the last
    user message instead. `tools`: definitions of the caller's own tools. `format`: the vendor's form of the answer
    (default `generic`). `returns`: which of request, tools, system_prompt and messages to answer (default: request).
    `explain`: say why.
    """

    messages: Sequence[Any] | None
    prompt: str | None
    tools: Sequence[Any] | None
    format: str
    returns: Collection[str]
    explain: bool


class SearchFields(TypedDict, total=False):
    """The optional fields of search. With `snapshot_id` the context of that snapshot is the default."""

    max_results: int | None
    category: str | None
    groups: Sequence[str] | None
    profile: str | None
    session_id: str | None
    context: ContextLike | None
    snapshot_id: str | None
    format: str | None
    explain: bool
    correlation_id: str | None


class CallFields(TypedDict, total=False):
    """The optional fields of execute. With `snapshot_id` its profile and context hold."""

    snapshot_id: str | None
    session_id: str | None
    profile: str | None
    context: ContextLike | None
    correlation_id: str | None


class ToolCallsFields(CallFields, total=False):
    """The optional fields of run_tool_calls. `format`: the vendor's form of the message (default `openai_chat`)."""

    format: str


def refuse_unknown(fields: Mapping[str, Any], known: type) -> None:
    """Raise TypeError for a field that is not in the typed dictionary `known`: a slip must not become a default."""
    names: frozenset[str] = known.__optional_keys__  # type: ignore[attr-defined]  # every TypedDict has it
    unknown = sorted(fields.keys() - names)
    if unknown:
        raise TypeError(f"There is no field {', '.join(unknown)}. Known: {', '.join(sorted(names))}.")


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP request, without what all of them have in common.

    `repeatable`: it may be sent again although the first one may have reached the server. `runs_tools`: it may take as
    long as tools take.
    """

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True
    runs_tools: bool = False


def make_context(context: ContextLike | None) -> dict[str, Any] | None:
    """The `context` of a body."""
    if context is None:
        return None
    given: dict[str, Any] = make_plain(context)
    return {key: value for key, value in given.items() if value is not None and value != {}}


def make_resolve_call(body: Mapping[str, Any], correlation_id: str | None) -> Call:
    """The request of resolve."""
    return Call("POST", f"{BASE_PATH}/resolve", dump_json(body), correlate(correlation_id))


def make_availability_call(name: str, body: Mapping[str, Any], correlation_id: str | None) -> Call:
    """The request that asks for one tool. Raises ValueError for what is no tool name."""
    path = f"{BASE_PATH}/tools/{quote_tool(name)}/availability"
    return Call("POST", path, dump_json(body), correlate(correlation_id))


def make_search_call(query: str, fields: SearchFields) -> Call:
    """The request of search. Raises TypeError for an unknown field."""
    refuse_unknown(fields, SearchFields)
    body: dict[str, Any] = {**fields, "query": query, "context": make_context(fields.get("context"))}
    correlation_id = body.pop("correlation_id", None)
    return Call("POST", f"{BASE_PATH}/search", dump_json(drop_none(**body)), correlate(correlation_id))


def make_tool_calls_call(message: Any, fields: ToolCallsFields, *, has_ids: bool) -> Call:
    """The request that runs the calls of an assistant's message.

    The server recognises a repeat by the snapshot and the ids of the calls: without either, it is not repeatable.
    Raises TypeError for an unknown field.
    """
    refuse_unknown(fields, ToolCallsFields)
    body: dict[str, Any] = {"format": DEFAULT_FORMAT, **fields, "message": message}
    body["context"] = make_context(fields.get("context"))
    correlation_id = body.pop("correlation_id", None)
    return Call(
        "POST",
        f"{BASE_PATH}/tool-calls",
        dump_json(drop_none(**body)),
        correlate(correlation_id),
        repeatable=has_ids and body.get("snapshot_id") is not None,
        runs_tools=True,
    )


def make_execute_call(name: str, arguments: Mapping[str, Any], fields: CallFields, idempotency_key: str) -> Call:
    """The request that runs one tool; the key makes it repeatable.

    Raises TypeError for an unknown field, ValueError for what is no tool name.
    """
    refuse_unknown(fields, CallFields)
    body: dict[str, Any] = {
        **fields,
        "arguments": make_plain(arguments),
        "context": make_context(fields.get("context")),
    }
    headers = {**correlate(body.pop("correlation_id", None)), "Idempotency-Key": idempotency_key}
    path = f"{BASE_PATH}/tools/{quote_tool(name)}/execute"
    return Call("POST", path, dump_json(drop_none(**body)), headers, runs_tools=True)


def make_session_tools_call(session_id: str, tools: Sequence[Any], profile: str | None) -> Call:
    """The request that sets a session's own tools. Raises ValueError for an id that no address can hold."""
    body = drop_none(tools=make_plain(tools), profile=profile)
    return Call("PUT", f"{_locate_session(session_id)}/tools", dump_json(body))


def make_forget_call(session_id: str) -> Call:
    """The request that forgets a session. Raises ValueError for an id that no address can hold."""
    return Call("DELETE", _locate_session(session_id))


def _locate_session(session_id: str) -> str:
    if session_id in ("", ".", ".."):
        raise ValueError(f"“{session_id}” is not the id of a session.")
    return f"{BASE_PATH}/sessions/{quote(session_id, safe='')}"


def correlate(correlation_id: str | None) -> dict[str, str]:
    """The header that joins audit rows of one conversation."""
    return {} if correlation_id is None else {"X-Correlation-ID": correlation_id}


def quote_tool(name: str) -> str:
    """A tool's name as a part of an address. Models make names up: one that would lead elsewhere is refused."""
    if any(segment in ("", ".", "..") for segment in name.split("/")):
        raise ValueError(f"“{name}” is not a tool's name.")
    return quote(name, safe="/")
