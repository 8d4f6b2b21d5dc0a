"""The providers `regex` and `ts_rank`."""

from __future__ import annotations

import pytest

from tests.search.builders import Catalog, many_tools, tool
from tests.search.conformance import ProviderConformance
from toolcatalog.search.providers.patterns import RegexProvider, read_pattern
from toolcatalog.search.providers.text_rank import TextRankProvider

pytestmark = pytest.mark.django_db
NAMES = ["get_user_data", "get_order_data", "crm.get_order", "delete_order", "OrderBook", "天气查询", "data"]


class TestRegex(ProviderConformance):
    """What holds for every provider. The lexical part does not apply: it asks for descriptions and inflections."""

    @pytest.fixture
    def provider(self) -> RegexProvider:
        return RegexProvider()


class TestTextRank(ProviderConformance):
    """What holds for every provider. The lexical part does not apply: a ranking without rarity cannot keep silent."""

    @pytest.fixture
    def provider(self) -> TextRankProvider:
        return TextRankProvider()


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("get_*_data", {"get_user_data", "get_order_data"}),
        ("*order*", {"get_order_data", "crm.get_order", "delete_order", "OrderBook"}),
        ("GET_*", {"get_user_data", "get_order_data"}),
        ("^crm\\.", {"crm.get_order"}),
        ("user|book", {"get_user_data", "OrderBook"}),
        ("get.*data$", {"get_user_data", "get_order_data"}),
        ("天气.+", {"天气查询"}),
        ("delete an order", {"delete_order", "get_order_data", "crm.get_order", "OrderBook"}),
        ("nothing*", set()),
        ("(?=order)", {"get_order_data", "crm.get_order", "delete_order", "OrderBook"}),
    ],
)
def b_S9_regex_meets_names_by_patterns(pattern: str, names: set[str]) -> None:
    assert set(Catalog(RegexProvider(), [tool(name) for name in NAMES]).find(pattern, 10)) == names


def b_S9_regex_ranks_the_tightest_fit_first() -> None:
    catalog = Catalog(RegexProvider(), [tool("order_book_archive_old"), tool("order_book"), tool("orders", "order")])
    assert catalog.find("ord.*r_book") == ["order_book", "order_book_archive_old"]
    assert catalog.find("order book") == ["order_book", "order_book_archive_old", "orders"]


@pytest.mark.parametrize("pattern", [r"^(?:[\s\S]*)*\x00", "(a+)+$", "(.*)*" * 40, "a{1000}{1000}", "(" * 400])
def case_S25_costly_patterns_are_over_at_once(pattern: str) -> None:
    catalog = Catalog(RegexProvider(), [*many_tools(), tool("a" * 120)])
    assert len(catalog.find(pattern)) <= 5


def b_S9_a_pattern_that_cannot_be_run_is_words() -> None:
    assert read_pattern("order)")[0] == "words"
    assert read_pattern("(?<!x)order")[0] == "words"


def b_S12_regex_scores_by_the_share_of_the_name() -> None:
    catalog = Catalog(RegexProvider(), [tool("order_book"), tool("order_book_archive_of_everything")])
    result = catalog.search("order_b.+k", min_score=0.9)
    assert [hit.score for hit in result.hits] == [0.99]
    assert result.details["below_min_score"] == 1


def test_text_rank__any_word_counts__names_first() -> None:
    catalog = Catalog(TextRankProvider(), [tool("paint", "Paints a wall"), tool("wall_paint"), tool("other")])
    assert catalog.find("paint the wall in green") == ["wall_paint", "paint"]
