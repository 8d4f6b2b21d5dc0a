"""A conversation in neutral form: what every message dialect is read into."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .json import JsonObject, JsonValue


class Role(StrEnum):
    """Who speaks. `SYSTEM` stands for OpenAI's developer role as well; `TOOL` for messages that only hold answers."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model made. `arguments` is None when they cannot be read as a JSON object.

    `is_callers` marks a call of a kind that the vendor defines and the caller runs (a custom tool, a member of one of
    the vendor's toolsets): whatever its name, it is none of the catalog's.
    """

    call_id: str
    name: str
    arguments: JsonObject | None
    is_callers: bool = False


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """One answer to a call. `content` is what the answer holds, parsed as JSON where it was JSON text.

    `names` are the tool names that the answer carries, read from any of the forms of behaviours R5; None when it is
    not such an answer (an error text, no JSON array).
    """

    call_id: str
    content: JsonValue
    names: tuple[str, ...] | None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `text` is the joined text of its text parts, None when it has none.

    `other_parts` counts the parts that have no place here: media, thoughts, what the vendor runs itself.
    """

    role: Role
    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    answers: tuple[ToolAnswer, ...] = ()
    other_parts: int = 0


def find_last_user_text(messages: tuple[Message, ...]) -> str | None:
    """The text of the last user message; a user message that holds only tool answers does not count (G8)."""
    for message in reversed(messages):
        if message.role is Role.USER and not (message.answers and message.text is None):
            return message.text
    return None
