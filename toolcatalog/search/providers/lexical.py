"""The course of one lexical search, the same over every index: exact names, terms, and mistyped words at last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from toolcatalog.search.provider import SearchQuery, SearchResult
from toolcatalog.search.ranking import (
    SCORE_FACTOR,
    Asked,
    IndexFacts,
    KnownWord,
    Ranking,
    WeighedQuery,
    correct_words,
    find_doubtful_words,
    make_result,
    make_typo_result,
    read_query,
    smallest_score,
    weigh_query,
)
from toolcatalog.text.tokens import Word


class LexicalIndex(Protocol):
    """What the search needs of an index. Every method sees tools of the query's owners only."""

    def read_facts(self, query: SearchQuery, asked: Asked) -> IndexFacts:
        """How frequent the query's terms are, and which words begin with its words."""

    def find(
        self, query: SearchQuery, asked: Asked, weighed: WeighedQuery, smallest: int
    ) -> tuple[Sequence[int], Ranking]:
        """Allowed tools: those of exactly the asked name, nearest spelling first, and the best by terms.

        Of the latter, those that score `smallest` or more, `query.limit` at most.
        """

    def read_known_words(self, query: SearchQuery, words: Sequence[Word]) -> Mapping[Word, Sequence[KnownWord]]:
        """For each word, at least the words and name keys of the index that it may be a typing error of."""


def search_index(index: LexicalIndex, query: SearchQuery) -> SearchResult:
    """Answer a query from an index. Typing errors are looked into only where the words as they stand met nothing."""
    asked = read_query(query.text)
    if asked.is_empty or not query.allowed or not query.owners or query.limit < 1:
        return SearchResult((), "none", {"terms": list(asked.lexemes), "also": [], "below_min_score": 0})
    facts = index.read_facts(query, asked)
    weighed = weigh_query(asked, facts)
    named, ranking = index.find(query, asked, weighed, smallest_score(query, weighed))
    if named or ranking.tools or ranking.below:
        return make_result(query, asked, named, ranking)
    return _search_mistyped(index, query, asked, facts) or make_result(query, asked, named, ranking)


def _search_mistyped(index: LexicalIndex, query: SearchQuery, asked: Asked, facts: IndexFacts) -> SearchResult | None:
    doubtful = find_doubtful_words(asked, facts)
    corrected = correct_words(asked, index.read_known_words(query, doubtful)) if doubtful else None
    if corrected is None:
        return None
    weighed = weigh_query(corrected, index.read_facts(query, corrected), whole=True)
    _, ranking = index.find(query, corrected, weighed, smallest_score(query, weighed, SCORE_FACTOR))
    return make_typo_result(query, corrected, ranking, SCORE_FACTOR)
