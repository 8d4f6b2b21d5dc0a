"""Tools that are used often come earlier where they fit about as well: the pure order."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from toolcatalog.search import SearchHit, SearchResult, rank_by_usage
from toolcatalog.search.usage_ranking import USAGE_WEIGHT


def found(*scores: float) -> SearchResult:
    """Hits 1, 2, 3… with these scores, in the provider's order."""
    hits = (SearchHit(place, score, ("name",)) for place, score in enumerate(scores, start=1))
    return SearchResult(tuple(hits), "terms", {"below_min_score": 3})


def order(result: SearchResult, uses: Mapping[int, int], limit: int = 100) -> list[int]:
    return [hit.tool_id for hit in rank_by_usage(result, uses, limit).hits]


def test_usage__of_tools_that_fit_about_as_well__decides() -> None:
    assert order(found(0.6, 0.58, 0.2), {2: 5}) == [2, 1, 3]


def test_usage__of_a_tool_that_fits_less_well__does_not_lift_it() -> None:
    assert order(found(0.6, 0.5, 0.2), {2: 10_000, 3: 10_000}) == [1, 2, 3]


def test_usage__is_worth_a_tenth_of_the_best_fit_at_most() -> None:
    best = 0.8
    near, far = best * (1 - USAGE_WEIGHT + 0.001), best * (1 - USAGE_WEIGHT - 0.001)
    assert order(found(best, near), {2: 7}) == [2, 1]
    assert order(found(best, far), {2: 7}) == [1, 2]


def test_usage__is_weighed_by_its_logarithm() -> None:
    # ln 11 / ln 101 is 0.52 of the most: worth 0.052 of the best fit.
    assert order(found(0.5, 0.475, 0.1), {2: 10, 3: 100}) == [2, 1, 3]
    assert order(found(0.5, 0.473, 0.1), {2: 10, 3: 100}) == [1, 2, 3]


def test_usage__of_an_exact_name_and_others__names_stay_first_in_their_order() -> None:
    result = found(1.0, 1.0, 0.99, 0.98)
    assert order(result, {2: 9, 4: 1000}) == [1, 2, 4, 3]
    assert order(result, {2: 9, 4: 1000}, limit=2) == [1, 2]


def test_usage__none__is_the_providers_result() -> None:
    result = found(0.6, 0.6, 0.7, 1.0, 0.0)
    assert rank_by_usage(result, {}, 5) == result
    assert rank_by_usage(result, {99: 5}, 5) == result
    assert rank_by_usage(result, {1: 0}, 2) == SearchResult(result.hits[:2], result.stage, result.details)


def test_usage__scores_and_all_else__stay_the_providers() -> None:
    result = found(0.6, 0.58)
    ranked = rank_by_usage(result, {2: 1}, 5)
    assert ranked.hits == (result.hits[1], result.hits[0])
    assert (ranked.stage, ranked.details) == (result.stage, result.details)


def test_usage__scores_of_zero_and_empty_results__are_no_error() -> None:
    assert order(found(), {1: 5}) == []
    assert order(found(0.0, 0.0), {2: 5}) == [2, 1]
    assert order(found(1.0), {1: 5}) == [1]


def test_usage__lifts_a_tool_from_beyond_the_limit() -> None:
    assert order(found(*[0.5] * 10), {10: 1}, limit=3) == [10, 1, 2]


# Tools of exactly the asked name come first, as all providers answer; other scores need not fall.
SCORES = st.lists(st.floats(0, 1), max_size=12).map(lambda scores: sorted(scores, key=lambda score: score < 1))
USES = st.dictionaries(st.integers(1, 12), st.integers(0, 10**9))


@given(SCORES, USES, st.integers(1, 12))
def test_usage__any__a_permutation_that_keeps_equals_in_order(
    scores: list[float], uses: dict[int, int], limit: int
) -> None:
    result = found(*scores)
    everything = order(result, uses)
    assert sorted(everything) == list(range(1, len(scores) + 1))
    assert order(result, uses, limit) == everything[:limit]
    others = [place for place in everything if scores[place - 1] < 1]
    for use in {uses.get(place, 0) for place in others}:
        equals = [place for place in others if uses.get(place, 0) == use]
        assert equals == sorted(equals)


@given(SCORES, USES, st.integers(1, 12))
def test_usage__more_of_one_tool__never_puts_it_lower(scores: list[float], uses: dict[int, int], tool: int) -> None:
    result = found(*scores)
    if tool <= len(scores):
        before = order(result, uses).index(tool)
        more = {**uses, tool: 3 * uses.get(tool, 0) + 1}
        assert order(result, more).index(tool) <= before
