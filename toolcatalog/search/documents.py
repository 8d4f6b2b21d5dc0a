"""Search documents as JSON, for providers that keep them outside of the process."""

from __future__ import annotations

from typing import TypedDict

from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.tools import SearchDocument


class StoredDocument(TypedDict, total=False):
    """A search document without what is empty in it; ids and the name are kept beside it."""

    title: str
    description: str
    category: list[str]
    tags: list[list[str]]
    keywords: list[str]
    parameters: JsonObject
    deprecated: bool


def dump_document(document: SearchDocument) -> StoredDocument:
    """Everything of `document` but its ids and its name. Equal documents give equal results."""
    stored = StoredDocument(
        title=document.title,
        description=document.description,
        category=list(document.category or ()),
        tags=[list(tag) for tag in document.tags],
        keywords=list(document.keywords),
        parameters=document.parameters,
        deprecated=document.deprecated,
    )
    return {key: value for key, value in stored.items() if value}  # type: ignore[return-value]  # a subset of its keys


def load_document(tool_id: int, owner_id: int | None, name: str, stored: StoredDocument) -> SearchDocument:
    """The document that `dump_document` was given."""
    category = stored.get("category")
    return SearchDocument(
        tool_id=tool_id,
        owner_id=owner_id,
        name=name,
        title=stored.get("title", ""),
        description=stored.get("description", ""),
        category=(category[0], category[1]) if category else None,
        tags=tuple((slug, title) for slug, title in stored.get("tags", ())),
        keywords=tuple(stored.get("keywords", ())),
        parameters=stored.get("parameters", {}),
        deprecated=stored.get("deprecated", False),
    )
