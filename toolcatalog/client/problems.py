"""Reads the catalog's problem documents (RFC 9457)."""

from __future__ import annotations

import json
from typing import Any

from .errors import ERRORS_BY_STATUS, FieldProblem, ToolCatalogAPIError, ToolCatalogError, UnreadableAnswer

PROBLEM_TYPE = "application/problem+json"


def read_error(status: int, body: bytes, *, request_id: str, retry_after: float | None) -> ToolCatalogError:
    """The error that a problem document tells of; UnreadableAnswer where the body is none."""
    problem = _read_problem(body)
    if problem is None:
        return UnreadableAnswer(
            f"HTTP status {status} without a problem document: is this the catalog's address?",
            status=status,
            request_id=request_id,
        )
    kind = ERRORS_BY_STATUS.get(status, ToolCatalogAPIError)
    return kind(
        status,
        str(problem.get("code", "")),
        str(problem.get("detail", "")),
        errors=tuple(_read_finding(finding) for finding in _list(problem.get("errors"))),
        request_id=str(problem.get("request_id") or request_id),
        retry_after=retry_after,
    )


def read_code(body: bytes) -> str:
    """The code of a problem document; "" where there is none."""
    return str((_read_problem(body) or {}).get("code", ""))


def _read_problem(body: bytes) -> dict[str, Any] | None:
    try:
        problem = json.loads(body)
    except ValueError:
        return None
    return problem if isinstance(problem, dict) else None


def _read_finding(finding: dict[str, Any]) -> FieldProblem:
    return FieldProblem(str(finding.get("path", "")), str(finding.get("code", "")), str(finding.get("message", "")))


def _list(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
