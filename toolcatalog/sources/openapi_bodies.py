"""Bodies: what an operation is sent, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import dump_json

from .http_binding import BoundBody
from .openapi_arguments import Arguments, as_mapping, describe
from .openapi_references import References
from .openapi_schemas import SchemaReader

BODY_ARGUMENT = "body"
_BYTES = "application/octet-stream"
_CANNOT_SEND = 9
MAX_OUTPUT_BYTES = 56 * 1024
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_MERGEABLE = frozenset(
    {"additionalProperties", "deprecated", "description", "examples", "properties", "required", "title", "type"}
)
"""What a body may say of itself if its properties are to be arguments of their own: nothing is lost then."""


class RequestBodyReader:
    """Adds request bodies to arguments."""

    def __init__(self, references: References, schemas: SchemaReader) -> None:
        self._references = references
        self._schemas = schemas

    def add_body(self, node: Any, arguments: Arguments) -> None:
        """The properties of a plain object become arguments; any other body is one argument.

        One argument too is an optional body with properties that it needs: merged, they would be needed always, or
        never. Raises InvalidInput for a body that cannot be sent.
        """
        body = as_mapping(self._references.follow(node), "requestBody")
        media_type, media = _choose_media(as_mapping(body.get("content", {}), "requestBody.content"))
        is_required = body.get("required") is True
        converted = self._schemas.convert(media.get("schema", {}))
        resolved = self._schemas.resolve(converted)
        if _can_merge(resolved.schema) and (is_required or not resolved.schema.get("required")):
            properties: Mapping[str, Any] = arguments.take(resolved)["properties"]
            fields = tuple(_add_fields(resolved.schema, arguments))
            is_file = {name: media_type in _FORMS and _is_base64(schema) for name, schema in properties.items()}
            files = tuple(name for name, answer in is_file.items() if answer)
            arguments.body = BoundBody(media_type, None, fields, files)
            return
        schema = describe(arguments.take(converted), body)
        argument = arguments.add(BODY_ARGUMENT, "body", schema, is_required=is_required)
        arguments.body = BoundBody(media_type, argument)


def _choose_media(content: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The (media type, media type object) that is sent: JSON if the operation takes it."""
    by_rank = {_rank(str(name)): (str(name), media) for name, media in reversed(list(content.items()))}
    best = min(by_rank, default=None)
    if best is None or best == _CANNOT_SEND:
        message = f"The operation takes {', '.join(map(str, content)) or 'a body of no kind'}, which cannot be sent."
        raise InvalidInput.single("requestBody.content", "unknown_media_type", message)
    name, media = by_rank[best]
    sent = "application/json" if name == "*/*" else name.partition(";")[0].strip().lower()
    return sent, as_mapping(media, f"requestBody.content.{name}")


def _rank(name: str) -> int:
    kind = name.partition(";")[0].strip().lower()
    if kind == "application/json":
        return 0
    if kind.endswith("+json") or kind == "*/*":
        return 1
    if kind in _FORMS:
        return 2 + _FORMS.index(kind)
    if kind == _BYTES:
        return 5
    return 4 if kind.startswith("text/") else _CANNOT_SEND


def _can_merge(schema: Any) -> bool:
    if not isinstance(schema, Mapping) or not set(schema) <= _MERGEABLE or not schema.get("properties"):
        return False
    # Of further properties, nothing could be said in the arguments.
    return schema.get("type", "object") == "object" and schema.get("additionalProperties", False) is False


def _add_fields(schema: Mapping[str, Any], arguments: Arguments) -> Iterator[tuple[str, str]]:
    """(argument, property) pairs."""
    required = schema.get("required", ())
    for name, child in schema["properties"].items():
        yield arguments.add(name, BODY_ARGUMENT, child, is_required=name in required), name


def _is_base64(schema: Any) -> bool:
    if not isinstance(schema, Mapping):
        return False
    items = schema.get("items")
    return schema.get("contentEncoding") == "base64" or (isinstance(items, Mapping) and _is_base64(items))


class ResponseReader:
    """Finds what operations answer."""

    def __init__(self, references: References, schemas: SchemaReader) -> None:
        self._references = references
        self._schemas = schemas

    def read_output_schema(self, operation: Mapping[str, Any]) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
        """(schema of the JSON object that a success answers, notes); None where it is no object, or too big to keep.

        What is wrong with an answer is no reason to refuse the operation.
        """
        try:
            schema = self._find(operation)
            if schema is None:
                return None, ()
            converted = self._schemas.resolve(self._schemas.convert(schema))
            if not isinstance(converted.schema, Mapping) or converted.schema.get("type") != "object":
                return None, ()
            output, notes = self._schemas.add_definitions(converted.schema, converted.references)
        except InvalidInput as error:
            return None, (f"What it answers was left out: {error.detail}",)
        if notes or len(dump_json(output)) > MAX_OUTPUT_BYTES:
            return None, ("What it answers was left out, since its description is too big.",)
        return output, ()

    def _find(self, operation: Mapping[str, Any]) -> Any:
        responses = operation.get("responses")
        if not isinstance(responses, Mapping):
            return None
        for code in sorted(code for code in responses if code.startswith("2")):
            response = self._references.follow(responses[code])
            content = response.get("content") if isinstance(response, Mapping) else None
            for name, media in content.items() if isinstance(content, Mapping) else ():
                if _rank(str(name)) <= 1 and isinstance(media, Mapping) and "schema" in media:
                    return media["schema"]
        return None
