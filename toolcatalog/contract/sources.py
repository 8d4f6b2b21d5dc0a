"""A tool as a source gave it: what readers of MCP servers and OpenAPI documents make, and what a sync takes."""

from __future__ import annotations

from dataclasses import dataclass, field

from .catalog import Execution
from .errors import FieldError
from .json import JsonObject
from .tools import NO_PARAMETERS


@dataclass(frozen=True, slots=True)
class ImportedTool:
    """One tool of a source. `name` is the source's own and need not be legal; the sync takes a proposal instead (N05).

    `path` is its place in the source, such as `tools[3]` or `GET /orders/{id}`. `parameters` and `output_schema` are
    JSON Schema 2020-12 with local references only. `binding` is all that running the tool needs beside the arguments:
    never a command, a credential or anything that says where credentials are. `errors` say why it cannot be taken: such
    a tool is listed, not saved, and does not count as gone. `notes` say what was changed to make it fit.
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
    callback: str | None = None
    binding: JsonObject = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    errors: tuple[FieldError, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceListing:
    """Everything that one reading of a source gave, in the source's order.

    `is_complete` is False where the source did not come to an end; then what is missing is not known to be gone.
    `warnings` are sentences for the curator about the source as a whole.
    """

    tools: tuple[ImportedTool, ...] = ()
    warnings: tuple[str, ...] = ()
    is_complete: bool = True
