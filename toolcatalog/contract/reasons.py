"""The closed list of reasons: why a tool or a group is in an answer, or out of it."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """One word for one cause. The first six say why something is in, the others why it is out."""

    RESIDENT = "RESIDENT"
    TARGETING_MATCH = "TARGETING_MATCH"
    SEARCH_HIT = "SEARCH_HIT"
    CALLER = "CALLER"
    SESSION = "SESSION"
    ENTRY = "ENTRY"
    NO_MATCH = "NO_MATCH"
    ACCESS_RESTRICTED = "ACCESS_RESTRICTED"
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    DISABLED = "DISABLED"
    PENDING_REVIEW = "PENDING_REVIEW"
    RETIRED = "RETIRED"
    NO_CALLBACK = "NO_CALLBACK"
    NO_SUCH_VERSION = "NO_SUCH_VERSION"
    NOT_EXPORTABLE = "NOT_EXPORTABLE"
    OVER_BUDGET = "OVER_BUDGET"
    HIDDEN_BY_OWN = "HIDDEN_BY_OWN"
    ERROR = "ERROR"
    UNKNOWN = "UNKNOWN"
    NOT_GRANTED = "NOT_GRANTED"


REASONS_IN = frozenset(
    {Reason.RESIDENT, Reason.TARGETING_MATCH, Reason.SEARCH_HIT, Reason.CALLER, Reason.SESSION, Reason.ENTRY}
)
"""Reasons that say why a tool is in a snapshot."""

RETRYABLE_REASONS = frozenset({Reason.ERROR, Reason.NO_CALLBACK})
"""The same request may be answered otherwise later although nobody edited the catalog."""


def soften_reason(reason: Reason) -> Reason:
    """The reason an outsider is told: what does not exist and what is not granted look the same."""
    return Reason.UNKNOWN if reason is Reason.NOT_GRANTED else reason
