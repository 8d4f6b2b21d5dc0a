"""The contract of a search provider. `search/providers/` holds ours; others plug in by entry point."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from toolcatalog.contract.catalog import Caution
from toolcatalog.contract.tools import SearchDocument


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One search. `allowed` are the tool ids that the caller may be shown: nothing else may take one of the places.

    `owners` are the owner ids (None: shared) that the allowed tools belong to: document frequencies are taken there.
    `limit` is the number of places. `min_score` is on the provider's documented 0 to 1 scale (None: off).
    `caution` is a wish: providers that cannot judge themselves answer as they do.
    """

    text: str
    allowed: Collection[int]
    owners: Collection[int | None]
    limit: int
    min_score: float | None = None
    caution: Caution = Caution.NORMAL


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One tool found. `score` is from 0 to 1; `matched_on` names the fields that met the query, best first."""

    tool_id: int
    score: float
    matched_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in rank order, distinct. `stage` says which stage answered: `name`, `terms`, `meaning`, `pattern`,
    `typo`, or `none`.

    `details` is for `explain`: the terms made of the query, how many hits fell below a threshold, and the like.
    """

    hits: tuple[SearchHit, ...]
    stage: str = "terms"
    details: Mapping[str, object] = field(default_factory=dict)


class Searchable(Protocol):
    """What can be searched."""

    name: str

    def search(self, query: SearchQuery) -> SearchResult:
        """At most `query.limit` allowed tools, best first; an exact name is always first (T14)."""


class SearchProvider(Searchable, Protocol):
    """An index over tool metadata. `save`, `remove` and `clear` run inside the caller's database transaction.

    A search runs in a thread of its own, so that it can be given up when it is late. A provider may have an attribute
    `limits_itself`, true: then it is called in the request's own thread and has to see to its time limit itself.
    It may also have `save_all(documents)`, which does what `save` does for many documents, and
    `search_documents(query, documents)`, which does what `search` does over documents that are not in its index: where
    it reads queries in a way of its own, the tools of a session are then searched in that way too.
    """

    def save(self, document: SearchDocument) -> None:
        """Insert or replace the tool with this `tool_id`."""

    def find_by_name(self, owner_id: int | None, name: str) -> SearchDocument | None:
        """The owner's tool of exactly this name."""

    def find_all(self, owner_id: int | None) -> tuple[SearchDocument, ...]:
        """Every tool of the owner, by name."""

    def remove(self, tool_id: int) -> bool:
        """Forget one tool; False when it was not there."""

    def clear(self, owner_id: int | None) -> int:
        """Forget every tool of the owner; answers how many there were."""
