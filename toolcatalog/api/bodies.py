"""Bodies in and out: JSON read strictly and within limits, answers rendered straight from dataclasses."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import IO, Any

import orjson
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from toolcatalog.contract.errors import TooLarge, UnreadableInput
from toolcatalog.contract.json import MAX_INTEGER, find_unstorable

MEGABYTE = 1024 * 1024
MAX_DEPTH = 1024
MOST_PASSED_OVER = 64 * MEGABYTE
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_LONG_NUMBER = re.compile(rb"[0-9]{19}")


class JsonParser(BaseParser):
    """UTF-8 JSON. Refuses what cannot be stored: NUL, lone surrogates, numbers beyond 64 bits, boundless nesting."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The JSON value. Raises UnreadableInput (400) or TooLarge (413)."""
        view = (parser_context or {}).get("view")
        limit = getattr(view, "body_limit", MEGABYTE)
        body = stream.read(limit + 1)
        if len(body) > limit:
            _pass_over(stream)
            raise TooLarge(f"The body is larger than {limit // MEGABYTE} MB. Send less.")
        return read_json(body, refuse_duplicates=getattr(view, "refuse_duplicate_keys", True))


def _pass_over(stream: IO[Any]) -> None:
    """Read on to the end of a body that is refused, within reason.

    A server closes a connection with much that was not read: its client, whose key is valid, would lose the answer, or
    the next request that it sends there.
    """
    for _ in range(MOST_PASSED_OVER // MEGABYTE):
        if not stream.read(MEGABYTE):
            return


class MergePatchParser(JsonParser):
    """The same, for what says that it is a JSON merge patch."""

    media_type = "application/merge-patch+json"


def read_json(body: bytes, *, refuse_duplicates: bool) -> Any:
    """Parse a body. Raises UnreadableInput."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise UnreadableInput(f"The body is not JSON in UTF-8: {error}.") from error
    if refuse_duplicates or _LONG_NUMBER.search(body):
        _read_strictly(body, refuse_duplicates=refuse_duplicates)
    if _ESCAPED_NUL.search(body):
        for path, problem in find_unstorable(value, max_depth=MAX_DEPTH):
            raise UnreadableInput(f"{path or 'The body'} {problem}. Take it out.", code="unstorable", path=path)
    return value


def _read_strictly(body: bytes, *, refuse_duplicates: bool) -> None:
    """Read once more for what the quick parser does not tell: repeated keys, and whole numbers that it would round."""

    def check_keys(pairs: list[tuple[str, Any]]) -> None:
        counts = Counter(name for name, _ in pairs)
        if refuse_duplicates and len(counts) < len(pairs):
            ((twice, _),) = counts.most_common(1)
            raise UnreadableInput(f"The key “{twice}” stands twice in one object. Keep one.", code="duplicate_key")

    try:
        json.loads(body, object_pairs_hook=check_keys, parse_int=_check_integer)
    except (RecursionError, ValueError) as error:
        raise UnreadableInput("The body is nested too deeply to be read.") from error


def _check_integer(digits: str) -> None:
    if len(digits) > len(str(MAX_INTEGER)) + 1 or abs(int(digits)) > MAX_INTEGER:
        raise UnreadableInput("The body holds a whole number beyond 64 bits. Write it as text.", code="unstorable")


def render_json(data: Any) -> bytes:
    """JSON as every answer writes it; times in UTC end with Z."""
    return orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z)


class JsonRenderer(BaseRenderer):
    """Renders dataclasses, dicts and ready-made JSON with orjson."""

    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """The bytes of the answer; none for an answer without content."""
        return b"" if data is None else render_json(data)
