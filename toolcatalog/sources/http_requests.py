"""From arguments to an HTTP request, by the rules of OpenAPI parameters."""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote, unquote, urlencode

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject, JsonValue, dump_json

from .http_binding import BoundBody, BoundParameter, HttpBinding, Place, split_template
from .outbound import OutboundRequest
from .registry import HttpSource, read_credentials

Given: TypeAlias = Sequence[tuple[BoundParameter, JsonValue]]
"""Parameters with the values that they get."""

_ACCEPT = "application/json, text/*;q=0.9, */*;q=0.5"
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|"}
_UNQUOTING_ROUNDS = 5
_OWN_HEADERS = frozenset(
    {"accept-encoding", "connection", "content-length", "content-type", "cookie", "host", "transfer-encoding"}
)


def build_request(source: HttpSource, binding: HttpBinding, arguments: JsonObject) -> OutboundRequest:
    """The request for these arguments; those that the binding does not know are not sent, nor those that are null.

    The credentials of the source stand above arguments of the same names. Raises InvalidInput for an argument that
    cannot be sent where it belongs, and MissingCredential.
    """
    places: dict[Place, list[tuple[BoundParameter, JsonValue]]] = {place: [] for place in Place}
    for parameter in binding.parameters:
        value = arguments.get(parameter.argument)
        if value is not None:
            places[parameter.place].append((parameter, value))
    body, media_type = _write_body(binding.body, arguments)
    headers = {"accept": _ACCEPT, **_write_headers(places[Place.HEADER]), **_write_cookies(places[Place.COOKIE])}
    if media_type is not None:
        headers["content-type"] = media_type
    headers |= {name.lower(): value for name, value in read_credentials(source.headers_from).items()}
    url = source.base_url.rstrip("/") + write_path(binding.path, places[Place.PATH])
    query = _write_query(places[Place.QUERY], read_credentials(source.query_from))
    return OutboundRequest(binding.method.upper(), f"{url}?{query}" if query else url, headers, body)


def write_path(template: str, given: Given) -> str:
    """The path, every value percent-encoded (T14).

    Raises InvalidInput for a value that is missing, empty, holds a slash, however often encoded, or makes a segment
    that means "this folder" or "the folder above".
    """
    values = {parameter.name: (parameter, value) for parameter, value in given}
    path = ""
    for text, name in split_template(template):
        path += text
        if name is not None:
            if name not in values:
                raise InvalidInput.single(name, "required", f"The path needs “{name}”.")
            path += _write_path_value(*values[name])
    if any(_unquote_fully(segment) in {".", ".."} for segment in path.split("/")):
        raise InvalidInput.single("", "path_traversal", "The arguments may not lead to another path.")
    return path


def _write_path_value(parameter: BoundParameter, value: JsonValue) -> str:
    text = ",".join(_flatten(parameter, value))
    bare = _unquote_fully(text)
    if not bare:
        raise InvalidInput.single(parameter.argument, "empty", "A part of the path may not be empty.")
    if any(character in "/\\" or not character.isprintable() for character in bare) or bare in {".", ".."}:
        message = "A part of the path may hold no slash, backslash or control character, and may not be “.” or “..”."
        raise InvalidInput.single(parameter.argument, "path_traversal", message)
    return quote(text, safe=",") if parameter.style == "simple" else quote(text, safe="")


def _unquote_fully(text: str) -> str:
    """What is left when every server on the way decodes it once more."""
    for _ in range(_UNQUOTING_ROUNDS):
        decoded = unquote(text)
        if decoded == text:
            break
        text = decoded
    return text


def _write_query(given: Given, credentials: Mapping[str, str]) -> str:
    pairs = [pair for parameter, value in given for pair in _write_pairs(parameter, value)]
    own = [pair for pair in pairs if pair[0] not in credentials]
    return urlencode([*own, *credentials.items()], quote_via=quote, safe="")


