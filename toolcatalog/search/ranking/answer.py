"""From ranked tools to the answer of a provider: exact names first, then by rank."""

from __future__ import annotations

from collections.abc import Sequence
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
    hits = {tool_id: SearchHit(tool_id, EXACT_SCORE, name_fields(Field.NAME)) for tool_id in ranking.named}
    below = 0
    for tool in ranking.tools if is_sure(query, ranking) else ():
        score = ranking.factor * tool.score
        if query.min_score is not None and score < query.min_score:
            below += tool.tool_id not in hits
        elif len(hits) < query.limit:
            hits.setdefault(tool.tool_id, SearchHit(tool.tool_id, score, name_fields(tool.fields)))
    details = {**describe_ranking(ranking), "below_min_score": below}
    return SearchResult(tuple(hits.values())[: query.limit], name_stage(ranking, found=bool(hits)), details)


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
