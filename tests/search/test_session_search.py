"""R13: what one session brings along is ranked with the catalog's tools as if it stood among them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search import SearchHit, SearchQuery, SearchResult, SessionDocuments, search_with_session
from toolcatalog.search.providers.postgres import PostgresProvider

from .builders import OWNER, Catalog, tool

pytestmark = pytest.mark.django_db

CATALOG = [
    ("get_weather", "Weather forecast of a city"),
    ("send_email", "Sends an email to somebody"),
    ("list_invoices", "Lists invoices of a customer"),
    ("pay_invoice", "Pays an invoice by card"),
    *((f"store_{n}", f"Stores object number {n} in the warehouse") for n in range(30)),
]
QUERIES = (
    "weather",
    "invoice",
    "pay invoices",
    "email of a customer",
    "store object",
    "boat",
    "get_weather",
)


def document(tool_id: int, name: str, description: str, owner_id: int | None = OWNER) -> SearchDocument:
    return SearchDocument(tool_id, owner_id, name, description=description)


def find(catalog: Catalog, own: Sequence[SearchDocument], text: str, limit: int = 5) -> dict[str, float]:
    """Name to score, best first."""
    return {names[hit.tool_id]: hit.score for names, hit in _find(catalog, own, text, limit)}


def _find(
    catalog: Catalog, own: Sequence[SearchDocument], text: str, limit: int
) -> list[tuple[dict[int, str], SearchHit]]:
    documents = {**catalog.documents, **{each.tool_id: each for each in own}}
    names = {tool_id: each.name for tool_id, each in documents.items()}
    query = SearchQuery(text, frozenset(documents), (OWNER,), limit)
    result = search_with_session(catalog.provider, query, SessionDocuments(own))
    return [(names, hit) for hit in result.hits]


@pytest.mark.parametrize("query", QUERIES)
def b_R13_a_third_of_the_tools_moved_into_the_session__same_names_and_nearly_same_scores(query: str) -> None:
    """Words are as rare as in both together. A score holds a small part that is relative to its side's best tool."""
    whole = Catalog(PostgresProvider(), [tool(name, text) for name, text in CATALOG])
    expected = {whole.documents[hit.tool_id].name: hit.score for hit in whole.search(query).hits}
    whole.provider.clear(OWNER)
    kept = [tool(name, text) for place, (name, text) in enumerate(CATALOG) if place % 3]
    moved = [document(-1 - place, name, text) for place, (name, text) in enumerate(CATALOG) if place % 3 == 0]
    found = find(Catalog(PostgresProvider(), kept), moved, query)
    assert list(found)[:1] == list(expected)[:1]
    assert {name for name in expected if not name.startswith("store")} <= found.keys()
    for name in found.keys() & expected.keys():
        assert found[name] == pytest.approx(expected[name], abs=0.1)


def b_R13_exact_name__the_nearest_spelling_is_first_on_either_side() -> None:
    catalog = Catalog(PostgresProvider(), [tool("getWeather"), tool("get_tides")])
    own = [document(-1, "get_weather", "The session's"), document(-2, "GetTides", "The session's")]
    assert list(find(catalog, own, "get_weather"))[:2] == ["get_weather", "getWeather"]
    assert list(find(catalog, own, "get_tides"))[:2] == ["get_tides", "GetTides"]


def b_R13_typing_errors__are_forgiven_only_where_neither_side_has_the_word() -> None:
    catalog = Catalog(PostgresProvider(), [tool("read_boat", "Reads about a boat")])
    assert list(find(catalog, [document(-1, "read_goat", "Reads about a goat")], "boat")) == ["read_boat"]
    assert list(find(catalog, [document(-1, "ferry_ticket", "Buys a ticket")], "ferri tickt")) == ["ferry_ticket"]


def b_R13_places__are_shared_by_score() -> None:
    catalog = Catalog(PostgresProvider(), [tool("boat", "boat"), tool("harbour", "Where a boat may lie in winter")])
    own = [document(-1, "boat_rental", "Rents a boat"), document(-2, "boat_repair", "Repairs a boat")]
    assert len(find(catalog, own, "boats for rent", limit=2)) == 2
    assert "boat_rental" in find(catalog, own, "boats for rent", limit=2)


def b_R13_session_tools_that_are_not_allowed__take_no_place() -> None:
    own = [document(-1, "boat_rental", "Rents a boat"), document(-2, "boat_repair", "Repairs a boat")]
    query = SearchQuery("boat", frozenset({-2}), (), 5)
    assert [hit.tool_id for hit in search_with_session(PostgresProvider(), query, SessionDocuments(own)).hits] == [-2]


class Fixed(PostgresProvider):
    """A provider that ranks in an order that scores do not tell."""

    name = "fixed"

    def search(self, query: SearchQuery) -> SearchResult:
        return SearchResult(tuple(SearchHit(tool_id, score) for tool_id, score in ((2, 0.1), (1, 0.9))), "meaning")


def b_R13_other_providers__keep_their_own_order() -> None:
    query = SearchQuery("boat", frozenset({1, 2, -1}), (OWNER,), 5)
    result = search_with_session(Fixed(), query, SessionDocuments([document(-1, "boat", "A boat")]))
    assert [hit.tool_id for hit in result.hits] == [-1, 2, 1]
    assert result.stage == "name"
