"""An MCP server made with the official SDK, over stdio: parcels, for tests."""

from __future__ import annotations

import os
import time
from typing import Any

from mcp.server.mcpserver import MCPServer

server = MCPServer("parcels")


@server.tool()
def track_parcel(number: str, details: bool = False) -> dict[str, Any]:
    """Says where a parcel is."""
    return {"number": number, "place": "Hangzhou", "details": details}


@server.tool()
def lose_parcel(number: str) -> str:
    """Loses a parcel."""
    raise ValueError(f"parcel {number} is lost")


@server.tool()
def nap(seconds: float) -> str:
    """Takes a nap beside the parcels."""
    time.sleep(seconds)
    return "awake"


@server.tool()
def end() -> str:
    """Ends this server among the parcels."""
    os._exit(3)


if __name__ == "__main__":
    server.run("stdio")
