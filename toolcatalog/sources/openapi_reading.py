"""Reads an OpenAPI 3 document as tools, one for each operation.

The parsers there are check a document as a whole, and refuse it for one bad operation; this reads each operation by
itself. References are followed by the `referencing` package with an empty registry, so nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject

from .descriptions import fit_description, fit_title
from .documents import parse_document
from .errors import UnreadableDocument
from .http_binding import METHODS, RUNNABLE_METHODS, HttpBinding, write_binding
from .listing import ListedTool, SourceListing
from .openapi_arguments import Arguments, as_list, as_mapping
from .openapi_bodies import RequestBodyReader, ResponseReader
from .openapi_parameters import ParameterReader
from .openapi_references import References
from .openapi_schemas import SchemaReader

MAX_OPERATIONS = 5_000
MAX_LABEL = 100


_HINTS: Mapping[str, JsonObject] = {
    "get": {"readOnlyHint": True},
    "head": {"readOnlyHint": True},
    "put": {"readOnlyHint": False, "idempotentHint": True},
    "delete": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
}
"""What HTTP promises of its methods, as tool annotations."""


def read_openapi(content: bytes) -> SourceListing:
    """Every operation of the document, in its order; what cannot become a tool is listed with its errors.

    Raises UnreadableDocument for what is no OpenAPI 3 document, or is too big. Opens no connection.
    """
    document = parse_document(content)
    is_first_version = _check_version(document)
    references = References(document)
    operations = list(islice(_find_operations(document, references), MAX_OPERATIONS + 1))
    if len(operations) > MAX_OPERATIONS:
        raise UnreadableDocument(f"The document has more than {MAX_OPERATIONS:,} operations.")
    reader = _OperationReader(document, references, references_stand_alone=is_first_version)
    tools = _separate_names(reader.read(operation) for operation in operations)
    return SourceListing(tuple(tools), () if operations else ("The document describes no operation.",))


def suggest_base_url(content: bytes) -> str | None:
    """The first server that the document names with a whole URL: what an operator may want to register."""
    servers = parse_document(content).get("servers")
    for server in servers if isinstance(servers, list) else ():
        url = server.get("url") if isinstance(server, Mapping) else None
        if isinstance(url, str) and url.startswith(("https://", "http://")) and "{" not in url:
            return url
    return None


def _check_version(document: Mapping[str, Any]) -> bool:
    """Whether it is version 3.0. Raises UnreadableDocument for what is none that is known."""
    version = document.get("openapi")
    if "swagger" in document:
        raise UnreadableDocument("This is a Swagger 2.0 document. Convert it to OpenAPI 3 first.")
    if not isinstance(version, str) or not version.startswith("3."):
        raise UnreadableDocument("This is no OpenAPI 3 document: it has no “openapi” with a version such as 3.1.0.")
    return version == "3.0" or version.startswith("3.0.")


@dataclass(frozen=True, slots=True)
class _Operation:
    """One operation where it was found. `item` is what holds it and its path's parameters."""

    path: str
    method: str
    item: Mapping[str, Any]

    @property
    def place(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def plain_name(self) -> str:
        """A name from method and path, such as `get_orders_id`."""
        words = "".join(letter if letter.isalnum() else " " for letter in self.path).split()
        return "_".join([self.method, *words])


def _find_operations(document: Mapping[str, Any], references: References) -> Iterator[_Operation]:
    paths = document.get("paths")
    for path, node in paths.items() if isinstance(paths, Mapping) else ():
        try:
            item = references.follow(node)
        except InvalidInput:
            item = {"get": node}  # read as an operation, it is refused with what is wrong with it
        for method in item if isinstance(item, Mapping) else ():
            if method in METHODS:
                yield _Operation(path, method, item)


class _OperationReader:
    """Makes a tool of each operation of one document."""

    def __init__(self, document: Mapping[str, Any], references: References, *, references_stand_alone: bool) -> None:
        sent = SchemaReader(references, hidden="readOnly", references_stand_alone=references_stand_alone)
        answered = SchemaReader(references, hidden="writeOnly", references_stand_alone=references_stand_alone)
        self._references = references
        self._schemas = sent
        self._parameters = ParameterReader(references, sent, _find_credentials(document))
        self._bodies = RequestBodyReader(references, sent)
        self._responses = ResponseReader(references, answered)

    def read(self, operation: _Operation) -> ListedTool:
        """The tool, or what is wrong with it."""
        try:
            return self._read(operation)
        except InvalidInput as error:
            fields = operation.item[operation.method]
            named = fields.get("operationId") if isinstance(fields, Mapping) else None
            name = named if isinstance(named, str) else operation.plain_name
            return ListedTool(name, operation.place, Execution.HTTP, errors=error.errors)

    def _read(self, operation: _Operation) -> ListedTool:
        fields = as_mapping(self._references.follow(operation.item[operation.method]), operation.place)
        if operation.method not in RUNNABLE_METHODS:
            message = f"Operations of the method {operation.method.upper()} are not run."
            raise InvalidInput.single("", "unknown_method", message)
        arguments = Arguments()
        self._parameters.add_parameters(operation.path, operation.item, fields, arguments)
        if "requestBody" in fields:
            self._bodies.add_body(fields["requestBody"], arguments)
        parameters, open_notes = self._schemas.add_definitions(arguments.schema(), arguments.references)
        output_schema, output_notes = self._responses.read_output_schema(fields)
        description, description_notes = fit_description(_describe(fields))
        tags = _read_tags(fields)
        binding = HttpBinding(operation.method, operation.path, tuple(arguments.parameters), arguments.body)
        return ListedTool(
            name=_text(fields, "operationId") or operation.plain_name,
            path=operation.place,
            execution=Execution.HTTP,
            title=fit_title(_text(fields, "summary")),
            description=description,
            parameters=parameters,
            output_schema=output_schema,
            annotations=_HINTS.get(operation.method, {}),
            tags=tags,
            category=tags[0] if tags else None,
            deprecated=fields.get("deprecated") is True,
            origin=write_binding(binding),
            notes=tuple(dict.fromkeys([*arguments.notes, *open_notes, *output_notes, *description_notes])),
        )


def _find_credentials(document: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """(place, name) of the parameters that carry keys, by the document's security schemes."""
    components = document.get("components")
    schemes = components.get("securitySchemes") if isinstance(components, Mapping) else None
    found = schemes.values() if isinstance(schemes, Mapping) else ()
    keys = [scheme for scheme in found if isinstance(scheme, Mapping) and scheme.get("type") == "apiKey"]
    return frozenset((str(scheme.get("in")), str(scheme.get("name"))) for scheme in keys)


def _describe(fields: Mapping[str, Any]) -> str:
    """Summary and description: models read no title."""
    summary, description = _text(fields, "summary").strip(), _text(fields, "description").strip()
    if not summary or description.startswith(summary):
        return description
    return f"{summary}\n\n{description}" if description else summary


def _read_tags(fields: Mapping[str, Any]) -> tuple[str, ...]:
    tags = as_list(fields.get("tags"), "tags")
    return tuple(dict.fromkeys(fit_title(tag)[:MAX_LABEL] for tag in tags if isinstance(tag, str) and tag.strip()))


def _text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _separate_names(tools: Iterator[ListedTool]) -> Iterator[ListedTool]:
    """Every name once: the second operation of one name gets a number behind it."""
    taken: set[str] = set()
    for tool in tools:
        name, number = tool.name, 1
        while name in taken:
            name, number = f"{tool.name}_{number + 1}", number + 1
        taken.add(name)
        if name == tool.name:
            yield tool
        else:
            note = f"Another operation has the name “{tool.name}” too; this one is called “{name}”."
            yield replace(tool, name=name, notes=(*tool.notes, note))
