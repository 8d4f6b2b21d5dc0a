"""The provider `postgres`, the default: an inverted index in the catalog's own database.

Postings with stored impacts, ranked by one SQL statement; see `ranking` for what the figures mean. It needs no
extension of PostgreSQL. Statements are limited in time by the database role.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson
from django.db import connection, transaction

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.documents import load_document
from toolcatalog.search.provider import SearchQuery, SearchResult
from toolcatalog.search.providers.lexical import search_index
from toolcatalog.text.tokens import TOKENIZER_VERSION

from . import statements
from .owners import owner_key, read_owner
from .reading import PostgresIndex
from .writing import clear_owner, remove_entries, replace_entries

__all__ = ["PostgresProvider"]


class PostgresProvider:
    """Lexical search. Writes belong to the caller's transaction: tool and index change together or not at all."""

    name = "postgres"
    limits_itself = True
    scores = "The share of the query's words, weighed by rarity, that the tool meets, in the best place; 1: its name."

    def save(self, document: SearchDocument) -> None:
        """Insert or replace the tool with this id; nothing is written where nothing has changed."""
        replace_entries([document])

    def save_all(self, documents: Iterable[SearchDocument]) -> None:
        """Save many tools with a few statements."""
        replace_entries(documents)

    def find_by_name(self, owner_id: int | None, name: str) -> SearchDocument | None:
        """The owner's tool of exactly this name."""
        found = _read_documents(statements.FIND_BY_NAME, {"owner": owner_key(owner_id), "name": name})
        return found[0] if found else None

    def find_all(self, owner_id: int | None) -> tuple[SearchDocument, ...]:
        """Every tool of the owner, by name."""
        return _read_documents(statements.FIND_ALL, {"owner": owner_key(owner_id)})

    def search(self, query: SearchQuery) -> SearchResult:
        """At most `query.limit` allowed tools, best first; exact names are always first (T14).

        A statement that fails or takes too long is undone alone: the caller's transaction stays usable.
        """
        with transaction.atomic():
            return search_index(PostgresIndex(), query)

    def remove(self, tool_id: int) -> bool:
        """Forget one tool; False when it was not there."""
        return bool(remove_entries([tool_id]))

    def clear(self, owner_id: int | None) -> int:
        """Forget every tool of the owner; answers how many there were."""
        return clear_owner(owner_id)

    def reindex(self) -> int:
        """Index every tool again of owners that have one indexed by another tokenizer; answers how many tools.

        One transaction for each owner. Run it after an update of this software; searches go on meanwhile.
        """
        with connection.cursor() as cursor:
            cursor.execute(statements.FIND_STALE_OWNERS, {"version": TOKENIZER_VERSION})
            owners = [read_owner(key) for (key,) in cursor.fetchall()]
        return sum(self._reindex_owner(owner_id) for owner_id in owners)

    def _reindex_owner(self, owner_id: int | None) -> int:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(statements.TAKE_TIME, {"limit": "0"})
            documents = self.find_all(owner_id)
            self.clear(owner_id)
            self.save_all(documents)
        return len(documents)


def _read_documents(statement: str, parameters: dict[str, Any]) -> tuple[SearchDocument, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return tuple(
            load_document(tool_id, read_owner(key), name, orjson.loads(stored))
            for tool_id, key, name, stored in cursor.fetchall()
        )
