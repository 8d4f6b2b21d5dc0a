"""Providers are held to the contract, and their failures are failures."""

from __future__ import annotations

import threading

import pytest

from tests.search.plug_ins import Acme, Exiting, Hanging, Mute, Particular, Raising
from tests.support.waiting import wait_until
from toolcatalog.contract.errors import InvalidInput, SearchFailed
from toolcatalog.search import SearchQuery, deadlines, search_tools
from toolcatalog.search.deadlines import MAX_CALLS, call_within
from toolcatalog.search.providers.memory import MemoryProvider

QUERY = SearchQuery("order", frozenset(range(100, 200)), [1], 3)


def found(provider: Acme, query: SearchQuery = QUERY) -> list[int]:
    return [hit.tool_id for hit in search_tools(provider, query, time_limit_seconds=60).hits]


def b_S10_unknown_and_forbidden_tools_are_dropped() -> None:
    assert found(Acme([1, 100, 2, 101, 999, 102, 103])) == [100, 101, 102]


def b_S10_the_provider_is_asked_for_more_until_the_places_are_full() -> None:
    provider = Acme([*range(30), *range(100, 110)])
    assert found(provider) == [100, 101, 102]
    assert provider.limits == [3, 12, 48]


def b_S10_or_until_it_has_no_more() -> None:
    provider = Acme([*range(20), 100])
    assert found(provider) == [100]
    assert provider.limits == [3, 12, 48]


def b_S10_a_provider_that_keeps_to_the_rules_is_asked_once() -> None:
    for ids in ([100, 101, 102, 103], [100], []):
        provider = Acme(ids)
        found(provider)
        assert provider.limits == [3]


def b_S10_a_tool_that_is_named_twice_takes_one_place() -> None:
    assert found(Acme([100, 100, 100, 101, 101, 102])) == [100, 101, 102]


def b_S10_what_was_dropped_is_counted() -> None:
    assert search_tools(Acme([1, 2, 100]), QUERY, time_limit_seconds=60).details["dropped"] == 2


def b_S10_nothing_valid_is_no_match() -> None:
    result = search_tools(Acme([1, 2]), QUERY, time_limit_seconds=60)
    assert (result.hits, result.stage) == ((), "none")


def b_S12_hits_below_the_minimum_are_dropped_for_every_provider() -> None:
    asked = SearchQuery("order", QUERY.allowed, [1], 3, 0.3)
    result = search_tools(Acme([100, 101], score=0.2), asked, time_limit_seconds=60)
    assert result.hits == ()
    assert result.details["below_min_score"] == 2


@pytest.mark.parametrize(
    "provider", [Raising(), Exiting(), Mute(), Acme([100], score=1.5), Acme([100], score=float("nan"))]
)
def b_T15_a_search_that_fails_is_an_error(provider: Acme) -> None:
    with pytest.raises(SearchFailed):
        search_tools(provider, QUERY, time_limit_seconds=60)


def b_T15_a_provider_that_is_late_has_failed() -> None:
    provider = Hanging()
    with pytest.raises(SearchFailed, match="in time"):
        search_tools(provider, QUERY, time_limit_seconds=0.05)
    provider.released.set()


def b_T15_what_a_provider_says_of_the_query_reaches_the_caller() -> None:
    with pytest.raises(InvalidInput, match="no pattern"):
        search_tools(Particular(), QUERY, time_limit_seconds=60)


def rel_F_providers_that_hang_do_not_pile_up() -> None:
    wait_until(lambda: deadlines._places._value == MAX_CALLS)  # calls of other tests ended
    release = threading.Event()
    for _ in range(MAX_CALLS):
        with pytest.raises(TimeoutError):
            call_within(release.wait, 0.01)
    with pytest.raises(TimeoutError):
        call_within(lambda: 1, 0.01)
    release.set()
    assert call_within(lambda: 1, 60) == 1


def test_search_tools__a_provider_of_ours__runs_in_the_callers_thread() -> None:
    assert MemoryProvider.limits_itself is True
    threads: list[str] = []

    class Watching(Acme):
        def search(self, query: SearchQuery):  # type: ignore[no-untyped-def]  # as its base
            threads.append(threading.current_thread().name)
            return super().search(query)

    found(Watching())
    Watching.limits_itself = True  # type: ignore[attr-defined]  # an optional attribute of providers
    found(Watching())
    assert threads == ["search-provider", threading.current_thread().name]
