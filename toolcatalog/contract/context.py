"""What matchers may read of one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from .json import JsonObject, JsonValue, freeze_json


@dataclass(frozen=True, slots=True)
class EvaluationContext:
    """The facts of one request. Frozen: enrichers make a new one.

    `message` is the text of the last user message (None: there is no such text); `now` is the time at which
    time conditions are judged (aware, UTC); `attributes` is the caller's own JSON object.
    """

    tenant: str
    now: datetime
    message: str | None = None
    model: str | None = None
    account_id: str | None = None
    conversation_id: str | None = None
    bot_id: str | None = None
    turn_id: str | None = None
    attributes: JsonObject = field(default_factory=dict)


def read_attribute(attributes: JsonObject, path: str) -> JsonValue:
    """The value at a dotted path, or None when any step is missing. A key that holds dots is tried whole first."""
    if path in attributes:
        return attributes[path]
    node: JsonValue = attributes
    for step in path.split("."):
        if not isinstance(node, Mapping) or step not in node:
            return None
        node = node[step]
    return node


def freeze_context(context: EvaluationContext) -> EvaluationContext:
    """The same context with attributes that cannot be changed at any depth, for code of others."""
    return replace(context, attributes=freeze_json(context.attributes))
