"""From ranked tools to the answer of a provider: exact names first, then by score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolcatalog.search.provider import SearchHit, SearchQuery, SearchResult

from .fields import Field, name_fields
from .query import Asked
from .weights import WeighedQuery

EXACT_SCORE = 1.0


@dataclass(frozen=True, slots=True)
class RankedTool:
    """A tool that met enough of the query: the sum of its terms, and the bit set of fields that it met them in."""

    tool_id: int
    score: int
    fields: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best tools for one reading of a query. `below` is how many more met it with less than the minimum score."""

    weighed: WeighedQuery
    tools: Sequence[RankedTool] = ()
    below: int = 0


def make_result(query: SearchQuery, asked: Asked, named: Sequence[int], ranking: Ranking) -> SearchResult:
    """The answer where the query was read as it stands: tools of exactly this name, then what its terms found."""
    hits = {tool_id: SearchHit(tool_id, EXACT_SCORE, name_fields(Field.NAME)) for tool_id in named}
    for hit in _read_hits(ranking):
        hits.setdefault(hit.tool_id, hit)
    stage = "name" if named else "terms" if hits else "none"
    return SearchResult(tuple(hits.values())[: query.limit], stage, _describe(asked, ranking))


def make_typo_result(query: SearchQuery, asked: Asked, ranking: Ranking, factor: float) -> SearchResult:
    """The answer where words were taken for mistyped ones; `factor` is what scores are worth then."""
    hits = _read_hits(ranking, factor)[: query.limit]
    return SearchResult(tuple(hits), "typo" if hits else "none", _describe(asked, ranking))


def smallest_score(query: SearchQuery, weighed: WeighedQuery, factor: float = 1.0) -> int:
    """The sum that a tool has to reach for the query's minimum score; 0 when there is none."""
    return round((query.min_score or 0.0) / factor * weighed.ceiling)


def _read_hits(ranking: Ranking, factor: float = 1.0) -> list[SearchHit]:
    return [
        SearchHit(tool.tool_id, factor * ranking.weighed.scale(tool.score), name_fields(tool.fields))
        for tool in ranking.tools
    ]


def _describe(asked: Asked, ranking: Ranking) -> dict[str, object]:
    """For `explain`: the terms as written, those looked for besides (begun or translated words), and what was cut."""
    written = set(asked.lexemes)
    also = [term.lexeme for term in ranking.weighed.terms if term.lexeme not in written]
    return {"terms": list(asked.lexemes), "also": also, "below_min_score": ranking.below}
