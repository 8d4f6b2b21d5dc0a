"""The provider `hybrid`: words and meaning together; the default where an embedder is on."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from threading import Lock
from time import monotonic

import structlog
from django.db import transaction

from toolcatalog.contract.catalog import Caution
from toolcatalog.contract.errors import SearchFailed
from toolcatalog.search.provider import SearchHit, SearchQuery, SearchResult
from toolcatalog.search.providers.lexical import rank_tools
from toolcatalog.search.providers.postgres.reading import PostgresIndex
from toolcatalog.search.ranking import Ranking, describe_ranking, make_result, name_fields, name_stage, take_places

from .blending import BlendedTool, blend
from .meaning import SMALLEST_SIMILARITY, QueryVectors, SemanticProvider, embed_ahead, find_meaning
from .vectors import NearTool

PAUSE_SECONDS = 10.0
"""After a failure of meaning, searches go by words alone for so long, so that not each of them waits for it."""

NEAR_PLACES = 50
"""So many more tools than places are read by meaning, before both orders become one."""

SURE_WORDS = 0.5
"""Where words are as sure as this and fill every place, meaning puts in order what they found, and looks for no more:
what they did not find would not come before it (measured: the same nDCG on every set).
"""

THRESHOLDS = {Caution.OFF: -1.0, Caution.NORMAL: 0.2, Caution.STRICT: 0.27}
"""Below these, the provider answers with nothing (see `ranking.confidence`)."""

_MEANING_ALONE = 0.1

_log = structlog.get_logger(__name__)


class HybridProvider(SemanticProvider):
    """Lexical search and vectors, blended (see `blending`). Never worse off than words alone when meaning fails."""

    name = "hybrid"
    scores = (
        "How near the tool's words come to those of this query's best tool, and the cosine of their vectors: the surer "
        "the words, the more they count; 1: its name."
    )

    def __init__(self) -> None:
        self._pause = _Pause()

    def search(self, query: SearchQuery) -> SearchResult:
        """At most `query.limit` allowed tools, best first; exact names are always first (T14)."""
        paused = self._pause.is_on
        embedding = None if paused else embed_ahead(query)
        with transaction.atomic():
            ranking = rank_tools(PostgresIndex(), query)
            if paused:
                return _without_meaning(query, ranking, self._pause.reason)
            try:
                near = _find_near(query, ranking, embedding)
            except SearchFailed as error:
                self._pause.start(error.detail)
                _log.warning("search_without_meaning", detail=error.detail)
                return _without_meaning(query, ranking, error.detail)
        sure = replace(ranking, confidence=_measure_confidence(ranking, near))
        if not ranking.named and sure.confidence < THRESHOLDS[query.caution]:
            return _make_result(query, sure, ())
        return _make_result(query, sure, _blend(ranking, near))


class _Pause:
    def __init__(self) -> None:
        self._lock = Lock()
        self._until = 0.0
        self.reason = ""

    @property
    def is_on(self) -> bool:
        return monotonic() < self._until

    def start(self, reason: str) -> None:
        with self._lock:
            self._until, self.reason = monotonic() + PAUSE_SECONDS, reason


def _find_near(query: SearchQuery, ranking: Ranking, embedding: Future[QueryVectors] | None) -> list[NearTool]:
    if not query.allowed or not query.owners or query.limit < 1:
        return []
    besides = [tool.tool_id for tool in ranking.tools]
    are_enough = ranking.confidence >= SURE_WORDS and len(besides) >= query.limit
    return find_meaning(query, ranking.asked, 0 if are_enough else query.limit + NEAR_PLACES, besides, embedding)


def _measure_confidence(ranking: Ranking, near: Sequence[NearTool]) -> float:
    """The mean of the words' confidence and of the nearest tool's similarity; by meaning alone it has to be nearer."""
    nearest = max((tool.similarity for tool in near), default=0.0)
    return (ranking.confidence + nearest) / 2 if ranking.tools else nearest - _MEANING_ALONE


def _blend(ranking: Ranking, near: Sequence[NearTool]) -> Sequence[BlendedTool]:
    similarities = {tool.tool_id: tool.similarity for tool in near}
    answers = [(tool.tool_id, tool.name) for tool in near if tool.similarity >= SMALLEST_SIMILARITY]
    return blend(ranking.tools, ranking.confidence, similarities, answers)


def _make_result(query: SearchQuery, ranking: Ranking, tools: Sequence[BlendedTool]) -> SearchResult:
    blended = (
        SearchHit(tool.tool_id, ranking.factor * tool.score, name_fields(tool.fields) or ("meaning",)) for tool in tools
    )
    hits, below = take_places(query, ranking.named, blended)
    found = bool(hits)
    stage = "meaning" if found and not ranking.named and not ranking.tools else name_stage(ranking, found=found)
    return SearchResult(hits, stage, {**describe_ranking(ranking), "below_min_score": below})


def _without_meaning(query: SearchQuery, ranking: Ranking, reason: str) -> SearchResult:
    result = make_result(query, ranking)
    return SearchResult(result.hits, result.stage, {**result.details, "semantic": f"off: {reason}"})
