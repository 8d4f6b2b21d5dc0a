"""A tenant's profile for any MCP client: streamable HTTP with the API key. See docs/mcp.md."""

from .application import make_application

__all__ = ["make_application"]
