"""Tools that come from elsewhere: reads MCP servers and OpenAPI documents, and runs what was read."""

from .errors import AddressRefused, MissingCredential, SourceUnreachable, UnreadableDocument
from .fetching import fetch_openapi
from .http_running import run_http_tool
from .listing import ListedTool, SourceListing
from .mcp_reading import read_mcp_tools
from .mcp_running import run_mcp_tool
from .openapi_reading import read_openapi, suggest_base_url
from .registry import get_http_source, get_mcp_server, is_registered
from .results import MAX_RESULT_BYTES, RunResult, RunStatus

__all__ = [
    "MAX_RESULT_BYTES",
    "AddressRefused",
    "ListedTool",
    "MissingCredential",
    "RunResult",
    "RunStatus",
    "SourceListing",
    "SourceUnreachable",
    "UnreadableDocument",
    "fetch_openapi",
    "get_http_source",
    "get_mcp_server",
    "is_registered",
    "read_mcp_tools",
    "read_openapi",
    "run_http_tool",
    "run_mcp_tool",
    "suggest_base_url",
]
