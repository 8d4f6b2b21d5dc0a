"""The provider `semantic`: tools whose meaning lies near the query's, after those of exactly its name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache

from django.db import DatabaseError, transaction

from toolcatalog.contract.errors import SearchFailed
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.embedding import EmbeddingFailed, active_embedder, embed_texts, vector_version
from toolcatalog.search.provider import SearchHit, SearchQuery, SearchResult
from toolcatalog.search.providers.postgres import PostgresProvider
from toolcatalog.search.providers.postgres.owners import owner_keys
from toolcatalog.search.providers.postgres.permission import write_condition
from toolcatalog.search.providers.postgres.reading import PostgresIndex
from toolcatalog.search.ranking import Asked, SearchPlan, WeighedQuery, cut_request, read_query, take_places
from toolcatalog.text.arguments import replace_arguments
from toolcatalog.text.asks import split_asks

from .jobs import forget_jobs, queue_tools, read_queue
from .vectors import AskedVector, NearTool, find_near, forget_vectors, has_vectors, write_signs, write_vector
from .worker import wake_after_commit

SMALLEST_SIMILARITY = 0.25
"""What a tool has to reach to be an answer by its meaning alone: see docs/search.md, "When nothing fits"."""

LONGEST_TEXT = 700
"""So many bytes of a query are embedded, in UTF-8, and as many of its asks: a model slows down with length."""

MAX_ASKS = 4
"""So many asks of a long query are embedded, the first ones: each costs as much as a short query."""

SHORT_TEXT = 360
"""A query of no more bytes is embedded as a whole only: its asks stand close enough together in one vector."""

_READ_LENGTH = 2_000
_CACHED_QUERIES = 512
_THREADS = 8
_BEST_SCORE = 0.99
_NO_PLAN = SearchPlan(WeighedQuery((), 0, 0))


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """The vector of a query, then those of its asks, and the version of the tools' vectors to compare them with."""

    version: str
    vectors: Sequence[AskedVector]


class SemanticProvider(PostgresProvider):
    """Search by meaning. Vectors are made after the transaction; until then a tool is found by its name."""

    name = "semantic"
    scores = "The cosine of the query's and the tool's vectors; 1: its name."

    def save(self, document: SearchDocument) -> None:
        """Insert or replace the tool with this id, and queue it for its vector."""
        self.save_all([document])

    def save_all(self, documents: Iterable[SearchDocument]) -> None:
        """Save many tools with a few statements."""
        saved = list(documents)
        super().save_all(saved)
        self.queue([document.tool_id for document in saved])

    def queue(self, tool_ids: Collection[int]) -> None:
        """Have tools embedded once the current transaction is committed."""
        queue_tools(tool_ids)
        wake_after_commit()

    def remove(self, tool_id: int) -> bool:
        """Forget one tool, with its vector; False when it was not there."""
        forget_jobs([tool_id])
        forget_vectors([tool_id])
        return super().remove(tool_id)

    def search(self, query: SearchQuery) -> SearchResult:
        """At most `query.limit` allowed tools, the nearest first; exact names are always first (T14).

        Raises SearchFailed, in words, where there is no embedder or no pgvector.
        """
        asked = read_query(query.text)
        if not query.allowed or not query.owners or query.limit < 1:
            return SearchResult((), "none", {"below_min_score": 0})
        with transaction.atomic():
            named, _ = PostgresIndex().find(query, asked, _NO_PLAN, 0)
            near = find_meaning(query, asked, query.limit + len(named))
        return _make_result(query, named, near)


def embed_ahead(query: SearchQuery) -> Future[QueryVectors] | None:
    """Begin to embed a query in another thread, while the database looks for its words; None where it has none."""
    if not query.allowed or not any(map(str.isalnum, query.text)):
        return None
    return _threads().submit(_embed, query.text)


def find_meaning(
    query: SearchQuery,
    asked: Asked,
    places: int,
    besides: Sequence[int] = (),
    embedding: Future[QueryVectors] | None = None,
) -> list[NearTool]:
    """Allowed tools by how near they are to the query, and those of `besides` that have a vector.

    `embedding` is what `embed_ahead` answered for the query, if it was asked to.
    Raises SearchFailed where there is no embedder or no pgvector, or where the embedder fails.
    """
    if not asked.lexemes:
        return []
    try:
        active_embedder()  # the first thing that is missing is what is said, wherever it is looked for
        if not has_vectors():
            raise SearchFailed("Semantic search is off: this database has no extension “vector” (pgvector).")
        found = embedding.result() if embedding else _embed(query.text)
    except EmbeddingFailed as error:
        raise SearchFailed(error.detail) from error
    return find_near(
        found.vectors,
        version=found.version,
        owners=owner_keys(query.owners),
        allowed=write_condition(query.allowed),
        places=places,
        besides=besides,
    )


def describe_state() -> str:
    """For health: "on", or in words why semantic search is off."""
    try:
        active_embedder()
        return "on" if has_vectors() else "off: this database has no extension “vector” (pgvector)"
    except EmbeddingFailed as error:
        return f"off: {error.detail}"
    except DatabaseError:
        return "unknown: the database does not answer"


def read_semantic_health() -> dict[str, object]:
    """For health: the state, and how many tools wait for their vector. Raises DatabaseError."""
    queue = read_queue()
    return {"state": describe_state(), "pending": queue.pending, "failed": queue.failed, "error": queue.error}


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="embedding-queries")


def _embed(text: str) -> QueryVectors:
    version = vector_version(active_embedder())
    return QueryVectors(version, embed_query(version, text))


@lru_cache(_CACHED_QUERIES)
def embed_query(version: str, text: str) -> tuple[AskedVector, ...]:
    """The vectors of a query and, where it is long, of its asks, by the embedder of `version` (see `vector_version`).

    The last few are kept: a conversation asks the same again.
    """
    del version  # what is kept belongs to it
    request = cut_request(replace_arguments(text[:_READ_LENGTH]), LONGEST_TEXT)
    asks = split_asks(request)[:MAX_ASKS] if len(request.encode("utf-8", "ignore")) > SHORT_TEXT else []
    vectors = embed_texts(active_embedder(), [request if request.strip() else cut_request(text, LONGEST_TEXT), *asks])
    return tuple(AskedVector(write_vector(vector), write_signs(vector)) for vector in vectors)


def _make_result(query: SearchQuery, named: Sequence[int], near: Sequence[NearTool]) -> SearchResult:
    similar = [tool for tool in near if tool.similarity >= SMALLEST_SIMILARITY]
    similar.sort(key=lambda tool: (-tool.similarity, tool.name, tool.tool_id))
    found = (SearchHit(tool.tool_id, min(_BEST_SCORE, tool.similarity), ("meaning",)) for tool in similar)
    hits, below = take_places(query, named, found)
    return SearchResult(hits, "name" if named else "meaning" if hits else "none", {"below_min_score": below})
