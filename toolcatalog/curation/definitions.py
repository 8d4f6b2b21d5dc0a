"""Reads neutral definitions of tools that are no tools of the catalog, and checks them as tools are checked at save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from toolcatalog.conf import read_settings
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import JsonValue, dump_json
from toolcatalog.contract.tools import NO_PARAMETERS, ToolDefinition

from .documents import ToolDocument
from .serializers import validate
from .strict_fields import AnyField, KnownFieldsSerializer, ObjectField, StrictCharField
from .tool_checks import check_tool_document
from .validation import check_storable, raise_if_any


class DefinitionSerializer(KnownFieldsSerializer):
    """A tool in the neutral form."""

    name = StrictCharField(allow_blank=True)
    title = StrictCharField(required=False, allow_blank=True, allow_null=True, max_length=200)
    description = StrictCharField(required=False, allow_blank=True, allow_null=True, max_length=4096)
    parameters = AnyField(required=False, allow_null=True)
    output_schema = AnyField(required=False, allow_null=True)
    annotations = ObjectField(required=False, allow_null=True)


def read_definitions(tools: Sequence[JsonValue]) -> tuple[ToolDefinition, ...]:
    """The definitions of one session's own tools. Raises InvalidInput with every finding, each with its path."""
    settings = read_settings()
    if len(tools) > settings.session_tools_most:
        message = f"{len(tools)} tools are more than the {settings.session_tools_most} that one session may have."
        raise InvalidInput.single("tools", "too_many_tools", message)
    size = len(dump_json(tools))
    if size > settings.session_tools_bytes:
        message = f"The definitions have {size:,} bytes; {settings.session_tools_bytes:,} is the most. Send fewer."
        raise InvalidInput.single("tools", "too_large", message)
    errors: list[FieldError] = []
    definitions = [_read(tool, f"tools[{index}]", errors) for index, tool in enumerate(tools)]
    raise_if_any(errors)
    return tuple(definition for definition in definitions if definition is not None)


def _read(tool: JsonValue, path: str, errors: list[FieldError]) -> ToolDefinition | None:
    """One definition; None after what is wrong with it was noted."""
    try:
        raise_if_any(check_storable(tool))
        definition = _make_definition(validate(DefinitionSerializer, tool))
        raise_if_any(list(_check(definition)))
    except InvalidInput as problem:
        errors += [replace(error, path=f"{path}.{error.path}".rstrip(".")) for error in problem.errors]
        return None
    return definition


def _make_definition(fields: dict[str, Any]) -> ToolDefinition:
    parameters = fields.get("parameters")
    return ToolDefinition(
        name=fields["name"],
        description=fields.get("description") or "",
        parameters=dict(NO_PARAMETERS) if parameters is None else parameters,
        title=fields.get("title") or "",
        output_schema=fields.get("output_schema"),
        annotations=fields.get("annotations") or {},
    )


def _check(definition: ToolDefinition) -> Iterator[FieldError]:
    document = ToolDocument(
        name=definition.name,
        title=definition.title,
        description=definition.description,
        parameters=definition.parameters,
        output_schema=definition.output_schema,
        annotations=definition.annotations,
    )
    yield from check_tool_document(document, ())