def _write_pairs(parameter: BoundParameter, value: JsonValue) -> Iterator[tuple[str, str]]:
    """The (name, text) pairs that a query or cookie parameter becomes."""
    if parameter.is_json:
        yield parameter.name, dump_json(value).decode()
    elif isinstance(value, Mapping) and parameter.style == "deepObject":
        yield from ((f"{parameter.name}[{key}]", _write_scalar(child)) for key, child in value.items())
    elif isinstance(value, Mapping) and parameter.explode:
        yield from ((str(key), _write_scalar(child)) for key, child in value.items())
    elif isinstance(value, list | tuple) and parameter.explode:
        yield from ((parameter.name, _write_scalar(child)) for child in value)
    else:
        delimiter = _DELIMITERS.get(parameter.style, ",")
        yield parameter.name, delimiter.join(_flatten(parameter, value))


def _flatten(parameter: BoundParameter, value: JsonValue) -> Iterator[str]:
    """The parts of a value that are written into one text."""
    if parameter.is_json:
        yield dump_json(value).decode()
    elif isinstance(value, Mapping):
        for key, child in value.items():
            if parameter.explode:
                yield f"{key}={_write_scalar(child)}"
            else:
                yield from (str(key), _write_scalar(child))
    elif isinstance(value, list | tuple):
        yield from (_write_scalar(child) for child in value)
    else:
        yield _write_scalar(value)


def _write_scalar(value: JsonValue) -> str:
    return value if isinstance(value, str) else dump_json(value).decode()


def _write_headers(given: Given) -> dict[str, str]:
    headers = {}
    for parameter, value in given:
        text = ",".join(_flatten(parameter, value))
        name = parameter.name.lower()
        is_plain = text.isprintable() and text.isascii() and name.replace("-", "").replace("_", "").isalnum()
        if name in _OWN_HEADERS or not is_plain:
            message = "A header holds printable ASCII characters only, and some headers are not an argument's to set."
            raise InvalidInput.single(parameter.argument, "bad_header", message)
        headers[name] = text
    return headers


def _write_cookies(given: Given) -> dict[str, str]:
    pairs = [pair for parameter, value in given for pair in _write_pairs(parameter, value)]
    text = "; ".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs)
    return {"cookie": text} if text else {}


def _write_body(body: BoundBody | None, arguments: JsonObject) -> tuple[bytes | None, str | None]:
    """(bytes, value of Content-Type) of the body; nothing where no argument of it is given."""
    if body is None:
        return None, None
    if body.argument is not None:
        if body.argument not in arguments:
            return None, None
        return _encode(body, arguments[body.argument])
    value = {name: arguments[argument] for argument, name in body.fields if argument in arguments}
    return _encode(body, value)


def _encode(body: BoundBody, value: JsonValue) -> tuple[bytes, str]:
    if body.media_type == "application/x-www-form-urlencoded" and isinstance(value, Mapping):
        return urlencode(list(_form_pairs(value)), quote_via=quote).encode(), body.media_type
    if body.media_type == "multipart/form-data" and isinstance(value, Mapping):
        return _encode_parts(value, body.base64_fields)
    if body.media_type == "application/octet-stream" and isinstance(value, str):
        return _decode_base64(str(body.argument), value), body.media_type
    if body.media_type.startswith("text/") and isinstance(value, str):
        return value.encode(), f"{body.media_type}; charset=utf-8"
    return dump_json(value), body.media_type


def _form_pairs(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, child in value.items():
        for item in child if isinstance(child, list | tuple) else (child,):
            if item is not None:
                yield name, _write_scalar(item)


def _encode_parts(value: Mapping[str, Any], base64_fields: Sequence[str]) -> tuple[bytes, str]:
    """A multipart body; each part is a text, JSON, or a file from base64."""
    boundary = secrets.token_hex(16)
    parts = []
    for name, text in _form_pairs(value):
        label = f'form-data; name="{quote(name, safe=" []._-")}"'
        content = text.encode()
        if name in base64_fields:
            label += '; filename="file"'
            content = _decode_base64(name, text)
        parts.append(f"--{boundary}\r\nContent-Disposition: {label}\r\n\r\n".encode() + content + b"\r\n")
    return b"".join(parts) + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _decode_base64(name: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput.single(name, "not_base64", "Write the bytes of the file in base64.") from error
