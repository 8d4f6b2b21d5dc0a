"""Resolve as the client does it: what is sent, what is filled in from memory, and what happens when nobody answers."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from .answers import Notice, ResolveAnswer
from .composing import Composed, Conversation, compose, find_additions, take_fields
from .dialects import Dialect, find_dialect
from .errors import Forbidden, NotAuthenticated, ToolCatalogAPIError, ToolCatalogError, UnsupportedMessages
from .exchange import BUSY_STATUSES, Dispatcher, Exchange, is_away
from .memory import Memory, Remembered
from .plain import drop_none, make_plain
from .reading import read_answer, read_resolve
from .requests import ResolveFields, make_context, make_resolve_call, refuse_unknown
from .trimming import ACCUMULATE, ENTRY_TOOLS, trim_messages

REQUEST = "request"
STALE = "stale_snapshot"
_UNSAID = ("messages", "prompt", "system_prompt", "explain")
"""Fields of a body that may differ from those of the answer that is used again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it was understood.

    `full` is the conversation that the caller has, `sent` what of it the catalog sees. `key` names the conversation;
    None where it has no name, and nothing can be remembered.
    """

    format: str
    dialect: Dialect | None
    full: Conversation
    sent: Conversation
    body: dict[str, Any]
    returns: frozenset[str]
    key: Hashable | None
    correlation_id: str | None

    @property
    def is_trimmed(self) -> bool:
        return self.full is not self.sent

    @property
    def inputs(self) -> bytes:
        """A digest of everything that decides beside the conversation."""
        told = {name: value for name, value in self.body.items() if name not in _UNSAID}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).digest()


def resolve(fields: ResolveFields, dispatcher: Dispatcher, memory: Memory) -> Exchange[ResolveAnswer]:
    """Ask which tools this model call gets.

    Raises ToolCatalogError; where the catalog is away, only if there is no answer that may be used again.
    """
    asked = read_fields(fields)
    answer = yield from ask_server(asked, dispatcher, memory)
    if asked.dialect is None or answer.request is None:
        return answer
    return replace(answer, request=asked.dialect.finish_request(answer.request))


def ask_server(asked: Asked, dispatcher: Dispatcher, memory: Memory) -> Exchange[ResolveAnswer]:
    """The same, with a request that JSON can hold."""
    known = memory.find(asked.key) if asked.key is not None else None
    body = asked.body if known is None else {**asked.body, "if_digest": known.answer.snapshot.digest}
    begin = dispatcher.clock()
    try:
        reply = yield from dispatcher.dispatch(make_resolve_call(body, asked.correlation_id))
    except ToolCatalogError as error:
        return answer_without_server(asked, known, memory, error, dispatcher.clock())
    answer = read_answer(reply, lambda read: read_resolve(read, asked.format))
    if answer.unchanged:
        return answer_unchanged(asked, known, answer, memory, begin)
    return answer_anew(asked, answer, memory, begin)


def read_fields(fields: ResolveFields) -> Asked:
    """Understand what the caller gave.

    Raises TypeError for an unknown field, TypeError or ValueError for what cannot be written as JSON.
    """
    refuse_unknown(fields, ResolveFields)
    format_ = fields.get("format") or "generic"
    full = Conversation(
        make_plain(fields.get("messages")), fields.get("prompt"), make_plain(fields.get("system_prompt"))
    )
    sent = _trim(full, format_, fields) if fields.get("trim") and full.messages is not None else full
    returns = frozenset(fields.get("returns", (REQUEST,)))
    body = make_body(fields, sent, format_, returns if sent is full else returns | {REQUEST})
    return Asked(
        format=format_,
        dialect=find_dialect(format_, full.messages),
        full=full,
        sent=sent,
        body=body,
        returns=returns,
        key=_name_conversation(body, returns, fields.get("correlation_id")),
        correlation_id=fields.get("correlation_id"),
    )


def make_body(fields: ResolveFields, sent: Conversation, format_: str, returns: frozenset[str]) -> dict[str, Any]:
    """The body of resolve and of availability."""
    passed = ("profile", "groups", "active_tools", "session_id", "exposure_policy", "disclosure", "versions", "tools")
    body = {name: make_plain(fields.get(name)) for name in passed}
    return drop_none(
        messages=sent.messages,
        prompt=sent.prompt,
        system_prompt=sent.system_prompt,
        context=make_context(fields.get("context")),
        format=format_,
        explain=fields.get("explain") or None,
        **{"return": sorted(returns)},
        **body,
    )


def _trim(full: Conversation, format_: str, fields: ResolveFields) -> Conversation:
    """In native disclosure the catalog mends the messages themselves: it has to see all of them."""
    if fields.get("disclosure") == "native":
        return full
    is_meta = fields.get("disclosure") == "meta"
    policy = ACCUMULATE if is_meta else fields.get("exposure_policy") or ACCUMULATE
    entry_tools = fields.get("entry_tools") or ENTRY_TOOLS
    return Conversation(trim_messages(full.messages or (), policy, format=format_, entry_tools=entry_tools))


def _name_conversation(body: dict[str, Any], returns: frozenset[str], correlation_id: str | None) -> Hashable | None:
    context = body.get("context") or {}
    named = context.get("conversation_id") or body.get("session_id") or correlation_id
    if named is None or REQUEST not in returns:
        return None
    return named, body.get("profile"), body["format"], returns


def answer_anew(asked: Asked, answer: ResolveAnswer, memory: Memory, begin: float) -> ResolveAnswer:
    """The server's answer, with the caller's whole conversation, and remembered where that is possible."""
    read = _read_parts(asked, answer)
    if read is None:
        if asked.is_trimmed:
            raise UnsupportedMessages(f"The messages cannot be cut: they are not those of “{asked.format}”.")
        return answer
    fields, additions = read
    answer = replace(answer, additions=additions)
    if asked.key is not None:
        kept = Remembered(_without_conversation(answer), fields, additions, asked.inputs, _good_until(answer, begin))
        memory.keep(asked.key, kept)
    if not asked.is_trimmed or asked.dialect is None:
        return answer
    return _with_conversation(asked, answer, compose(asked.dialect, fields, additions, asked.full))


def _read_parts(asked: Asked, answer: ResolveAnswer) -> tuple[dict[str, Any], str] | None:
    """The vendor's fields and the additions; None unless what the client makes of them equals what the server made."""
    if asked.dialect is None or answer.request is None:
        return None
    additions = find_additions(asked.dialect, answer.request, asked.sent)
    if additions is None:
        return None
    fields = take_fields(asked.dialect, answer.request)
    made = compose(asked.dialect, fields, additions, asked.sent)
    expected = _with_conversation(asked, answer, made)
    return (fields, additions) if expected == answer else None


