"""The provider `memory`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.search.builders import OWNER, tool
from tests.search.cases import LexicalCases
from toolcatalog.search import SearchQuery
from toolcatalog.search.providers.memory import MemoryProvider


class TestMemory(LexicalCases):
    """The whole suite."""

    @pytest.fixture
    def provider(self) -> MemoryProvider:
        return MemoryProvider()


def test_memory__saved_and_searched_by_many_threads__stays_whole() -> None:
    provider = MemoryProvider()
    documents = [tool(f"tool_{number}", f"Does thing {number}") for number in range(40)]

    def churn(number: int) -> None:
        for document in documents[number::4]:
            provider.save(document)
            provider.search(SearchQuery("thing", range(10_000), [OWNER], 5))
            provider.remove(document.tool_id)
            provider.save(document)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(churn, range(4)))
    assert len(provider.find_all(OWNER)) == 40
    assert provider.clear(OWNER) == 40
