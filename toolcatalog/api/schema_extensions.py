"""What the schema generator cannot see by itself: the key, fields of any JSON, and the problems that all share."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema

from toolcatalog.contract.errors import FieldError

from .problems import CONTENT_TYPE, TITLES, problem_body

_EXAMPLES: dict[int, tuple[str, str]] = {
    400: ("unreadable", "The body is not JSON in UTF-8: unexpected end of data."),
    401: ("not_authenticated", "This key is not known, has expired, or was revoked."),
    403: ("missing_scope", "This key lacks the scope “curate”."),
    404: ("not_found", "There is no such tool."),
    409: ("in_use", "Grants name this. Delete or change them first."),
    412: ("precondition_failed", "The object is not what `If-Match` says: somebody changed or deleted it."),
    413: ("too_large", "The body is larger than 1 MB. Send less."),
    415: ("unsupported_media_type", "Unsupported media type “text/plain” in request."),
    422: ("required", "A tool needs a name."),
    503: ("database_unavailable", "The database does not answer. Try again shortly."),
}
"""An example of each problem that every operation may answer with."""
_FINDING = FieldError("name", "required", "A tool needs a name.")
_OPERATIONS = frozenset({"get", "put", "post", "patch", "delete"})
_TEXT = {"type": "string"}
_PROBLEM = {
    "type": "object",
    "description": "An error (RFC 9457). `code` is stable, `detail` and `message` are for people.",
    "required": ["type", "title", "status", "detail", "code", "request_id", "errors"],
    "properties": {
        "type": _TEXT,
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": _TEXT,
        "code": _TEXT,
        "request_id": {**_TEXT, "description": "Also in the header `X-Request-ID`."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["path", "code", "message"],
                "properties": {
                    "path": {**_TEXT, "description": "Where in the body, like `matchers[0].value`; empty: all of it."},
                    "code": _TEXT,
                    "message": {**_TEXT, "description": "What is wrong, and what to do."},
                },
            },
        },
    },
}


class KeyExtension(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself, untyped
    """`Authorization: Bearer <key>`."""

    target_class = "toolcatalog.api.authentication.ApiKeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """The scheme."""
        return {"type": "http", "scheme": "bearer", "description": "A key of a tenant: `tc_…`."}


class AnyExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # registers itself, untyped
    """Any JSON value."""

    target_class = "toolcatalog.curation.strict_fields.AnyField"
    match_subclasses = False

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """The empty schema."""
        return {}


class ObjectExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # registers itself, untyped
    """A JSON object."""

    target_class = "toolcatalog.curation.strict_fields.ObjectField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """An object with any keys."""
        return {"type": "object", "additionalProperties": {}}


class EnabledExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]  # registers itself, untyped
    """true, false or "groups"."""

    target_class = "toolcatalog.curation.serializers.EnabledField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """One of the three."""
        return {"oneOf": [{"type": "boolean"}, {"type": "string", "enum": ["groups"]}]}


def describe_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of the generator: every operation may answer with every problem, each described once."""
    components = result["components"]
    components.setdefault("schemas", {})["Problem"] = _PROBLEM
    responses = components.setdefault("responses", {})
    responses.update({f"Problem{status}": _describe_problem(status) for status in _EXAMPLES})
    references = {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in _EXAMPLES}
    for operations in result["paths"].values():
        for method, operation in operations.items():
            if method in _OPERATIONS:
                operation["responses"] = {**references, **operation["responses"]}
                operation["responses"] = dict(sorted(operation["responses"].items()))
    return result


def _describe_problem(status: int) -> dict[str, Any]:
    code, detail = _EXAMPLES[status]
    findings = (_FINDING,) if status == 422 else ()
    _, example, _ = problem_body(status, code, detail, "0198f0a2-7f1c-7d5e-9d6a-3b7c1f0a2e55", findings=findings)
    described: dict[str, Any] = {
        "description": TITLES[status],
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example}},
    }
    if status == 503:
        described["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}
    return described
