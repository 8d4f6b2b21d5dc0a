"""Search over the catalog and, with it, over tools that only one session knows (R13).

Those few tools are in no index that others could look into: they are ranked in memory, by the functions that rank the
catalog, and for them a word is as rare as in catalog and session together. The catalog is ranked as without them. So
scores of `postgres` mean the same on both sides, but for the part that is relative to the best tool of a side; those of
providers that rank otherwise (`semantic`, plug-ins) are compared as they are, each on its scale from 0 to 1. A
session's tools have no vectors: they are found by their words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from threading import Lock
from typing import Protocol, runtime_checkable

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.text.tokens import Word

from .provider import SearchHit, SearchProvider, SearchQuery, SearchResult
from .providers.lexical import search_index
from .providers.memory import MemoryProvider, rate_name
from .providers.postgres.reading import PostgresIndex
from .ranking import MAX_CONTINUATIONS, Asked, Candidate, IndexFacts, KnownWord, SearchPlan, read_query
from .tool_search import search_tools

_UNNAMED = 3


@runtime_checkable
class SearchesDocuments(Protocol):
    """A provider that reads queries in a way of its own may search documents that are not in its index, too."""

    def search_documents(self, query: SearchQuery, documents: Sequence[SearchDocument]) -> SearchResult:
        """As `search`, over these documents."""


class SessionDocuments:
    """The tools of one session for the search. Thread-safe; nothing is indexed before the first search."""

    def __init__(self, documents: Sequence[SearchDocument]) -> None:
        self.documents = {document.tool_id: document for document in documents}
        self._memory: MemoryProvider | None = None
        self._lock = Lock()

    @property
    def index(self) -> MemoryProvider:
        """The documents as an index."""
        with self._lock:
            if self._memory is None:
                self._memory = MemoryProvider()
                for document in self.documents.values():
                    self._memory.save(document)
            return self._memory


def search_with_session(provider: SearchProvider, query: SearchQuery, session: SessionDocuments) -> SearchResult:
    """Ask the provider, and the session's own tools of those that are allowed; best first, by score.

    Of equal scores the nearer name comes first, then the catalog's tool. Raises SearchFailed.
    """
    own = session.documents.keys() & query.allowed
    if not own:
        return search_tools(provider, query)
    catalogs = frozenset(query.allowed) - own
    found = search_tools(provider, replace(query, allowed=catalogs)) if catalogs else SearchResult((), "none")
    asked = replace(query, allowed=own, owners=frozenset(each.owner_id for each in session.documents.values()))
    return merge_results(query, found, search_tools(_SessionProvider(provider, query, session), asked), session)


class _SessionProvider:
    """The session's tools as a provider that is held to the contract like any other. It is only searched."""

    limits_itself = True

    def __init__(self, provider: SearchProvider, catalogs: SearchQuery, session: SessionDocuments) -> None:
        self.name = f"{provider.name} of the session"
        self._provider = provider
        self._catalogs = catalogs
        self._session = session

    def search(self, query: SearchQuery) -> SearchResult:
        if isinstance(self._provider, SearchesDocuments):
            allowed = [document for id_, document in self._session.documents.items() if id_ in query.allowed]
            return self._provider.search_documents(query, allowed)
        return search_index(_SessionIndex(self._session.index, self._catalogs), query)


class _SessionIndex:
    """See `LexicalIndex`. Finds the session's tools only; words are as rare as in catalog and session together."""

    def __init__(self, memory: MemoryProvider, catalogs: SearchQuery) -> None:
        self._memory = memory
        self._catalogs = catalogs

    def read_facts(self, query: SearchQuery, asked: Asked) -> IndexFacts:
        own = self._memory.read_facts(query, asked)
        if not self._catalogs.owners:
            return own
        return add_facts(PostgresIndex().read_facts(self._catalogs, asked), own)

    def find(
        self, query: SearchQuery, asked: Asked, plan: SearchPlan, places: int
    ) -> tuple[Sequence[int], Sequence[Candidate]]:
        return self._memory.find(query, asked, plan, places)

    def read_known_words(self, query: SearchQuery, words: Sequence[Word]) -> Mapping[Word, Sequence[KnownWord]]:
        return self._memory.read_known_words(query, words)


def add_facts(first: IndexFacts, second: IndexFacts) -> IndexFacts:
    """What two indexes know together of a query's terms.

    Of the words that begin with one of the query's, the shortest of both count; a frequency is known of each only where
    the index has the word among its own shortest.
    """
    lexemes = {*first.frequencies, *second.frequencies}
    both = {lexeme: first.frequencies.get(lexeme, 0) + second.frequencies.get(lexeme, 0) for lexeme in lexemes}
    continued = {
        word: _shortest((*first.continuations.get(word, ()), *second.continuations.get(word, ())))
        for word in {*first.continuations, *second.continuations}
    }
    return IndexFacts(first.tools + second.tools, both, continued)


def _shortest(words: Sequence[Word]) -> list[Word]:
    distinct = {word.written: word for word in words}.values()
    return nsmallest(MAX_CONTINUATIONS, distinct, key=lambda word: (len(word.written), word.written))


def merge_results(
    query: SearchQuery, catalogs: SearchResult, own: SearchResult, session: SessionDocuments
) -> SearchResult:
    """One answer of two: each side keeps its order. Typing errors are forgiven only where neither met a word (S6)."""
    stages = {catalogs.stage, own.stage} - {"none"}
    if "typo" in stages and len(stages) > 1:
        catalogs, own = (replace(side, hits=()) if side.stage == "typo" else side for side in (catalogs, own))
    rate = _rate_names(query, catalogs, session)
    hits = tuple(_merge(catalogs.hits, own.hits, lambda hit: (-hit.score, rate(hit))))[: query.limit]
    stage = "name" if "name" in stages else next((side.stage for side in (catalogs, own) if side.hits), "none")
    below = sum(count for side in (catalogs, own) if isinstance(count := side.details.get("below_min_score"), int))
    return SearchResult(hits, stage, {**catalogs.details, "below_min_score": below, "session": dict(own.details)})


def _rate_names(query: SearchQuery, catalogs: SearchResult, session: SessionDocuments) -> Callable[[SearchHit], int]:
    """How exactly the name of a hit was asked for, of those that are exact at all.

    The catalog's own exact names are taken for the nearest but where one of the session's is byte-equal: no two tools
    of a request have one name.
    """
    asked = read_query(query.text)
    exact = [hit.tool_id for hit in catalogs.hits if hit.score >= 1]

    def rate(hit: SearchHit) -> int:
        document = session.documents.get(hit.tool_id)
        if document is not None and hit.score >= 1:
            rung = rate_name(document.name, asked)
            return _UNNAMED if rung is None else rung
        return 1 if hit.tool_id in exact else _UNNAMED

    return rate


def _merge(
    first: Sequence[SearchHit], second: Sequence[SearchHit], key: Callable[[SearchHit], tuple[float, int]]
) -> Iterator[SearchHit]:
    left, right = list(first), list(second)
    while left and right:
        yield left.pop(0) if key(left[0]) <= key(right[0]) else right.pop(0)
    yield from (*left, *right)
