"""Every error of the API as RFC 9457 problem+json, from one place."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import structlog
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from toolcatalog.contract import errors
from toolcatalog.contract.errors import FieldError
from toolcatalog.contract.json import dump_json
from toolcatalog.curation import flatten_errors

from .database_errors import UNAVAILABLE, describe_database_error

log = structlog.get_logger(__name__)

CONTENT_TYPE = "application/problem+json"

_STATUSES: dict[type[errors.ToolCatalogError], int] = {
    errors.UnreadableInput: 400,
    errors.NotAuthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.PreconditionFailed: 412,
    errors.TooLarge: 413,
    errors.InvalidInput: 422,
    errors.ToolFailed: 502,
    errors.ToolTimedOut: 504,
    errors.Unavailable: 503,
}
TITLES = {
    400: "The request cannot be read",
    401: "No valid key",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "Does not fit the present state",
    412: "Changed by somebody else",
    413: "Too large",
    415: "Unsupported media type",
    422: "The input is not valid",
    429: "Too many requests",
    500: "Something went wrong here",
    502: "The tool failed",
    503: "Not available now",
    504: "The tool did not answer in time",
}


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: what is known becomes a problem, what is not becomes Django's 500."""
    request_id = getattr(context["request"], "request_id", "")
    problem = make_problem(error, request_id)
    if problem is None:
        return None
    status, body, headers = problem
    return Response(body, status=status, headers=headers, content_type=CONTENT_TYPE)


def make_problem(error: Exception, request_id: str) -> tuple[int, dict[str, Any], dict[str, str]] | None:
    """(status, body, headers) of an error that has a place in the contract; None for one that is a fault of ours."""
    if isinstance(error, DatabaseError | InterfaceError):
        return _database_problem(error, request_id)
    if isinstance(error, errors.ToolCatalogError):
        return _own_problem(error, request_id)
    if isinstance(error, RequestDataTooBig):
        return problem_body(413, "too_large", "The body is too large. Send less.", request_id)
    if isinstance(error, Http404):
        return problem_body(404, "not_found", "There is nothing at this address.", request_id)
    if isinstance(error, exceptions.APIException):
        return _framework_problem(error, request_id)
    return None


def _own_problem(error: errors.ToolCatalogError, request_id: str) -> tuple[int, dict[str, Any], dict[str, str]]:
    status = next((_STATUSES[kind] for kind in type(error).__mro__ if kind in _STATUSES), 500)
    findings = error.errors if isinstance(error, errors.InvalidInput | errors.UnreadableInput) else ()
    headers = {}
    if isinstance(error, errors.Unavailable):
        headers["Retry-After"] = str(error.retry_after_seconds + random.randint(0, 2))  # noqa: S311  # spreads retries
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return problem_body(status, error.code, error.detail, request_id, findings=findings, headers=headers)


def _database_problem(error: Exception, request_id: str) -> tuple[int, dict[str, Any], dict[str, str]] | None:
    code = describe_database_error(error)
    if code is None:
        return None
    log.warning("database_error", code=code, error=str(error).strip())
    unavailable = errors.Unavailable(UNAVAILABLE[code], code=code)
    return _own_problem(unavailable, request_id)


def _framework_problem(error: exceptions.APIException, request_id: str) -> tuple[int, dict[str, Any], dict[str, str]]:
    headers = {}
    if isinstance(error, exceptions.ValidationError):
        findings = tuple(flatten_errors(error.detail))
        detail = " ".join(finding.message for finding in findings)
        return problem_body(422, "invalid", detail, request_id, findings=findings)
    wait = getattr(error, "wait", None)
    if isinstance(error, exceptions.Throttled) and wait is not None:
        headers["Retry-After"] = str(int(wait) + 1)
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined]  # set by DRF on 401
    codes: Any = error.get_codes()
    return problem_body(error.status_code, str(codes), str(error.detail), request_id, headers=headers)


def problem_body(
    status: int,
    code: str,
    detail: str,
    request_id: str,
    *,
    findings: Sequence[FieldError] = (),
    headers: dict[str, str] | None = None,
) -> tuple[int, dict[str, Any], dict[str, str]]:
    """The parts of a problem answer."""
    body = {
        "type": f"urn:toolcatalog:problem:{code}",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
        "errors": [asdict(finding) for finding in findings],
    }
    return status, body, headers or {}


def problem_response(status: int, code: str, detail: str, request_id: str) -> HttpResponse:
    """A problem as a plain Django response, for what happens outside DRF."""
    _, body, _ = problem_body(status, code, detail, request_id)
    return HttpResponse(dump_json(body), status=status, content_type=CONTENT_TYPE)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001  # Django's
    """Django's handler404."""
    return problem_response(404, "not_found", "There is nothing at this address.", getattr(request, "request_id", ""))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001  # Django's
    """Django's handler400, such as for a host that is not ours."""
    return problem_response(400, "bad_request", "This request cannot be served.", getattr(request, "request_id", ""))


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500."""
    detail = "This is a fault of the server. Tell its operator the request_id."
    return problem_response(500, "internal_error", detail, getattr(request, "request_id", ""))
