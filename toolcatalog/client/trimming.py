"""Cuts from a conversation what the catalog need not see."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from .dialects import Dialect, Message, Outline, get_dialect, refuse_foreign
from .dialects.base import ASSISTANT, SYSTEM
from .plain import make_plain

ACCUMULATE = "accumulate"
META_SEARCH = "search_tools"
ENTRY_TOOLS = ("toolSearch", META_SEARCH, "tool_search")
"""What the tool search is called unless a profile calls it something else."""


def trim_messages(
    messages: Sequence[Any],
    policy: str = ACCUMULATE,
    *,
    format: str = "openai_chat",  # noqa: A002  # the API's word
    entry_tools: Collection[str] = ENTRY_TOOLS,
) -> list[Message]:
    """What has to be sent of these messages at least, so that the catalog answers as if it had seen all.

    That is the user message that rules read, everything from the last assistant message that searched on, and under the
    policy `accumulate` also all earlier searches with their answers. System messages and media parts are left out.
    Where the policy is not known, `accumulate` keeps enough. Raises UnsupportedMessages for formats whose messages the
    client does not know, and for messages of another form.
    """
    plain: list[Any] = make_plain(messages)
    dialect = get_dialect(format, plain)
    refuse_foreign(dialect, plain)
    outlines = [dialect.outline(message) if isinstance(message, dict) else Outline("other") for message in plain]
    kept = choose_messages(outlines, policy, frozenset(entry_tools), joins_calls=dialect.joins_calls)
    return [_drop_media(dialect, plain[place]) for place in sorted(kept)]


def choose_messages(
    outlines: Sequence[Outline], policy: str, entry_tools: frozenset[str], *, joins_calls: bool
) -> set[int]:
    """The places of the messages that have to be sent."""
    kept = {place for place, outline in enumerate(outlines) if outline.is_deciding}
    kept = {max(kept)} if kept else set()
    searches = [
        (call.name, place)
        for place, outline in enumerate(outlines)
        for call in outline.calls
        if outline.role == ASSISTANT and call.name in entry_tools
    ]
    if not searches:
        return kept
    last_of_each = dict(searches)
    all_count = policy == ACCUMULATE or META_SEARCH in last_of_each
    begin = min(last_of_each.values())
    if joins_calls:
        begin = _begin_of_turn(outlines, searches[0][1] if all_count else begin)
        return kept | set(range(begin, len(outlines)))
    kept.update(range(begin, len(outlines)))
    if all_count:
        kept.update(_all_searches(outlines, entry_tools))
    return {place for place in kept if outlines[place].role != SYSTEM}


def _begin_of_turn(outlines: Sequence[Outline], place: int) -> int:
    """Where what one model call answered begins. What stands between two turns keeps them apart, and is not cut."""
    while place and outlines[place - 1].role == ASSISTANT:
        place -= 1
    return place


def _all_searches(outlines: Sequence[Outline], entry_tools: frozenset[str]) -> set[int]:
    """The places of all searches and of what answers them. A later call of the same id ends the look for an answer, so
    that such calls are kept as well.
    """
    ids = {call.id for outline in outlines for call in outline.calls if call.name in entry_tools}
    return {
        place
        for place, outline in enumerate(outlines)
        if any(call.id in ids for call in outline.calls) or not ids.isdisjoint(outline.answers)
    }


def _drop_media(dialect: Dialect, message: Any) -> Any:
    return dialect.drop_media(message) if isinstance(message, dict) else message
