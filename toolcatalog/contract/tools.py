"""A tool as the model is told of it, and as a search index knows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from .json import JsonObject

NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """What a provider format writes. `parameters` is a JSON Schema (2020-12) whose root is an object.

    `name` is the catalog name; the exported name is given to the format beside it. `category` is a slug or None.
    `closing` are sentences that the description ends with, whatever of it has to be cut.
    """

    name: str
    description: str = ""
    parameters: JsonObject = field(default_factory=lambda: dict(NO_PARAMETERS))
    title: str = ""
    output_schema: JsonObject | None = None
    annotations: JsonObject = field(default_factory=dict)
    category: str | None = None
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """What a search provider is told of one tool: metadata only, no permission and no secret.

    `tool_id` is the database id, `owner_id` the owning tenant's (None: shared). Category and tags carry slug and title.
    """

    tool_id: int
    owner_id: int | None
    name: str
    title: str = ""
    description: str = ""
    category: tuple[str, str] | None = None
    tags: tuple[tuple[str, str], ...] = ()
    keywords: tuple[str, ...] = ()
    parameters: JsonObject = field(default_factory=lambda: dict(NO_PARAMETERS))
    deprecated: bool = False
