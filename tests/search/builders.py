"""Small catalogs for search tests."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count
from typing import Any

from toolcatalog.contract.catalog import Caution
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search import SearchProvider, SearchQuery, SearchResult, save_documents, search_tools

OWNER = 7
OTHER_OWNER = 8

_ids = count(1)


def tool(name: str, description: str = "", *, owner_id: int | None = OWNER, **fields: Any) -> SearchDocument:
    """A search document with an id of its own."""
    return SearchDocument(next(_ids), owner_id, name, description=description, **fields)


def parameters(**descriptions: str) -> dict[str, Any]:
    """A parameter schema of text properties with these descriptions."""
    properties = {name: {"type": "string", "description": text} for name, text in descriptions.items()}
    return {"type": "object", "properties": properties}


class Catalog:
    """Tools saved in a provider, and searches over them that answer names."""

    def __init__(self, provider: SearchProvider, documents: Iterable[SearchDocument]) -> None:
        self.provider = provider
        self.documents = {document.tool_id: document for document in documents}
        save_documents(provider, self.documents.values())

    def find(self, text: str, limit: int = 5, **query: Any) -> list[str]:
        """The names found, in rank order."""
        return [self.documents[hit.tool_id].name for hit in self.search(text, limit, **query).hits]

    def search(
        self,
        text: str,
        limit: int = 5,
        *,
        allowed: Collection[int] | None = None,
        owners: Collection[int | None] = (OWNER,),
        min_score: float | None = None,
        caution: Caution = Caution.NORMAL,
    ) -> SearchResult:
        """Search among `allowed`, or among all tools of the owners."""
        if allowed is None:
            allowed = frozenset(key for key, document in self.documents.items() if document.owner_id in owners)
        return search_tools(self.provider, SearchQuery(text, allowed, owners, limit, min_score, caution))

    def ids(self, *names: str) -> frozenset[int]:
        """The ids of the tools of these names."""
        return frozenset(key for key, document in self.documents.items() if document.name in names)


def many_tools() -> list[SearchDocument]:
    """300 tools of an office, none of which has to do with travel."""
    verbs = ("create", "update", "delete", "list", "get", "archive", "export", "approve", "assign", "close")
    things = (
        "invoice", "contract", "employee", "payslip", "vacancy", "warehouse", "shipment", "supplier",
        "budget", "forecast", "campaign", "newsletter", "contact", "lead", "meeting", "room",
        "desk", "badge", "laptop", "licence", "incident", "server", "backup", "database",
        "report", "dashboard", "survey", "training", "expense", "project",
    )  # fmt: skip
    return [
        tool(f"{verb}_{thing}", f"Use this to {verb} one {thing}; the change goes into the book of records.")
        for thing in things
        for verb in verbs
    ]
