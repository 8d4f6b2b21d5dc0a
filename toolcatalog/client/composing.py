"""Puts what the catalog adds together with the caller's own messages, as the server does, without asking it.

The server merges its additions into the messages that it is sent. Where it was not sent all of them, or did not send
the merged ones back, the client does the same here. What the client made is only used after it was seen to equal what
the server made of the same input.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .answers import ResolveAnswer
from .dialects import Dialect, get_dialect
from .dialects.base import SYSTEM_ROLES, list_objects
from .errors import UnsupportedMessages
from .plain import make_plain

BLANK_LINE = "\n\n"


@dataclass(frozen=True, slots=True)
class Conversation:
    """What the caller has: plain messages, or a prompt in place of them, and the system prompt beside them."""

    messages: Sequence[Any] | None
    prompt: str | None = None
    system_prompt: Any = None


@dataclass(frozen=True, slots=True)
class Composed:
    """The parts of an answer that hold the conversation. `messages` is None where a prompt was given."""

    request: dict[str, Any]
    system_prompt: Any
    messages: list[Any] | None


def apply_snapshot(messages: Sequence[Any], answer: ResolveAnswer, *, system_prompt: Any = None) -> dict[str, Any]:
    """The vendor's fields for these messages with the tools and additions of an answer.

    For answers to trimmed messages: the answer's own `request` holds only what was sent. Changes neither argument, and
    adds nothing to a system prompt that ends with the additions already. Raises UnsupportedMessages.
    """
    if answer.request is None or answer.additions is None:
        raise UnsupportedMessages("This answer does not tell what the catalog added to the system prompt.")
    plain = make_plain(messages)
    dialect = get_dialect(answer.format, plain)
    fields = take_fields(dialect, answer.request)
    made = compose(dialect, fields, answer.additions, Conversation(plain, None, system_prompt))
    return dialect.finish_request(made.request)


def compose(dialect: Dialect, fields: Mapping[str, Any], additions: str, conversation: Conversation) -> Composed:
    """The vendor's fields: `fields` with the conversation and the additions."""
    request = copy.deepcopy(dict(fields))
    start, turns = split_system(dialect, conversation)
    system = add_to_system(dialect, start, additions)
    if is_blank(system):
        system = None
    if not dialect.system_path:
        turns = _place_system(turns, system)
    elif system is not None:
        is_text = dialect.wraps_system and isinstance(system, str)
        _put(request, dialect.system_path, [dialect.make_text_block(system)] if is_text else system)
    if turns or not dialect.system_path:
        request[dialect.messages_key] = turns
    return Composed(request, system, None if conversation.messages is None else turns)


def find_additions(dialect: Dialect, request: Mapping[str, Any], conversation: Conversation) -> str | None:
    """What the server added to the system prompt of a conversation ("" for nothing); None where that cannot be told."""
    start, _ = split_system(dialect, conversation)
    if dialect.system_path:
        merged = _get(request, dialect.system_path)
        if dialect.wraps_system and isinstance(merged, list) and not isinstance(start, list):
            merged = _join_text(merged)
    else:
        merged = next((m.get("content") for m in list_objects(request.get("messages")) if _is_system(m)), None)
    return _subtract(merged, start)


