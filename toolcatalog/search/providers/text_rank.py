"""The provider `ts_rank`: PostgreSQL's own full text ranking over the same lexemes, to compare with.

It knows no rarity: a word that all tools hold counts as much as one that a single tool has.
"""

from __future__ import annotations

from django.db import connection, transaction

from toolcatalog.search.provider import SearchHit, SearchQuery, SearchResult
from toolcatalog.search.ranking import Asked, SearchPlan, WeighedQuery, read_query, take_places

from .postgres import PostgresProvider
from .postgres.owners import owner_keys
from .postgres.permission import write_condition
from .postgres.reading import PostgresIndex
from .postgres.vectors import write_any_tsquery

_NO_PLAN = SearchPlan(WeighedQuery((), 0, 0))

# Weights of parameters, description, labels, name; divided by 1 + log of the length (32: the score from 0 to 1).
_FIND = """
SELECT tool_id, ts_rank('{{0.1, 0.25, 0.5, 1.0}}', vector, %(asked)s::tsquery, 1 | 32) AS score
  FROM toolcatalog_searchentry
 WHERE owner_key = ANY(%(owners)s::bigint[]) AND vector @@ %(asked)s::tsquery AND {is_allowed}
 ORDER BY score DESC, deprecated, name, tool_id
 LIMIT %(limit)s
"""


class TextRankProvider(PostgresProvider):
    """See the module. It keeps the index of `postgres`."""

    name = "ts_rank"
    scores = "PostgreSQL's ts_rank, divided by itself plus one; 1: its name."

    def search(self, query: SearchQuery) -> SearchResult:
        """At most `query.limit` allowed tools, best first; exact names are always first (T14)."""
        asked = read_query(query.text)
        if not query.allowed or not query.owners or query.limit < 1:
            return SearchResult((), "none", {"below_min_score": 0})
        with transaction.atomic():
            named, _ = PostgresIndex().find(query, asked, _NO_PLAN, 0)
            ranked = _find(query, asked) if asked.lexemes else []
        hits, below = take_places(query, named, (SearchHit(tool_id, min(0.99, score)) for tool_id, score in ranked))
        stage = "name" if named else "terms" if hits else "none"
        return SearchResult(hits, stage, {"terms": list(asked.lexemes), "below_min_score": below})


def _find(query: SearchQuery, asked: Asked) -> list[tuple[int, float]]:
    allowed = write_condition(query.allowed)
    parameters = {
        "asked": write_any_tsquery(asked.lexemes),
        "owners": owner_keys(query.owners),
        "limit": query.limit,
        **allowed.parameters,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FIND.format(is_allowed=allowed.condition), parameters)
        return [(tool_id, float(score)) for tool_id, score in cursor.fetchall()]
