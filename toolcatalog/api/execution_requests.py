"""The bodies of tool-calls and execute."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.execution import ExecuteRequest, ToolCallsRequest
from toolcatalog.contract.resolve import Notice
from toolcatalog.curation.strict_fields import AnyField, ObjectField, StrictCharField

from .requests import ContextSerializer, read_context, read_fields


class ToolCallsSerializer(serializers.Serializer[Any]):
    """The body of tool-calls: the assistant's message, or the list of output items."""

    message = AnyField(allow_null=True)
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


def read_tool_calls(data: Any, tenant: str, correlation_id: str | None) -> tuple[ToolCallsRequest, list[Notice]]:
    """The request in the body of tool-calls, with a notice for each key that means nothing.

    Raises InvalidInput, Forbidden.
    """
    fields, notices = read_fields(ToolCallsSerializer, data, tenant)
    if fields["message"] is None:
        raise InvalidInput.single("message", "required", "Send the assistant's message.")
    request = ToolCallsRequest(
        message=fields["message"],
        format=fields.get("format") or "openai_chat",
        snapshot_id=fields.get("snapshot_id"),
        session_id=fields.get("session_id") or None,
        profile=fields.get("profile"),
        context=_context(fields),
        correlation_id=correlation_id,
    )
    return request, notices


def read_execute(
    name: str, data: Any, tenant: str, correlation_id: str | None, idempotency_key: str | None
) -> tuple[ExecuteRequest, list[Notice]]:
    """The request in the body of execute, with a notice for each key that means nothing.

    Raises InvalidInput, Forbidden.
    """
    fields, notices = read_fields(ExecuteSerializer, data, tenant)
    request = ExecuteRequest(
        name=name,
        arguments=fields.get("arguments") or {},
        snapshot_id=fields.get("snapshot_id"),
        session_id=fields.get("session_id") or None,
        profile=fields.get("profile"),
        context=_context(fields),
        idempotency_key=idempotency_key,
        correlation_id=correlation_id,
    )
    return request, notices


def _context(fields: dict[str, Any]) -> Any:
    given = fields.get("context")
    return None if given is None else read_context(given)
