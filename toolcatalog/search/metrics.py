"""How good a ranking is, judged against the items that were wanted. Pure functions; every figure is from 0 to 1.

Definitions as in Manning, Raghavan and Schütze, "Introduction to Information Retrieval", chapter 8, with binary
relevance. `ranked` are distinct names, best first; `relevant` is not empty.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil, log2


def recall_at(ranked: Sequence[str], relevant: Collection[str], places: int) -> float:
    """The share of the relevant items that stand in the first `places`."""
    return len(set(ranked[:places]) & set(relevant)) / len(set(relevant))


def ndcg_at(ranked: Sequence[str], relevant: Collection[str], places: int) -> float:
    """The discounted gain of the first `places`, as a share of the best order's; a hit at place i is 1/log2(i + 1)."""
    wanted = set(relevant)
    gained = sum(_gain(place) for place, name in enumerate(ranked[:places], 1) if name in wanted)
    return gained / sum(_gain(place) for place in range(1, min(len(wanted), places) + 1))


def reciprocal_rank_at(ranked: Sequence[str], relevant: Collection[str], places: int) -> float:
    """One divided by the place of the first relevant item; 0 when none is in the first `places`."""
    wanted = set(relevant)
    return next((1 / place for place, name in enumerate(ranked[:places], 1) if name in wanted), 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that at least `share` of them do not exceed (nearest rank); 0 when there are none."""
    if not values:
        return 0.0
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 when there are no values."""
    return sum(values) / len(values) if values else 0.0


def _gain(place: int) -> float:
    return 1 / log2(place + 1)
