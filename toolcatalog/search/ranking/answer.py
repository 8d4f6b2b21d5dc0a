"""From ranked tools to the answer of a provider: exact names first, then by rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolcatalog.search.provider import SearchHit, SearchQuery, SearchResult

from .confidence import THRESHOLDS
from .fields import Field, name_fields
from .fusion import RankedTool
from .plan import SearchPlan
from .query import Asked

EXACT_SCORE = 1.0


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one reading of a query found: tools of exactly its name, nearest spelling first, and the best by terms.

    `factor` is what scores are worth: less than 1 where words were taken for mistyped ones. `confidence` is how sure it
    is that anything fits.
    """

    asked: Asked
    plan: SearchPlan
    named: Sequence[int] = ()
    tools: Sequence[RankedTool] = ()
    factor: float = 1.0
    confidence: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not self.named and not self.tools


def make_result(query: SearchQuery, ranking: Ranking) -> SearchResult:
    """The answer: tools of exactly this name, then what its terms found, without what scores too low (S12).

    For `explain`: the terms as written, those looked for besides (begun, translated, related words), the asks, and how
    many of the tools that were ranked score too low.
    """
    tools = ranking.tools if is_sure(query, ranking) else ()
    found = (SearchHit(tool.tool_id, ranking.factor * tool.score, name_fields(tool.fields)) for tool in tools)
    hits, below = take_places(query, ranking.named, found)
    details = {**describe_ranking(ranking), "below_min_score": below}
    return SearchResult(hits, name_stage(ranking, found=bool(hits)), details)


def take_places(
    query: SearchQuery, named: Iterable[int], found: Iterable[SearchHit]
) -> tuple[tuple[SearchHit, ...], int]:
    """The hits of an answer: tools of exactly the asked name, then what was found, each once, as many as asked for.

    Also how many others score below the query's minimum (S12).
    """
    hits = {tool_id: SearchHit(tool_id, EXACT_SCORE, name_fields(Field.NAME)) for tool_id in named}
    below = 0
    for hit in found:
        if query.min_score is not None and hit.score < query.min_score:
            below += hit.tool_id not in hits
        else:
            hits.setdefault(hit.tool_id, hit)
    return tuple(hits.values())[: query.limit], below


def name_stage(ranking: Ranking, *, found: bool) -> str:
    """Which stage answered (see `SearchResult`)."""
    if ranking.named:
        return "name"
    if not found:
        return "none"
    return "typo" if ranking.factor < 1 else "terms"


def is_sure(query: SearchQuery, ranking: Ranking) -> bool:
    """Whether what was found is sure enough to be an answer; tools of exactly the asked name always are."""
    return bool(ranking.named) or ranking.factor < 1 or ranking.confidence >= THRESHOLDS[query.caution]


def describe_ranking(ranking: Ranking) -> dict[str, object]:
    """How a query was read, and how sure its answer is."""
    written = set(ranking.asked.lexemes)
    also = [term.lexeme for term in ranking.plan.whole.terms if term.lexeme not in written]
    return {
        "terms": list(ranking.asked.lexemes),
        "also": also,
        "asks": len(ranking.plan.asks) or 1,
        "confidence": round(ranking.confidence, 3),
    }
