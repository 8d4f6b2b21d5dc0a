"""What a reading of a source gives: its tools as the source tells of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.json import JsonObject
from toolcatalog.contract.tools import NO_PARAMETERS


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One tool of a source. `name` is the source's own and need not be legal in the catalog (N05).

    `path` is its place in the source, such as `tools[3]` or `GET /orders/{id}`. `parameters` and `output_schema` are
    JSON Schemas with local references only. `origin` is all that running the tool needs beside its name and the
    arguments; never a command, a host or a credential. `errors` say why it cannot be taken: it is listed all the same,
    since what is broken is not gone. `notes` say what was changed to make it fit.
    """

    name: str
    path: str
    execution: Execution
    title: str = ""
    description: str = ""
    parameters: JsonObject = field(default_factory=lambda: dict(NO_PARAMETERS))
    output_schema: JsonObject | None = None
    annotations: JsonObject = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    category: str | None = None
    deprecated: bool = False
    origin: JsonObject = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceListing:
    """All tools that one reading gave, in the source's order.

    `is_complete` is False where the source did not come to an end: then what is missing is not known to be gone.
    `warnings` are sentences about the source as a whole.
    """

    tools: tuple[ListedTool, ...] = ()
    warnings: tuple[str, ...] = ()
    is_complete: bool = True
