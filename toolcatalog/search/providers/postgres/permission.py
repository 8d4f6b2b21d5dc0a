"""The tools that a caller may be shown, as a condition in SQL.

Written for thousands of ids in every statement: as a bitmap where they lie close together, as they do for one tenant
with most of the catalog (100,000 ids are 12 kB instead of 700), else as an array that is hashed once. Whoever searches
again with the same set finds it ready: it is kept as long as the set itself, and keeps no set.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from .arrays import write_numbers

IN_ARRAY = "(tool_id IN (SELECT unnest(%(allowed)s::bigint[]))) IS TRUE"
"""IS TRUE has PostgreSQL hash the ids once, instead of making a join of them."""

IN_BITMAP = (
    "CASE WHEN tool_id BETWEEN %(first_allowed)s AND %(last_allowed)s"
    " THEN get_bit(%(allowed)s, tool_id - %(first_allowed)s) = 1 ELSE false END"
)

_MAX_BITS_PER_ID = 32
_IS_ALLOWED = ord("1")


@dataclass(frozen=True, slots=True)
class AllowedTools:
    """A condition on `tool_id`, with the parameters that it names."""

    condition: str
    parameters: Mapping[str, str | bytes | int]


_conditions: WeakKeyDictionary[frozenset[int], AllowedTools] = WeakKeyDictionary()


def write_condition(allowed: Collection[int]) -> AllowedTools:
    """The condition that is true for exactly these tools. `allowed` is not empty."""
    if not isinstance(allowed, frozenset):
        return _make_condition(allowed)
    ready = _conditions.get(allowed)
    if ready is None:
        ready = _conditions[allowed] = _make_condition(allowed)
    return ready


def _make_condition(allowed: Collection[int]) -> AllowedTools:
    first, last = min(allowed), max(allowed)
    if last - first >= _MAX_BITS_PER_ID * len(allowed):
        return AllowedTools(IN_ARRAY, {"allowed": write_numbers(allowed)})
    digits = bytearray(b"0") * (last - first + 1)
    for tool_id in allowed:
        digits[last - tool_id] = _IS_ALLOWED
    bitmap = int(digits, 2).to_bytes((last - first) // 8 + 1, "little")  # a loop over bytes takes twice as long
    return AllowedTools(IN_BITMAP, {"allowed": bitmap, "first_allowed": first, "last_allowed": last})
