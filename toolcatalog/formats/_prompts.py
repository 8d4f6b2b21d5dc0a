"""How the catalog's additions are merged into a system prompt (G5, G6, G15), whatever form the prompt has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject, JsonValue

from ._reading import is_list, iterate_objects

BLANK_LINE = "\n\n"
SYSTEM_ROLES = ("system", "developer")

MakeBlock = Callable[[str], JsonObject]


def join_additions(additions: Sequence[str]) -> str:
    """The additions as one text: blank ones left out, equal ones once, a blank line between two; "" for none."""
    return BLANK_LINE.join(dict.fromkeys(addition for addition in additions if addition.strip()))


def append_additions(system: JsonValue, additions: str, make_block: MakeBlock) -> JsonValue:
    """A system prompt (None, text, or a list of blocks) with the additions at its end.

    It is the same object when there is nothing to add, or when it ends with exactly these additions already. A text
    gets them after a blank line, a list as a new last block; what is blank is replaced. None stays None.
    """
    if not additions:
        return system
    if is_list(system):
        return _append_block(system, additions, make_block)
    if not isinstance(system, str) or not system.strip():
        return additions
    return system if _ends_with(system, additions) else f"{system}{BLANK_LINE}{additions}"


def is_blank_prompt(system: JsonValue) -> bool:
    """Whether a system prompt says nothing."""
    if isinstance(system, str):
        return not system.strip()
    if is_list(system):
        return all(_is_blank_block(block) for block in system)
    return not system


def read_prompt_text(system: JsonValue) -> str:
    """The text of a system prompt in any of its forms."""
    if isinstance(system, str):
        return system
    return BLANK_LINE.join(text for block in iterate_objects(system) if isinstance(text := block.get("text"), str))


def need_prompt(base: JsonValue) -> JsonValue:
    """The caller's `system_prompt`, which is text or a list of blocks; None when it says nothing."""
    if base is None or isinstance(base, str) or (is_list(base) and all(isinstance(block, Mapping) for block in base)):
        return None if is_blank_prompt(base) else base
    raise InvalidInput.single("system_prompt", "not_text", "system_prompt is neither text nor a list of blocks.")


def refuse_two_prompts() -> InvalidInput:
    """The error for a `system_prompt` beside a system message."""
    message = "Give the system prompt once: messages has a system message, so leave system_prompt out."
    return InvalidInput.single("system_prompt", "two_system_prompts", message)


@dataclass(frozen=True, slots=True)
class Lifted:
    """Messages without the system messages that stood at their head, and what those said (None: there were none)."""

    system: JsonValue
    messages: Sequence[JsonValue]


def lift_system(messages: Sequence[JsonValue]) -> Lifted:
    """Take the system messages off the head of the messages, where the provider has another place for them.

    One system message gives its content as it is, several give their joined text. A system message that holds more
    than text stays where it is, and so do those after it.
    """
    count = 0
    while count < len(messages) and _is_plain_system(messages[count]):
        count += 1
    if not count:
        return Lifted(None, messages)
    contents = [_content(message) for message in messages[:count]]
    system = contents[0] if count == 1 else BLANK_LINE.join(filter(None, map(read_prompt_text, contents)))
    return Lifted("" if system is None else system, messages[count:])


def is_system_message(message: JsonValue) -> bool:
    """Whether a message speaks for the system: role system, or OpenAI's developer."""
    return isinstance(message, Mapping) and message.get("role") in SYSTEM_ROLES


def _is_plain_system(message: JsonValue) -> bool:
    if not is_system_message(message):
        return False
    content = _content(message)
    if is_list(content):
        return all(isinstance(block, Mapping) and isinstance(block.get("text"), str) for block in content)
    return content is None or isinstance(content, str)


def _content(message: JsonValue) -> JsonValue:
    return message.get("content") if isinstance(message, Mapping) else None


def _append_block(blocks: Sequence[JsonValue], additions: str, make_block: MakeBlock) -> JsonValue:
    texts = [text for block in iterate_objects(blocks) if isinstance(text := block.get("text"), str)]
    if texts and _ends_with(texts[-1], additions):
        return blocks
    kept: list[Any] = [block for block in blocks if not _is_blank_block(block)]
    return [*kept, make_block(additions)]


def _is_blank_block(block: JsonValue) -> bool:
    if not isinstance(block, Mapping):
        return False
    text = block.get("text")
    return isinstance(text, str) and not text.strip()


def _ends_with(text: str, additions: str) -> bool:
    return text == additions or text.endswith(f"{BLANK_LINE}{additions}")
