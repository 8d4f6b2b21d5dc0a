"""Gives each request an id, and keeps answers out of caches: files alone say for themselves how long they hold."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import structlog
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse

from toolcatalog.callers import is_plain_id

from .database_errors import UNAVAILABLE, describe_database_error

log = structlog.get_logger(__name__)


class RequestIdMiddleware:
    """`request.request_id` is the caller's X-Request-ID where that is a plain word, else a new one; answers have it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if is_plain_id(given) else str(uuid.uuid4())
        request.request_id = request_id  # type: ignore[attr-defined]  # ours
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        if request.path.startswith("/api/"):
            response["Cache-Control"] = "no-store"
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    def process_exception(self, _request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A page that a person asked for while the database does not answer, or is busy: try again, nothing is lost."""
        code = describe_database_error(error) if isinstance(error, DatabaseError | InterfaceError) else None
        if code is None:
            return None
        log.warning("database_error", code=code, error=str(error).strip())
        text = f"{UNAVAILABLE[code]} Go back: what you typed is still there.\n"
        return HttpResponse(text, status=503, content_type="text/plain; charset=utf-8", headers={"Retry-After": "2"})
