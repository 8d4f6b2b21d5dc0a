"""Tool search: which tools fit a query, among those that a caller may be shown.

`providers/` holds the indexes, `ranking/` the pure functions by which lexical search ranks. Callers use what stands
here: `search_tools(get_provider(name), query)`.
"""

from .documents import dump_document, load_document
from .indexing import save_documents
from .provider import SearchHit, SearchProvider, SearchQuery, SearchResult
from .registry import (
    DEFAULT_PROVIDER,
    ProviderProblem,
    find_provider_problems,
    get_provider,
    provider_names,
)
from .session_search import SessionDocuments, search_with_session
from .text_filter import match_tool_ids
from .tool_search import search_tools
from .usage_ranking import SPARE_PLACES, rank_by_usage

__all__ = [
    "DEFAULT_PROVIDER",
    "SPARE_PLACES",
    "ProviderProblem",
    "SearchHit",
    "SearchProvider",
    "SearchQuery",
    "SearchResult",
    "SessionDocuments",
    "dump_document",
    "find_provider_problems",
    "get_provider",
    "load_document",
    "match_tool_ids",
    "provider_names",
    "rank_by_usage",
    "save_documents",
    "search_tools",
    "search_with_session",
]
