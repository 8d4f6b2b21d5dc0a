"""Small OpenAPI documents for tests."""

from __future__ import annotations

import json
from typing import Any

from toolcatalog.sources import ListedTool, SourceListing, read_openapi


def read(paths: Any, *, version: str = "3.1.0", **fields: Any) -> SourceListing:
    """The listing of a document with these paths."""
    return read_openapi(json.dumps({"openapi": version, "paths": paths, **fields}).encode())


def read_one(operation: Any, *, path: str = "/x", method: str = "post", **fields: Any) -> ListedTool:
    """The tool of a document with this one operation."""
    (tool,) = read({path: {method: operation}}, **fields).tools
    return tool


def arguments_of(tool: ListedTool) -> dict[str, Any]:
    """The schemas of the tool's arguments by name."""
    properties: Any = tool.parameters["properties"]
    return dict(properties)


def with_body(schema: Any, *, media_type: str = "application/json", required: bool = True) -> dict[str, Any]:
    """An operation with this body."""
    return {"requestBody": {"required": required, "content": {media_type: {"schema": schema}}}}


def query(name: str, schema: Any, **fields: Any) -> dict[str, Any]:
    """A query parameter."""
    return {"name": name, "in": "query", "schema": schema, **fields}
