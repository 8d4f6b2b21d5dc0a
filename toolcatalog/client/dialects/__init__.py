"""The vendors' message forms, by the name of the catalog's format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.client.errors import UnsupportedMessages

from .anthropic import Anthropic
from .base import CallName, Dialect, Message, ModelReply, Outline
from .bedrock import Bedrock
from .gemini import Gemini
from .gemini_interactions import GeminiInteractions
from .openai_chat import OpenAIChat
from .openai_responses import OpenAIResponses

__all__ = ["CallName", "Dialect", "Message", "ModelReply", "Outline", "find_dialect", "get_dialect", "refuse_foreign"]

_MAIN = (OpenAIChat(), OpenAIResponses(), Anthropic(), Gemini(), Bedrock())
_DIALECTS: dict[str, Dialect] = {name: dialect for dialect in _MAIN for name in dialect.formats}
_OTHER_INTERFACES: dict[str, Dialect] = {"gemini": GeminiInteractions()}
"""A second interface of a vendor, with messages of its own. They are told from those of the first by their marks."""
_ALL = (*_MAIN, *_OTHER_INTERFACES.values())


def find_dialect(format_: str, messages: Any = None) -> Dialect | None:
    """The dialect of a format; None for one that the client only passes on.

    `messages`, or a model's reply, decide where a vendor has two interfaces.
    """
    other = _OTHER_INTERFACES.get(format_)
    if other is not None and any(isinstance(item, Mapping) and other.has_marks(item) for item in _items(messages)):
        return other
    return _DIALECTS.get(format_)


def get_dialect(format_: str, messages: Any = None) -> Dialect:
    """The dialect of a format. Raises UnsupportedMessages."""
    dialect = find_dialect(format_, messages)
    if dialect is None:
        raise UnsupportedMessages(
            f"The client does not know the messages of “{format_}”. Known: {', '.join(_DIALECTS)}."
        )
    return dialect


def refuse_foreign(dialect: Dialect, messages: Sequence[Any]) -> None:
    """Raise UnsupportedMessages where a message is not of this dialect: what it says would be overlooked.

    What is no message at all is for the server to refuse.
    """
    for place, message in enumerate(messages):
        if not isinstance(message, dict) or dialect.has_marks(message) or message.get("content") == []:
            continue
        if not dialect.takes_plain or any(other.has_marks(message) for other in _ALL):
            raise UnsupportedMessages(f"messages[{place}] is not in the form of {' or '.join(dialect.formats)}.")


def _items(messages: Any) -> Sequence[Any]:
    """The members of a conversation or of a reply: the steps of one of Gemini's, or a single message."""
    if isinstance(messages, Mapping):
        steps = messages.get("steps")
        return steps if isinstance(steps, list) else [messages]
    return messages if isinstance(messages, Sequence) and not isinstance(messages, str) else []
