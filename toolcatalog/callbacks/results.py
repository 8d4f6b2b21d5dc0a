"""Turns what a callback returns into JSON that every model, vendor and database can hold.

Dates, times, decimals, UUIDs, paths and addresses become text, so do numbers that JSON has no form for: NaN, infinite
ones, and integers beyond 64 bits. Dataclasses, named tuples, pydantic models and mappings become objects, other
sequences and sets become lists (sets in a fixed order), enumerations their value, bytes the UTF-8 text that they are.
NUL and halves of surrogate pairs become U+FFFD. All else cannot be encoded.
"""

from __future__ import annotations

import dataclasses
import ipaddress
import math
import numbers
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

import orjson
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from toolcatalog.contract.json import MAX_INTEGER

from .errors import CannotEncode

MAX_DEPTH = 64
SMALLEST_LIMIT = 200
_SLICE = 65_536
_AS_TEXT = (
    Decimal, UUID, PurePath, ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network,
)  # fmt: skip

Children = Iterator[tuple[bytes, Any]]


@dataclass(frozen=True, slots=True)
class EncodedResult:
    """A result as JSON of at most the limit. `size_bytes` is the size of the whole, of which `truncated` has a part."""

    body: bytes
    size_bytes: int
    truncated: bool = False


def encode_result(value: object, limit_bytes: int) -> EncodedResult:
    """The result as JSON. What is longer than the limit is cut to an object that says so:

    `{"truncated": true, "size_bytes": 1048580, "limit_bytes": 65536, "text": "<how the result begins>"}`; the text is
    the beginning of a text, or of the JSON of anything else. Limits below 200 bytes count as 200. Memory beside the
    value itself stays near the limit, however large the value is. Raises CannotEncode.
    """
    limit = max(limit_bytes, SMALLEST_LIMIT)
    writer = _Writer(limit)
    _write(value, writer)
    if writer.size <= limit:
        return EncodedResult(b"".join(writer.parts), writer.size)
    begin = clean_text(value[:limit]) if isinstance(value, str) else b"".join(writer.parts).decode(errors="ignore")
    return EncodedResult(_cut(begin, writer.size, limit), writer.size, truncated=True)


def clean_text(text: str) -> str:
    """The text without what is no character: NUL and halves of surrogate pairs become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\x00", "\ufffd")


def _cut(begin: str, size: int, limit: int) -> bytes:
    """The object that stands for a result which is too long, with as much of its beginning as fits."""
    envelope = {"truncated": True, "size_bytes": size, "limit_bytes": limit, "text": ""}
    room = limit - len(orjson.dumps(envelope)) + len('""')
    fits, too_long = 0, len(begin) + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if len(orjson.dumps(begin[:middle])) <= room:
            fits = middle
        else:
            too_long = middle
    return orjson.dumps({**envelope, "text": begin[:fits]})


class _Writer:
    """Keeps the first bytes and counts all of them."""

    def __init__(self, limit: int) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self._room = limit

    def write(self, data: bytes) -> None:
        self.size += len(data)
        if self._room > 0:
            self.parts.append(data[: self._room])
            self._room -= len(data)


def _write(value: object, writer: _Writer) -> None:
    """Write a value, depth first, with a stack of its own."""
    stack: list[tuple[Children, bytes]] = [(iter([(b"", value)]), b"")]
    while stack:
        children, closing = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            writer.write(closing)
            continue
        before, node = child
        writer.write(before)
        plain = _simplify(node)
        if isinstance(plain, str):
            _write_text(plain, writer)
        elif isinstance(plain, Mapping):
            writer.write(b"{")
            stack.append((_members(plain), b"}"))
        elif isinstance(plain, Sequence):
            writer.write(b"[")
            stack.append((_items(plain), b"]"))
        else:
            writer.write(orjson.dumps(plain))
        if len(stack) > MAX_DEPTH:
            raise CannotEncode(f"The result is nested more than {MAX_DEPTH} levels deep.")


def _write_text(text: str, writer: _Writer) -> None:
    writer.write(b'"')
    for start in range(0, len(text), _SLICE):
        writer.write(orjson.dumps(clean_text(text[start : start + _SLICE]))[1:-1])
    writer.write(b'"')


def _items(values: Sequence[Any]) -> Children:
    for place, value in enumerate(values):
        yield b"," if place else b"", value


def _members(values: Mapping[Any, Any]) -> Children:
    written = set()
    for place, (key, value) in enumerate(values.items()):
        name = _key(key)
        if name in written:
            raise CannotEncode("Two keys of an object are written alike.")
        written.add(name)
        yield (b"," if place else b"") + orjson.dumps(name) + b":", value


def _key(key: object) -> str:
    plain = _simplify(key)
    if isinstance(plain, str):
        return clean_text(plain)
    if plain is None or isinstance(plain, bool | int | float):
        return orjson.dumps(plain).decode()
    raise CannotEncode(f"A key of the type {type(key).__name__} has no form in JSON.")


def _simplify(node: Any) -> Any:
    """The node as None, a truth value, a number that JSON can hold, a text, a mapping or a sequence."""
    while isinstance(node, Enum):
        node = node.value
    if node is None or isinstance(node, bool | str):
        return node
    if isinstance(node, numbers.Number) and not isinstance(node, Decimal):
        return _simplify_number(node)
    text = _as_text(node)
    return _simplify_container(node) if text is None else text


def _as_text(node: Any) -> str | None:
    """The text that stands for the value, or None when it is no such value."""
    if isinstance(node, date | time):
        return node.isoformat()
    if isinstance(node, timedelta):
        return str(to_jsonable_python(node))
    if isinstance(node, _AS_TEXT):
        return str(node)
    if isinstance(node, bytes | bytearray | memoryview):
        return _decode(bytes(node))
    return None


def _simplify_number(node: Any) -> int | float | str:
    if isinstance(node, numbers.Integral):
        whole = int(node)
        return whole if abs(whole) <= MAX_INTEGER else _digits(whole)
    if not isinstance(node, numbers.Real):
        raise CannotEncode(f"A number of the type {type(node).__name__} has no form in JSON.")
    real = float(node)
    if math.isfinite(real):
        return real
    return "NaN" if math.isnan(real) else "Infinity" if real > 0 else "-Infinity"


def _digits(whole: int) -> str:
    try:
        return str(whole)
    except ValueError as error:  # Python's own limit
        raise CannotEncode("An integer has too many digits.") from error


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CannotEncode("Bytes that are no UTF-8 text have no form in JSON.") from error


def _simplify_container(node: Any) -> Any:
    if isinstance(node, BaseModel):
        dumped: Any = node.model_dump(by_alias=True)
        return dumped if isinstance(dumped, Mapping) else _simplify(dumped)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        return {field.name: getattr(node, field.name) for field in dataclasses.fields(node)}
    if isinstance(node, tuple) and hasattr(node, "_asdict"):
        return node._asdict()
    if isinstance(node, Mapping | Sequence):
        return node
    if isinstance(node, Set):
        return sorted(node, key=repr)
    if isinstance(node, deque):
        return tuple(node)
    raise CannotEncode(f"A value of the type {type(node).__name__} has no form in JSON.")
