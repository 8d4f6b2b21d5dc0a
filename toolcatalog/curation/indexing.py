"""Keeps the search index in step with the tools, in the transaction that changes them."""

from __future__ import annotations

from collections.abc import Iterable

from toolcatalog.conf import default_search_provider
from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.json import dump_json
from toolcatalog.contract.tools import SearchDocument
from toolcatalog.models import Tag, Tool
from toolcatalog.search import SearchProvider, get_provider, save_documents
from toolcatalog.text import count_model_tokens


def index() -> SearchProvider:
    """The index of the catalog: that of `postgres`, with vectors where an embedder is on."""
    return get_provider(default_search_provider())


def search_document_of(tool: Tool, tags: Iterable[Tag]) -> SearchDocument:
    """What search knows of a tool: its metadata stays out (T4)."""
    keywords = [word for words in (tool.keywords or {}).values() for word in words]
    return SearchDocument(
        tool_id=tool.pk,
        owner_id=tool.owner_id,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        category=(tool.category.slug, tool.category.title) if tool.category else None,
        tags=tuple(sorted((tag.slug, tag.title) for tag in tags)),
        keywords=tuple(keywords),
        parameters=tool.parameters,
        deprecated=tool.status == ToolStatus.DEPRECATED,
    )


def index_documents(documents: Iterable[SearchDocument]) -> None:
    """Bring the index up to date."""
    save_documents(index(), documents)


def index_tools(tools: Iterable[Tool]) -> None:
    """Bring the index entries of these tools up to date. Prefetch category and tags."""
    index_documents(search_document_of(tool, tool.tags.all()) for tool in tools)


def unindex_tool(tool_id: int) -> None:
    """Take a tool out of the index."""
    index().remove(tool_id)


def measure_tokens(tool: Tool) -> int:
    """Tokens of the neutral definition, as a model would be sent it."""
    definition = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return count_model_tokens(dump_json(definition).decode())
