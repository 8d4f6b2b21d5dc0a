"""Which tools a conversation has found: reads messages, sessions and echoed names. Pure; every name is a hint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toolcatalog.contract.catalog import Policy
from toolcatalog.contract.conversation import Message, Role, ToolAnswer, ToolCall
from toolcatalog.contract.resolve import SearchTrace

Search = tuple[str, ...]
"""The names that one search call was answered with, in rank order."""

Turns = Sequence[Sequence[Sequence[str]]]
"""A session's memory: turns of calls of names, oldest first."""


@dataclass(frozen=True, slots=True)
class Found:
    """The searches that count, oldest first, and where they were read."""

    searches: tuple[Search, ...]
    trace: SearchTrace


def read_found(
    *,
    messages: Sequence[Message],
    entry_names: frozenset[str],
    policy: Policy,
    turns: Turns,
    active_tools: Sequence[str],
    read_name: Callable[[str], str] = str,
) -> Found:
    """What counts as found (R1 to R11): messages decide if they show one, else the session, else `active_tools`.

    `read_name` makes catalog names of the names that models and callers use.
    """
    searching = _searching_turns(messages, entry_names)
    if searching:
        return _from_messages(messages, searching, policy, read_name)
    if turns:
        searches = _pick(turns, policy)
        return Found(searches, _trace("session", policy, searches))
    if active_tools:
        searches = (tuple(map(read_name, active_tools)),)
        return Found(searches, _trace("active_tools", policy, searches))
    return Found(
        (), SearchTrace("none", policy, detail="The conversation shows no search, and nothing was remembered.")
    )


def _trace(
    source: str, policy: Policy, searches: Sequence[Search], calls: Sequence[str] = (), detail: str = ""
) -> SearchTrace:
    names = tuple(dict.fromkeys(name for search in searches for name in search))
    return SearchTrace(source, policy, tuple(calls), names, detail)


def _pick(turns: Turns, policy: Policy) -> tuple[Search, ...]:
    """The searches of the turns that count under this policy (R2)."""
    if policy is Policy.ACCUMULATE:
        return tuple(tuple(call) for turn in turns for call in turn)
    last = turns[-1]
    counting = last[-1:] if policy is Policy.LATEST_CALL else last
    return tuple(tuple(call) for call in counting)


@dataclass(frozen=True, slots=True)
class _SearchingTurn:
    """One assistant message that searched: its place and its search calls."""

    index: int
    calls: tuple[ToolCall, ...]


def _searching_turns(messages: Sequence[Message], entry_names: frozenset[str]) -> list[_SearchingTurn]:
    turns = []
    for index, message in enumerate(messages):
        if message.role is Role.ASSISTANT:
            calls = tuple(call for call in message.calls if call.name in entry_names)
            if calls:
                turns.append(_SearchingTurn(index, calls))
    return turns


def _from_messages(
    messages: Sequence[Message], turns: Sequence[_SearchingTurn], policy: Policy, read_name: Callable[[str], str]
) -> Found:
    answered = [_answers_to(messages, turn) for turn in turns]
    names = [[_names_in(answer, read_name) for answer in turn] for turn in answered]
    searches = _pick(names, policy)
    counting = turns if policy is Policy.ACCUMULATE else turns[-1:]
    calls = [call.call_id for turn in counting for call in turn.calls]
    if policy is Policy.LATEST_CALL:
        calls = calls[-1:]
    return Found(searches, _trace("messages", policy, searches, calls, _describe(answered[-1])))


def _names_in(answer: ToolAnswer | None, read_name: Callable[[str], str]) -> Search:
    return () if answer is None else tuple(map(read_name, answer.names or ()))


def _answers_to(messages: Sequence[Message], turn: _SearchingTurn) -> list[ToolAnswer | None]:
    """The answer to each call of the turn. Calls of one id take its answers in order: without ids of their own, several
    searches have the tool's name for an id.
    """
    ids = [call.call_id for call in turn.calls]
    return [_find_answer(messages[turn.index + 1 :], id_, ids[:place].count(id_)) for place, id_ in enumerate(ids)]


def _find_answer(messages: Sequence[Message], call_id: str, skipped: int) -> ToolAnswer | None:
    """The first answer with this id after some that belong to earlier calls; ids may repeat over turns, so that a later
    call of the same id ends the look.
    """
    for message in messages:
        for answer in message.answers:
            if answer.call_id == call_id:
                if not skipped:
                    return answer
                skipped -= 1
        if any(other.call_id == call_id for other in message.calls):
            return None
    return None


def _describe(answers: Sequence[ToolAnswer | None]) -> str:
    """Why the latest search found nothing, for people; empty when it found something."""
    last = answers[-1]
    if any(answer is not None and answer.names for answer in answers):
        return ""
    if last is None:
        return "The last search is not answered yet."
    if last.names is None:
        return "The last search was answered with something that is no list of names."
    return "The last search found nothing."
