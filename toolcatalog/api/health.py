"""Health for machines: alive, ready, and numbers."""

from __future__ import annotations

from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from toolcatalog.callbacks import callback_problems
from toolcatalog.matchers import plugin_problems
from toolcatalog.search import find_provider_problems
from toolcatalog.search.embedding import is_switched_on
from toolcatalog.search.providers.semantic import read_semantic_health


def live(_request: HttpRequest) -> HttpResponse:
    """Say that this process answers. Touches nothing: not the database, no session."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


def ready(_request: HttpRequest) -> HttpResponse:
    """Whether the catalog can be read and an exposure could be written: a replica is not ready.

    A broken plugin is named, and makes nothing unready: the rest works. So it is with search by meaning.
    """
    providers = (problem.message for problem in find_provider_problems())
    problems = [*plugin_problems(), *callback_problems(), *providers]
    detail: dict[str, object] = {"database": "ok", "plugins": problems}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean")
            row = cursor.fetchone()
            if row is None or row[0]:
                detail["database"] = "read only"
        if is_switched_on():
            detail["semantic_search"] = read_semantic_health()
    except (DatabaseError, InterfaceError):
        detail["database"] = "does not answer"
    status = 200 if detail["database"] == "ok" else 503
    headers = {"Cache-Control": "no-store", **({"Retry-After": "2"} if status == 503 else {})}
    return JsonResponse({"ready": status == 200, **detail}, status=status, headers=headers)


def metrics(_request: HttpRequest) -> HttpResponse:
    """Numbers for Prometheus."""
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)
