"""The course of one lexical search, the same over every index: exact names, terms, and mistyped words at last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from toolcatalog.search.provider import SearchQuery, SearchResult
from toolcatalog.search.ranking import (
    SCORE_FACTOR,
    SPARE_PLACES,
    Asked,
    Candidate,
    IndexFacts,
    KnownWord,
    Ranking,
    SearchPlan,
    WeighedQuery,
    correct_words,
    find_doubtful_words,
    make_result,
    measure_confidence,
    plan_search,
    rank_candidates,
    read_query,
)
from toolcatalog.text.tokens import Word


class LexicalIndex(Protocol):
    """What the search needs of an index. Every method sees tools of the query's owners only."""

    def read_facts(self, query: SearchQuery, asked: Asked) -> IndexFacts:
        """How frequent the query's terms are, and which words begin with its words."""

    def find(
        self, query: SearchQuery, asked: Asked, plan: SearchPlan, places: int
    ) -> tuple[Sequence[int], Sequence[Candidate]]:
        """Allowed tools: those of exactly the asked name, and those that meet what the plan requires.

        Of the former, nearest spelling first, `query.limit` at most; of the latter, in any order, the best `places` by
        the whole and by each ask.
        """

    def read_known_words(self, query: SearchQuery, words: Sequence[Word]) -> Mapping[Word, Sequence[KnownWord]]:
        """For each word, at least the words and name keys of the index that it may be a typing error of."""


def search_index(index: LexicalIndex, query: SearchQuery) -> SearchResult:
    """Answer a query from an index."""
    return make_result(query, rank_tools(index, query))


def rank_tools(index: LexicalIndex, query: SearchQuery) -> Ranking:
    """Rank the tools of an index. Typing errors are looked into only where the words as they stand met nothing."""
    asked = read_query(query.text)
    if asked.is_empty or not query.allowed or not query.owners or query.limit < 1:
        return Ranking(asked, SearchPlan(WeighedQuery((), 0, 0)))
    facts = index.read_facts(query, asked)
    plan = plan_search(asked, facts)
    ranking = _rank(index, query, asked, plan)
    return (_rank_mistyped(index, query, asked, facts) or ranking) if ranking.is_empty else ranking


def _rank(index: LexicalIndex, query: SearchQuery, asked: Asked, plan: SearchPlan, factor: float = 1.0) -> Ranking:
    named, candidates = index.find(query, asked, plan, query.limit + SPARE_PLACES)
    confidence = measure_confidence(asked, plan, candidates)
    return Ranking(asked, plan, named, rank_candidates(asked, plan, candidates), factor, confidence)


def _rank_mistyped(index: LexicalIndex, query: SearchQuery, asked: Asked, facts: IndexFacts) -> Ranking | None:
    doubtful = find_doubtful_words(asked, facts)
    corrected = correct_words(asked, index.read_known_words(query, doubtful)) if doubtful else None
    if corrected is None:
        return None
    plan = plan_search(corrected, index.read_facts(query, corrected), whole=True)
    return _rank(index, query, corrected, plan, SCORE_FACTOR)
