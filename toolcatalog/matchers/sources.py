"""What a condition may read: one line for each source, with its words and how it is read from the request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import Source

TEXT_SOURCES = frozenset(
    {
        Source.MESSAGE,
        Source.MODEL,
        Source.ACCOUNT_ID,
        Source.CONVERSATION_ID,
        Source.BOT_ID,
        Source.TURN_ID,
        Source.TENANT,
        Source.ATTRIBUTE,
    }
)
"""Sources that can hold text."""


@dataclass(frozen=True, slots=True)
class SourceDefinition:
    """A source in words (the subject of a sentence), and the value it has in a request.

    `read` is None where the value needs more than the context: attributes need a path, groups what came before.
    """

    words: str
    read: Callable[[EvaluationContext], JsonValue] | None = None


SOURCES: dict[Source, SourceDefinition] = {
    Source.MESSAGE: SourceDefinition("the last user message", lambda context: context.message),
    Source.MODEL: SourceDefinition("the model", lambda context: context.model),
    Source.ACCOUNT_ID: SourceDefinition("the account", lambda context: context.account_id),
    Source.CONVERSATION_ID: SourceDefinition("the conversation", lambda context: context.conversation_id),
    Source.BOT_ID: SourceDefinition("the bot", lambda context: context.bot_id),
    Source.TURN_ID: SourceDefinition("the turn", lambda context: context.turn_id),
    Source.TENANT: SourceDefinition("the tenant", lambda context: context.tenant),
    Source.TIME: SourceDefinition("the time of the request", lambda context: context.now.isoformat()),
    Source.ATTRIBUTE: SourceDefinition("the attribute {attribute}"),
    Source.GROUP: SourceDefinition("an earlier group that matched"),
}
"""Every source. A new one is a member of `Source`, a field of the context and a line here."""


def name_source(source: Source, attribute: str) -> str:
    """The source in words, for the start of a sentence about a value."""
    return SOURCES[source].words.format(attribute=f"“{attribute}”")
