"""Entity tags: a strong one for each single object, and the conditions that callers set with it."""

from __future__ import annotations

import hashlib

from django.utils.http import parse_etags
from rest_framework.request import Request

from toolcatalog.contract.errors import PreconditionFailed
from toolcatalog.contract.json import JsonObject, dump_json

_TAG_LENGTH = 32


def make_etag(answer: JsonObject) -> str:
    """The tag of an object as it is shown: another order of keys is another tag, since models read them in order."""
    return f'"{hashlib.sha256(dump_json(answer)).hexdigest()[:_TAG_LENGTH]}"'


def check_preconditions(request: Request, etag: str | None) -> None:
    """Judge `If-Match` and `If-None-Match` of a write. `etag` is None where there is no such object yet.

    Call it where nobody can write in between. Raises PreconditionFailed.
    """
    wanted = _read(request, "If-Match")
    if wanted is not None and (etag is None or (etag not in wanted and "*" not in wanted)):
        raise PreconditionFailed(
            "The object is not what `If-Match` says: somebody changed or deleted it. Get it again, then repeat."
        )
    unwanted = _read(request, "If-None-Match")
    if unwanted is not None and etag is not None and (etag in _weak(unwanted) or "*" in unwanted):
        raise PreconditionFailed("`If-None-Match` asks for an object that is not there yet, and it is.")


def is_known(request: Request, etag: str) -> bool:
    """Whether the caller of a GET says that it has this state already."""
    known = _read(request, "If-None-Match")
    return known is not None and (etag in _weak(known) or "*" in known)


def _read(request: Request, header: str) -> list[str] | None:
    """The tags of a header, weak ones with their mark; None without the header. A word that is no tag matches none."""
    text = request.headers.get(header)
    return None if text is None else parse_etags(text)


def _weak(tags: list[str]) -> list[str]:
    return [tag.removeprefix("W/") for tag in tags]
