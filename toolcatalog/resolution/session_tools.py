"""A session's own tools (R13): an end user's, which no other session ever sees and which the caller runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import orjson

from toolcatalog.contract.catalog import ToolContent, ToolRecord, ToolStatus
from toolcatalog.contract.json import JsonObject, dump_json, hash_json
from toolcatalog.contract.sessions import session_tool_id
from toolcatalog.contract.tools import SearchDocument, ToolDefinition
from toolcatalog.search import SessionDocuments
from toolcatalog.text import count_model_tokens

MAX_KEPT = 64


@dataclass(frozen=True)
class SessionTools:
    """The tools of one session, and the names of those that the catalog's tools stand before."""

    by_name: Mapping[str, ToolRecord]
    hidden: tuple[str, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[int, ToolRecord]:
        """The same tools by their ids, which are negative."""
        return {tool.id: tool for tool in self.by_name.values()}

    @cached_property
    def documents(self) -> SessionDocuments:
        """The same tools as the search knows them."""
        return SessionDocuments([_make_document(tool) for tool in self.by_name.values()])

    def without(self, names: Collection[str]) -> SessionTools:
        """The tools of other names; these are hidden."""
        if not names:
            return self
        kept = {name: tool for name, tool in self.by_name.items() if name not in names}
        return replace(self, by_name=kept, hidden=tuple(sorted(names)))


NO_SESSION_TOOLS = SessionTools({})


def dump_definitions(tools: Iterable[ToolDefinition]) -> str:
    """Definitions as they are kept with the session: neutral, in the order and with the order of keys given."""
    return dump_json([define(tool) for tool in tools]).decode()


def define(tool: ToolDefinition) -> JsonObject:
    """The neutral form of a definition; what is empty is left out."""
    parts: dict[str, Any] = {
        "title": tool.title,
        "description": tool.description,
        "parameters": tool.parameters,
        "output_schema": tool.output_schema,
        "annotations": tool.annotations,
    }
    return {"name": tool.name, **{key: value for key, value in parts.items() if value}}


def define_record(tool: ToolRecord) -> JsonObject:
    """The neutral form of a session's tool, as its exposures keep it: there is no revision that would."""
    content = tool.content
    return define(
        ToolDefinition(
            name=content.name,
            description=content.description,
            parameters=orjson.loads(content.parameters),
            title=content.title,
            output_schema=None if content.output_schema is None else orjson.loads(content.output_schema),
            annotations=content.annotations,
        )
    )


@lru_cache(MAX_KEPT)
def load_definitions(tenant_id: int, stored: str) -> SessionTools:
    """The tools that were kept with a session. What was read last is kept: sessions are asked again and again."""
    tools = (_make_record(tenant_id, definition) for definition in orjson.loads(stored))
    return SessionTools({tool.name: tool for tool in tools})


def _make_record(tenant_id: int, definition: dict[str, Any]) -> ToolRecord:
    output_schema = definition.get("output_schema")
    content = ToolContent(
        name=definition["name"],
        title=definition.get("title", ""),
        description=definition.get("description", ""),
        parameters=dump_json(definition.get("parameters", {})),
        output_schema=None if output_schema is None else dump_json(output_schema),
        annotations=definition.get("annotations", {}),
    )
    measured = {"name": content.name, "description": content.description, "parameters": definition.get("parameters")}
    return ToolRecord(
        id=session_tool_id(content.name),
        owner_id=tenant_id,
        content=content,
        status=ToolStatus.PUBLISHED,
        revision=0,
        sha256=hash_json(definition),
        tokens=count_model_tokens(dump_json(measured).decode()),
        of_session=True,
    )


def _make_document(tool: ToolRecord) -> SearchDocument:
    content = tool.content
    return SearchDocument(
        tool_id=tool.id,
        owner_id=tool.owner_id,
        name=content.name,
        title=content.title,
        description=content.description,
        parameters=orjson.loads(content.parameters),
    )
