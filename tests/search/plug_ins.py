"""Search providers as somebody else would write them, good and bad."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search import SearchHit, SearchQuery, SearchResult


class Acme:
    """Answers with the ids that it was made with, best first, whatever is asked. Counts how often it is asked."""

    name = "acme"

    def __init__(self, ids: Sequence[int] = (), score: float = 0.5) -> None:
        self.ids = ids
        self.score = score
        self.limits: list[int] = []

    def save(self, document: SearchDocument) -> None:
        """Keeps nothing."""

    def find_by_name(self, owner_id: int | None, name: str) -> SearchDocument | None:
        """Has nothing."""
        return None

    def find_all(self, owner_id: int | None) -> tuple[SearchDocument, ...]:
        """Has nothing."""
        return ()

    def search(self, query: SearchQuery) -> SearchResult:
        """The first `limit` of its ids."""
        self.limits.append(query.limit)
        return SearchResult(tuple(SearchHit(tool_id, self.score) for tool_id in self.ids[: query.limit]))

    def remove(self, tool_id: int) -> bool:
        """Has nothing."""
        return False

    def clear(self, owner_id: int | None) -> int:
        """Has nothing."""
        return 0


class Raising(Acme):
    """Fails as code fails."""

    def search(self, query: SearchQuery) -> SearchResult:
        """Raises."""
        raise ZeroDivisionError


class Exiting(Acme):
    """Tries to end the process."""

    def search(self, query: SearchQuery) -> SearchResult:
        """Raises."""
        raise SystemExit(1)


class Hanging(Acme):
    """Answers once it is released, long after anybody listens."""

    def __init__(self) -> None:
        super().__init__()
        self.released = Event()

    def search(self, query: SearchQuery) -> SearchResult:
        """Waits."""
        self.released.wait(60)
        return SearchResult(())


class Particular(Acme):
    """Cannot read what was asked, and says so."""

    def search(self, query: SearchQuery) -> SearchResult:
        """Raises."""
        raise InvalidInput.single("query", "bad_pattern", "This is no pattern.")


class Mute(Acme):
    """Answers with nothing at all."""

    def search(self, query: SearchQuery) -> SearchResult:
        """Answers None."""
        return None  # type: ignore[return-value]  # what the test is about


class Incomplete:
    """Is no provider."""

    name = "incomplete"


def explode() -> Acme:
    """Cannot be made."""
    raise OSError("no licence file")
