"""Searching as the product does it: any provider is held to the contract, and a failure is never an empty list.

Whatever a provider answers, only allowed tools pass, each once, at most as many as asked for. Where some of its answers
are dropped, it is asked for more until the places are full or it has no more (S10).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from time import monotonic

from toolcatalog.contract.errors import SearchFailed, ToolCatalogError

from .deadlines import call_within
from .provider import Searchable, SearchHit, SearchQuery, SearchResult

TIME_LIMIT_SECONDS = 2.0
"""What a provider that is not ours gets for one search, however often it is asked for more."""

_GROWTH = 4
_MAX_LIMIT = 10_000


def search_tools(
    provider: Searchable, query: SearchQuery, *, time_limit_seconds: float = TIME_LIMIT_SECONDS
) -> SearchResult:
    """Ask `provider`, and answer at most `query.limit` allowed tools in its order.

    Raises `SearchFailed` when it raises, answers nonsense or is late (T15); an error of our own family, such as a
    query that the provider cannot read, goes through. Hits below `query.min_score` are left out and counted in
    `details["below_min_score"]`; tools that it may not answer with are counted in `details["dropped"]`.
    """
    deadline = monotonic() + time_limit_seconds
    limit = query.limit
    while True:
        result = _ask(provider, replace(query, limit=limit), deadline)
        kept = _check(provider, query, result)
        has_more = len(result.hits) >= limit and limit < _MAX_LIMIT
        if len(kept.hits) >= query.limit or not kept.dropped or not has_more:
            return _finish(query, result, kept)
        limit = min(limit * _GROWTH, _MAX_LIMIT)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What may be answered, how many hits may not, and how many score too low."""

    hits: tuple[SearchHit, ...]
    dropped: int
    below: int


def _ask(provider: Searchable, query: SearchQuery, deadline: float) -> SearchResult:
    result = _call(provider, query, deadline)
    if not isinstance(result, SearchResult):
        raise SearchFailed(f'The search provider "{provider.name}" did not answer with a search result.')
    return result


def _call(provider: Searchable, query: SearchQuery, deadline: float) -> object:
    try:
        if getattr(provider, "limits_itself", False):
            return provider.search(query)
        return call_within(lambda: provider.search(query), deadline - monotonic())
    except ToolCatalogError:
        raise
    except TimeoutError as error:
        raise SearchFailed(f'The search provider "{provider.name}" did not answer in time.') from error
    except Exception as error:  # a provider may be somebody else's code, and ours stands on a database
        raise SearchFailed(f'The search provider "{provider.name}" failed.') from error


def _check(provider: Searchable, query: SearchQuery, result: SearchResult) -> _Kept:
    allowed = query.allowed if isinstance(query.allowed, frozenset | set | range) else frozenset(query.allowed)
    valid: dict[int, SearchHit] = {}
    below = 0
    for hit in result.hits:
        if not (isfinite(hit.score) and 0 <= hit.score <= 1):
            raise SearchFailed(f'The search provider "{provider.name}" answered with a score of {hit.score}.')
        if hit.tool_id not in allowed or hit.tool_id in valid:
            continue
        if query.min_score is not None and hit.score < query.min_score:
            below += 1
        else:
            valid[hit.tool_id] = hit
    return _Kept(tuple(valid.values()), len(result.hits) - len(valid) - below, below)


def _finish(query: SearchQuery, result: SearchResult, kept: _Kept) -> SearchResult:
    hits = kept.hits[: query.limit]
    counted = result.details.get("below_min_score")
    below = kept.below + (counted if isinstance(counted, int) else 0)
    details = {**result.details, "below_min_score": below, "dropped": kept.dropped}
    return SearchResult(hits, result.stage if hits else "none", details)
