"""What a callback may know of the call, beside its arguments."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolcatalog.contract.json import JsonObject


@dataclass(frozen=True, slots=True)
class CallContext:
    """Who calls, and from where. A parameter of this type gets it; models neither see nor fill that parameter.

    All of it but `tenant` and `request_id` is what the calling service said. `attributes` cannot be changed.
    """

    tenant: str
    account_id: str | None = None
    conversation_id: str | None = None
    attributes: JsonObject = field(default_factory=dict)
    request_id: str = ""
    bot_id: str | None = None
    turn_id: str | None = None
    model: str | None = None