def answer_unchanged(
    asked: Asked, known: Remembered | None, answer: ResolveAnswer, memory: Memory, begin: float
) -> ResolveAnswer:
    """The answer to an equal digest: tools and additions are the remembered ones, the conversation is this one."""
    if known is None or asked.dialect is None or asked.key is None:
        raise UnsupportedMessages("The server left parts out as unchanged that the client does not remember.")
    filled = replace(answer, tools=copy.deepcopy(known.answer.tools), additions=known.additions)
    kept = _without_conversation(filled)
    memory.keep(asked.key, Remembered(kept, known.fields, known.additions, asked.inputs, _good_until(answer, begin)))
    return _with_conversation(asked, filled, compose(asked.dialect, known.fields, known.additions, asked.full))


def answer_without_server(
    asked: Asked, known: Remembered | None, memory: Memory, error: ToolCatalogError, now: float
) -> ResolveAnswer:
    """The conversation's last answer again, where the catalog is away and the answer is good still; else the error.

    An answer is used again only if everything that decides beside the conversation is equal. A catalog that refuses
    ends the use of what it said before.
    """
    if not is_away(error):
        _forget_refused(asked, memory, error)
        raise error
    if known is None or asked.dialect is None or known.inputs != asked.inputs or now >= known.good_until:
        raise error
    detail = f"The catalog did not answer ({error}). This is the conversation's last answer again."
    old = copy.deepcopy(known.answer)
    stale = replace(
        old, notices=(*old.notices, Notice(STALE, "", detail)), unchanged=False, explanation=None, stale=True
    )
    return _with_conversation(asked, stale, compose(asked.dialect, known.fields, known.additions, asked.full))


def _forget_refused(asked: Asked, memory: Memory, error: ToolCatalogError) -> None:
    if isinstance(error, NotAuthenticated | Forbidden):
        memory.forget_all()
    elif asked.key is not None and isinstance(error, ToolCatalogAPIError) and error.status not in BUSY_STATUSES:
        memory.forget(asked.key)


def _with_conversation(asked: Asked, answer: ResolveAnswer, made: Composed) -> ResolveAnswer:
    """The answer with the parts that hold the conversation, as far as they were asked for."""
    return replace(
        answer,
        request=made.request if REQUEST in asked.returns else None,
        system_prompt=made.system_prompt if "system_prompt" in asked.returns else None,
        messages=made.messages if "messages" in asked.returns else None,
    )


def _without_conversation(answer: ResolveAnswer) -> ResolveAnswer:
    """A copy to be remembered. What people and models said is not kept."""
    return copy.deepcopy(replace(answer, request=None, system_prompt=None, messages=None, explanation=None))


def _good_until(answer: ResolveAnswer, begin: float) -> float:
    """How long an answer may be used again, by the client's clock: the clocks of two machines are not compared."""
    lifetime = answer.snapshot.valid_until - answer.snapshot.created_at
    return begin + lifetime.total_seconds()
