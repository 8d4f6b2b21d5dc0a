"""The tools that a caller may be shown, as a condition in SQL.

Written for thousands of ids in every statement: as a bitmap where they lie close together, as they do for one tenant
with most of the catalog (100,000 ids are 12 kB instead of 700), else as an array that is hashed once. The last few sets
are kept ready, since the same caller's are asked for again and again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

IN_ARRAY = "(tool_id IN (SELECT unnest(%(allowed)s::bigint[]))) IS TRUE"
"""IS TRUE has PostgreSQL hash the ids once, instead of making a join of them."""

IN_BITMAP = (
    "CASE WHEN tool_id BETWEEN %(first_allowed)s AND %(last_allowed)s"
    " THEN get_bit(%(allowed)s, tool_id - %(first_allowed)s) = 1 ELSE false END"
)

_MAX_BITS_PER_ID = 32


@dataclass(frozen=True, slots=True)
class AllowedTools:
    """A condition on `tool_id`, with the parameters that it names."""

    condition: str
    parameters: Mapping[str, str | bytes | int]


def write_condition(allowed: Collection[int]) -> AllowedTools:
    """The condition that is true for exactly these tools. `allowed` is not empty."""
    return _write_condition(allowed if isinstance(allowed, frozenset) else frozenset(allowed))


@lru_cache(16)
def _write_condition(allowed: frozenset[int]) -> AllowedTools:
    first, last = min(allowed), max(allowed)
    if last - first >= _MAX_BITS_PER_ID * len(allowed):
        return AllowedTools(IN_ARRAY, {"allowed": f"{{{','.join(map(str, allowed))}}}"})
    bitmap = bytearray((last - first) // 8 + 1)
    for tool_id in allowed:
        place = tool_id - first
        bitmap[place >> 3] |= 1 << (place & 7)
    return AllowedTools(IN_BITMAP, {"allowed": bytes(bitmap), "first_allowed": first, "last_allowed": last})
