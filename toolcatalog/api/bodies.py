"""Bodies in and out: JSON read strictly and within limits, answers rendered straight from dataclasses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any

import orjson
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from toolcatalog.contract.errors import TooLarge, UnreadableInput
from toolcatalog.contract.json import find_unstorable

ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
MEGABYTE = 1024 * 1024


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
            raise TooLarge(f"The body is larger than {limit // MEGABYTE} MB. Send less.")
        return read_json(body, refuse_duplicates=getattr(view, "refuse_duplicate_keys", True))


def read_json(body: bytes, *, refuse_duplicates: bool) -> Any:
    """Parse a body. Raises UnreadableInput."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise UnreadableInput(f"The body is not JSON in UTF-8: {error}.") from error
    if refuse_duplicates:
        _refuse_duplicates(body)
    if ESCAPED_NUL.search(body) or _may_hold_huge_number(body):
        for path, problem in find_unstorable(value, max_depth=1024):
            raise UnreadableInput(f"{path or 'The body'} {problem}. Take it out.", code="unstorable")
    return value


def _may_hold_huge_number(body: bytes) -> bool:
    return HUGE_NUMBER.search(body) is not None


HUGE_NUMBER = re.compile(rb"[0-9]{18}|[eE]\+?[0-9]{3}")


def _refuse_duplicates(body: bytes) -> None:
    def check(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = dict(pairs)
        if len(keys) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise UnreadableInput(f"The key “{twice}” stands twice in one object. Keep one.", code="duplicate_key")
        return keys

    try:
        json.loads(body, object_pairs_hook=check)
    except (RecursionError, ValueError) as error:
        raise UnreadableInput("The body is nested too deeply, or holds a number that is too long.") from error


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
        return b"" if data is None else orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z)
