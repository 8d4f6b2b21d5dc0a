"""What a search may find, computed once for a profile and the access rules that hold."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock

MAX_SCOPES = 64


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The tools that a search may return to one kind of caller.

    `ids` are sorted tool ids, `owners` their owner ids, `categories` the slugs that hold such a tool, `tokens` the
    size of all their neutral definitions; the `catalog_…` figures count all that this caller may have.
    """

    ids: frozenset[int]
    owners: frozenset[int | None]
    categories: tuple[str, ...]
    tokens: int
    catalog_tokens: int
    catalog_tools: int


class ScopeCache:
    """The latest scopes of one compiled catalog. The key holds all that decides; the oldest goes first."""

    def __init__(self) -> None:
        self._scopes: OrderedDict[Hashable, SearchScope] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], SearchScope]) -> SearchScope:
        """The scope of this key, made when it is not there."""
        with self._lock:
            scope = self._scopes.get(key)
            if scope is not None:
                self._scopes.move_to_end(key)
                return scope
        scope = make()
        with self._lock:
            self._scopes[key] = scope
            while len(self._scopes) > MAX_SCOPES:
                self._scopes.popitem(last=False)
        return scope
