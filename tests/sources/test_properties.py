"""What holds for any argument, and for any document however odd."""

from __future__ import annotations

import copy
import json
from typing import Any
from urllib.parse import unquote, urlsplit

from hypothesis import given, settings
from hypothesis import strategies as st

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.sources import UnreadableDocument, read_openapi
from toolcatalog.sources.http_binding import BoundParameter, HttpBinding, Place, read_binding, write_binding
from toolcatalog.sources.http_requests import build_request
from toolcatalog.sources.mcp_reading import read_tool
from toolcatalog.sources.registry import HttpSource

SOURCE = HttpSource("parcels", "https://parcels.example/v1")
TRAVERSING = st.text("./\\%2efF5cC a\x00", max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.text(max_size=20) | TRAVERSING, st.text(max_size=20) | TRAVERSING)
def rel_T14_any_argument_is_refused_or_stays_in_its_segment(first: str, second: str) -> None:
    places = [BoundParameter(name, name, Place.PATH, "simple", explode=False) for name in ("a", "b")]
    places.append(BoundParameter("q", "q", Place.QUERY, "form", explode=True))
    binding = HttpBinding("get", "/orders/{a}/x-{b}{a}", tuple(places))
    try:
        url = build_request(SOURCE, binding, {"a": first, "b": second, "q": first}).url
    except (InvalidInput, UnicodeEncodeError):
        return
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "parcels.example", "")
    segments = parts.path.split("/")
    assert segments[:3] == ["", "v1", "orders"]
    assert len(segments) == 5
    assert unquote(segments[3]) == first
    assert unquote(segments[4]) == f"x-{second}{first}"
    assert not {".", "..", ""} & set(segments[3:])


DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "paths": {
        "/a/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "post": {
                "operationId": "a",
                "summary": "A",
                "tags": ["t"],
                "parameters": [
                    {"$ref": "#/components/parameters/P"},
                    {"name": "f", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}},
                },
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}},
            },
        }
    },
    "components": {
        "parameters": {"P": {"name": "p", "in": "query", "schema": {"type": "integer", "nullable": True}}},
        "securitySchemes": {"k": {"type": "apiKey", "in": "query", "name": "key"}},
        "schemas": {
            "S": {
                "type": "object",
                "properties": {"s": {"$ref": "#/components/schemas/S"}, "t": {"type": "string", "pattern": "a"}},
                "required": ["t"],
                "allOf": [{"minProperties": 1}],
            }
        },
    },
}


def places_in(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value of a document but the root."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [place for key, child in items for place in [(*path, key), *places_in(child, (*path, key))]]


def replaced(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(document)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return changed


@settings(max_examples=400)
@given(st.sampled_from(places_in(DOCUMENT)), VALUES | st.sampled_from([DOCUMENT, {"$ref": "#"}, {"$ref": "#/paths"}]))
def case_I05_whatever_is_odd_in_a_document_is_told_and_never_an_error_of_ours(
    place: tuple[Any, ...], value: Any
) -> None:
    try:
        content = json.dumps(replaced(DOCUMENT, place, value)).encode()
        listing = read_openapi(content)
    except (UnreadableDocument, UnicodeEncodeError):
        return
    for tool in listing.tools:
        if not tool.errors:
            assert write_binding(read_binding(tool.origin)) == tool.origin
            json.dumps(tool.parameters)


TOOL: dict[str, Any] = {
    "name": "echo",
    "title": "Echo",
    "description": "Says it again",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "outputSchema": {"type": "object"},
    "annotations": {"title": "Echo", "readOnlyHint": True},
    "icons": [],
    "_meta": {},
}


@settings(max_examples=300)
@given(st.sampled_from([*places_in(TOOL), None]), VALUES)
def case_I05_whatever_is_odd_in_a_listed_tool_is_told(place: tuple[Any, ...] | None, value: Any) -> None:
    tool = read_tool(3, value if place is None else replaced(TOOL, place, value))
    assert tool.path == "tools[3]"
    assert isinstance(tool.name, str)
    if not tool.errors:
        assert tool.parameters["type"] == "object"
        assert all(isinstance(text, str) for text in (tool.title, tool.description))