def take_fields(dialect: Dialect, request: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the vendor's fields without the conversation: what the catalog itself gives."""
    fields = copy.deepcopy(dict(request))
    fields.pop(dialect.messages_key, None)
    *outer, last = dialect.system_path or (dialect.messages_key,)
    inner = _get(fields, tuple(outer)) if outer else fields
    if isinstance(inner, dict):
        inner.pop(last, None)
        if not inner and outer:
            fields.pop(outer[0], None)
    return fields


def split_system(dialect: Dialect, conversation: Conversation) -> tuple[Any, list[Any]]:
    """(the caller's own system prompt or None, the other messages).

    Where the system prompt is a message, the messages still hold it.
    """
    if conversation.messages is None:
        return _join_blocks(dialect, _base(conversation)), [dialect.make_user_message(conversation.prompt or "")]
    turns = list(conversation.messages)
    if not dialect.system_path:
        first = next((message for message in turns if _is_system(message)), None)
        return (_base(conversation) if first is None else first.get("content")), turns
    base = _base(conversation)
    count = next((index for index, message in enumerate(turns) if not _is_plain_system(message)), len(turns))
    if count:
        contents = [message.get("content") for message in turns[:count]]
        base = contents[0] if count == 1 else BLANK_LINE.join(filter(None, map(_join_text, contents)))
        base = "" if base is None else _join_text(base) if dialect.wraps_system else base
    return _join_blocks(dialect, base), turns[count:]


def add_to_system(dialect: Dialect, system: Any, additions: str) -> Any:
    """A system prompt with the additions at its end: after a blank line in text, a new last block in a list."""
    if not additions:
        return system
    if isinstance(system, Mapping) and isinstance(system.get("parts"), list):
        return {**system, "parts": add_to_system(dialect, system["parts"], additions)}
    if isinstance(system, list):
        texts = [text for block in list_objects(system) if isinstance(text := block.get("text"), str)]
        if texts and _ends_with(texts[-1], additions):
            return system
        return [*_full_blocks(system), dialect.make_text_block(additions)]
    if not isinstance(system, str) or not system.strip():
        return additions
    return system if _ends_with(system, additions) else f"{system}{BLANK_LINE}{additions}"


def is_blank(system: Any) -> bool:
    """Whether a system prompt says nothing."""
    if isinstance(system, str):
        return not system.strip()
    if isinstance(system, list):
        return not _full_blocks(system)
    return not system


def _base(conversation: Conversation) -> Any:
    base = conversation.system_prompt
    inner = base["parts"] if isinstance(base, Mapping) and "parts" in base else base
    return None if is_blank(inner) else base


def _join_blocks(dialect: Dialect, system: Any) -> Any:
    return system if dialect.keeps_blocks or not isinstance(system, list) else _join_text(system)


def _subtract(merged: Any, start: Any) -> str | None:
    if is_blank(merged) or merged == start:
        return ""
    if isinstance(merged, Mapping) and isinstance(start, Mapping):
        return _subtract(merged.get("parts"), start.get("parts"))
    if isinstance(merged, list):
        kept = _full_blocks(start) if isinstance(start, list) else []
        text = merged[-1].get("text") if merged[:-1] == kept and isinstance(merged[-1], Mapping) else None
        return text if isinstance(text, str) else None
    if not isinstance(merged, str):
        return None
    if is_blank(start):
        return merged
    head = f"{start}{BLANK_LINE}"
    return merged[len(head) :] if isinstance(start, str) and merged.startswith(head) else None


def _place_system(turns: list[Any], system: Any) -> list[Any]:
    """The messages with the system prompt in its place: the first system message, or a new one at the front."""
    place = next((index for index, message in enumerate(turns) if _is_system(message)), None)
    if place is None:
        return turns if system is None else [{"role": "system", "content": system}, *turns]
    if system is None:
        return turns
    return [*turns[:place], {**turns[place], "content": system}, *turns[place + 1 :]]


def _is_system(message: Any) -> bool:
    return isinstance(message, Mapping) and message.get("role") in SYSTEM_ROLES


def _is_plain_system(message: Any) -> bool:
    if not _is_system(message):
        return False
    content = message.get("content")
    if isinstance(content, list):
        return all(isinstance(block, Mapping) and isinstance(block.get("text"), str) for block in content)
    return content is None or isinstance(content, str)


def _full_blocks(blocks: list[Any]) -> list[Any]:
    return [block for block in blocks if not (isinstance(block, Mapping) and _is_blank_text(block.get("text")))]


def _is_blank_text(text: Any) -> bool:
    return isinstance(text, str) and not text.strip()


def _join_text(system: Any) -> str:
    if isinstance(system, str):
        return system
    return BLANK_LINE.join(text for block in list_objects(system) if isinstance(text := block.get("text"), str))


def _ends_with(text: str, additions: str) -> bool:
    return text == additions or text.endswith(f"{BLANK_LINE}{additions}")


def _get(fields: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = fields
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _put(fields: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        fields = fields.setdefault(step, {})
    fields[path[-1]] = value
