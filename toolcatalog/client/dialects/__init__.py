"""The vendors' message forms, by the name of the catalog's format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolcatalog.client.errors import UnsupportedMessages

from .anthropic import Anthropic
from .base import CallName, Dialect, Message, ModelReply, Outline
from .gemini import Gemini
from .openai_chat import OpenAIChat
from .openai_responses import OpenAIResponses

__all__ = ["CallName", "Dialect", "Message", "ModelReply", "Outline", "find_dialect", "get_dialect", "refuse_foreign"]

_ALL = (OpenAIChat(), OpenAIResponses(), Anthropic(), Gemini())
_DIALECTS: dict[str, Dialect] = {name: dialect for dialect in _ALL for name in dialect.formats}


def find_dialect(format_: str) -> Dialect | None:
    """The dialect of a format; None for one that the client only passes on."""
    return _DIALECTS.get(format_)


def get_dialect(format_: str) -> Dialect:
    """The dialect of a format. Raises UnsupportedMessages."""
    dialect = _DIALECTS.get(format_)
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
        if not isinstance(message, dict) or dialect.has_marks(message):
            continue
        if not dialect.takes_plain or any(other.has_marks(message) for other in _ALL):
            raise UnsupportedMessages(f"messages[{place}] is not in the form of {' or '.join(dialect.formats)}.")
