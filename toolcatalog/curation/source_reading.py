"""Reads the definitions of a source: legal names, present schemas, and what is wrong with each. No query."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.text import check_tool_name, is_reserved, propose_tool_name

from .documents import ToolDocument
from .imported import ImportedTool, PlannedTool, SyncAction
from .old_schemas import modernise_schema
from .serializers import read_tool
from .tool_checks import check_tool_document
from .validation import check_storable

_NOT_KEPT = frozenset({"key", "name", "notes", "errors", "execution", "callback"})


@dataclass(frozen=True, slots=True)
class ReadTool:
    """A definition that can be a tool. `imported` is what is kept of it: the source's own text, `name` its key."""

    key: str
    document: ToolDocument
    imported: dict[str, Any]
    notes: tuple[str, ...]


def read_definitions(
    definitions: Sequence[ImportedTool], entry_names: Collection[str]
) -> tuple[list[ReadTool], list[PlannedTool]]:
    """The definitions that can be tools, in order, and a row for each that cannot, with every reason."""
    read: dict[str, ReadTool] = {}
    invalid = []
    for definition in definitions:
        key = definition.key or definition.name
        try:
            if key in read:
                raise InvalidInput.single("name", "duplicate", f"The source lists “{key}” more than once.")
            _refuse(definition.errors)
            read[key] = _read(key, definition, entry_names)
        except InvalidInput as error:
            invalid.append(PlannedTool(key, definition.name, SyncAction.INVALID, errors=error.errors))
    return list(read.values()), invalid


def _read(key: str, definition: ImportedTool, entry_names: Collection[str]) -> ReadTool:
    _refuse(check_storable({"key": key, "name": definition.name, "origin": definition.origin}))
    definition, notes = _make_fit(definition, entry_names)
    imported = _what_is_kept(definition)
    content = {name: value for name, value in imported.items() if name != "origin"}
    runner = {"execution": str(definition.execution), "callback": definition.callback}
    document = read_tool({**content, "name": definition.name, **runner, "status": ToolStatus.DRAFT.value})
    _refuse(check_tool_document(document, entry_names))
    return ReadTool(key, document, {"name": key, **imported}, notes)


def _make_fit(definition: ImportedTool, entry_names: Collection[str]) -> tuple[ImportedTool, tuple[str, ...]]:
    """The definition with a legal name and schemas of the present draft, and a sentence for each change."""
    parameters, notes = modernise_schema(definition.parameters)
    output_schema, output_notes = modernise_schema(definition.output_schema)
    name = definition.name
    if check_tool_name(name) is not None or is_reserved(name, entry_names):
        name = propose_tool_name(name)
        notes = (f"“{definition.name}” cannot be a name; it is taken as “{name}”.", *notes)
    schemas: Any = {"parameters": parameters, "output_schema": output_schema}
    all_notes = dict.fromkeys((*definition.notes, *notes, *output_notes))
    return replace(definition, name=name, **schemas), tuple(all_notes)


def _what_is_kept(definition: ImportedTool) -> dict[str, Any]:
    """The definition as JSON; a version that the source leaves open is left out."""
    kept = {field.name: getattr(definition, field.name) for field in fields(definition) if field.name not in _NOT_KEPT}
    kept["tags"] = list(definition.tags)
    kept["keywords"] = {language: list(words) for language, words in definition.keywords.items()}
    if kept["version"] is None:
        del kept["version"]
    return kept


def _refuse(errors: Sequence[FieldError]) -> None:
    if errors:
        raise InvalidInput(errors)
