"""Which argument of a tool goes where in the HTTP request: what a reader of OpenAPI documents records with each tool.

It names no host and no credential. It comes back from the database, so it is read as carefully as a request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
RUNNABLE_METHODS = frozenset(METHODS) - {"trace", "options"}


class Place(StrEnum):
    """Where a parameter stands in a request."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"


@dataclass(frozen=True, slots=True)
class BoundParameter:
    """One parameter: the argument's name, the name on the wire, and how its value is written (OpenAPI's `style`)."""

    argument: str
    name: str
    place: Place
    style: str
    explode: bool
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class BoundBody:
    """The body: either one argument is all of it, or `fields` gives (argument, name of the property) pairs.

    `base64_fields` are the names of those properties whose text stands for bytes.
    """

    media_type: str
    argument: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    base64_fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HttpBinding:
    """One operation. `path` is a template such as `/orders/{id}`, put behind the base URL of the source."""

    method: str
    path: str
    parameters: tuple[BoundParameter, ...] = ()
    body: BoundBody | None = None


def write_binding(binding: HttpBinding) -> JsonObject:
    """The binding as a JSON object."""
    return {
        "method": binding.method,
        "path": binding.path,
        "parameters": [
            {
                "argument": parameter.argument,
                "name": parameter.name,
                "in": parameter.place.value,
                "style": parameter.style,
                "explode": parameter.explode,
                "json": parameter.is_json,
            }
            for parameter in binding.parameters
        ],
        "body": None if binding.body is None else _write_body(binding.body),
    }


def _write_body(body: BoundBody) -> JsonObject:
    return {
        "media_type": body.media_type,
        "argument": body.argument,
        "fields": dict(body.fields),
        "base64_fields": list(body.base64_fields),
    }


def read_binding(value: Mapping[str, Any]) -> HttpBinding:
    """The binding that `write_binding` wrote. Raises InvalidInput for anything else."""
    try:
        binding = HttpBinding(
            method=value["method"],
            path=value["path"],
            parameters=tuple(_read_parameter(parameter) for parameter in value["parameters"]),
            body=_read_body(value["body"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput.single("binding", "unreadable_binding", "Import the tool again.") from error
    if binding.method not in RUNNABLE_METHODS or not binding.path.startswith("/"):
        raise InvalidInput.single("binding", "unreadable_binding", "Import the tool again.")
    return binding


def _read_parameter(value: Mapping[str, Any]) -> BoundParameter:
    return BoundParameter(
        argument=str(value["argument"]),
        name=str(value["name"]),
        place=Place(value["in"]),
        style=str(value["style"]),
        explode=bool(value["explode"]),
        is_json=bool(value["json"]),
    )


def _read_body(value: Mapping[str, Any] | None) -> BoundBody | None:
    if value is None:
        return None
    return BoundBody(
        media_type=str(value["media_type"]),
        argument=value["argument"],
        fields=tuple((str(argument), str(name)) for argument, name in value["fields"].items()),
        base64_fields=tuple(str(name) for name in value["base64_fields"]),
    )


def split_template(path: str) -> list[tuple[str, str | None]]:
    """The template as (text, name of the parameter after it) pairs; None after the last text.

    `/orders/{id}/items` gives `("/orders/", "id"), ("/items", None)`. A brace that is not closed is text.
    """
    parts: list[tuple[str, str | None]] = []
    text = ""
    rest = path
    while rest:
        before, opening, after = rest.partition("{")
        name, closing, remaining = after.partition("}")
        if not opening or not closing:
            break
        parts.append((text + before, name))
        text, rest = "", remaining
    return [*parts, (text + rest, None)]
