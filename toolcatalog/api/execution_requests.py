"""The bodies of tool-calls and execute."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from toolcatalog.contract.errors import FieldError, Forbidden, InvalidInput
from toolcatalog.contract.execution import ExecuteRequest, ToolCallsRequest
from toolcatalog.curation import validate
from toolcatalog.curation.strict_fields import AnyField, ObjectField, StrictCharField

from .requests import ContextSerializer, read_context


class ToolCallsSerializer(serializers.Serializer[Any]):
    """The body of tool-calls: the assistant's message, or the list of output items."""

    message = AnyField()
    format = StrictCharField(required=False, allow_null=True, max_length=64)
    snapshot_id = serializers.UUIDField(required=False, allow_null=True)
    session_id = StrictCharField(required=False, allow_null=True, allow_blank=True, max_length=200)
    profile = StrictCharField(required=False, allow_null=True, max_length=64)
    context = ContextSerializer(required=False, allow_null=True)  # type: ignore[assignment]  # a field of that name
    tenant = StrictCharField(required=False, allow_null=True, max_length=64)


class ExecuteSerializer(serializers.Serializer[Any]):
    """The body of execute."""

    arguments = ObjectField(required=False, allow_null=True)
    snapshot_id = serializers.UUIDField(required=False, allow_null=True)
    session_id = StrictCharField(required=False, allow_null=True, allow_blank=True, max_length=200)
    profile = StrictCharField(required=False, allow_null=True, max_length=64)
    context = ContextSerializer(required=False, allow_null=True)  # type: ignore[assignment]  # a field of that name
    tenant = StrictCharField(required=False, allow_null=True, max_length=64)


def read_tool_calls(data: Any, tenant: str, correlation_id: str | None) -> ToolCallsRequest:
    """The request in the body of tool-calls. Raises InvalidInput, Forbidden."""
    fields = _read(ToolCallsSerializer, data, tenant)
    if fields["message"] is None:
        raise InvalidInput([FieldError("message", "required", "Send the assistant's message.")])
    return ToolCallsRequest(
        message=fields["message"],
        format=fields.get("format") or "openai_chat",
        snapshot_id=fields.get("snapshot_id"),
        session_id=fields.get("session_id") or None,
        profile=fields.get("profile"),
        context=_context(fields),
        correlation_id=correlation_id,
    )


def read_execute(
    name: str, data: Any, tenant: str, correlation_id: str | None, idempotency_key: str | None
) -> ExecuteRequest:
    """The request in the body of execute. Raises InvalidInput, Forbidden."""
    fields = _read(ExecuteSerializer, data, tenant)
    return ExecuteRequest(
        name=name,
        arguments=fields.get("arguments") or {},
        snapshot_id=fields.get("snapshot_id"),
        session_id=fields.get("session_id") or None,
        profile=fields.get("profile"),
        context=_context(fields),
        idempotency_key=idempotency_key,
        correlation_id=correlation_id,
    )


def _context(fields: dict[str, Any]) -> Any:
    given = fields.get("context")
    return None if given is None else read_context(given)


def _read(serializer: type[serializers.Serializer[Any]], data: Any, tenant: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InvalidInput.single("", "not_an_object", "Send a JSON object.")
    named = data.get("tenant")
    if named is not None and named != tenant:
        raise Forbidden("The key names the tenant; this body names another.", code="other_tenant")
    return validate(serializer, data)
