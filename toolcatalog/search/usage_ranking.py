"""Another order for what a search found: tools that are used often come earlier, where they fit about as well.

    fit(t)   = score of the tool / best score
    use(t)   = ln(1 + uses of the tool) / ln(1 + most uses of any tool found)
    order(t) = fit + 0.1 use

The logarithm, since the first uses say more than the hundredth. Tools of exactly the asked name stay first and count as
the provider has placed them (T14). Only the order changes: a score goes on to say how well its tool fits, on the
provider's scale, so that what passed `min_score` is still above it (S12), and scores need not fall from hit to hit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from math import log1p

from .provider import SearchHit, SearchResult

USAGE_WEIGHT = 0.1
"""What most use is worth beside the best fit. Over eight data sets, with what their other questions needed for usage,
mean nDCG went from .790 to .817 with it, and to .810 with 0.05 (docs/search.md)."""

SPARE_PLACES = 20
"""So many tools more than there are places have to be found, for some of them to rise into one."""

_EXACT_SCORE = 1.0


def rank_by_usage(result: SearchResult, uses: Mapping[int, int], limit: int) -> SearchResult:
    """The first `limit` hits by fit and use; `uses` by tool id, a tool that is not there has none.

    Ties keep the provider's order, and so do all tools of equal use, even where a provider's scores do not fall with
    its order. Where no hit has any use, it is the provider's order.
    """
    exact = tuple(hit for hit in result.hits if hit.score >= _EXACT_SCORE)
    others = tuple(hit for hit in result.hits if hit.score < _EXACT_SCORE)
    most = max((uses.get(hit.tool_id, 0) for hit in result.hits), default=0)
    if most > 0:
        others = _rank(others, {hit.tool_id: log1p(uses.get(hit.tool_id, 0)) / log1p(most) for hit in others})
        return replace(result, hits=(*exact, *others)[:limit])
    return replace(result, hits=result.hits[:limit])


def _rank(hits: tuple[SearchHit, ...], use: Mapping[int, float]) -> tuple[SearchHit, ...]:
    """`use` is from 0 to 1 for every hit."""
    best = max((hit.score for hit in hits), default=0) or 1.0
    fits = accumulate((hit.score / best for hit in hits), min)
    orders = [fit + USAGE_WEIGHT * use[hit.tool_id] for fit, hit in zip(fits, hits, strict=True)]
    return tuple(hits[place] for place in sorted(range(len(hits)), key=lambda place: -orders[place]))
