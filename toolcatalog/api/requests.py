"""The bodies of resolve and search: types and choices, and their way into the contract's dataclasses."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from toolcatalog.contract.catalog import Disclosure, Policy
from toolcatalog.contract.errors import FieldError, Forbidden, InvalidInput
from toolcatalog.contract.resolve import RETURNABLE, ContextInput, Notice, ResolveRequest, SearchRequest
from toolcatalog.curation import field_names, validate
from toolcatalog.curation.strict_fields import (
    AnyField,
    ObjectField,
    ObjectSerializer,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictDictField,
    StrictListField,
)

LONGEST_ID = 512
TENANT_KEYS = frozenset({"tenant", "tenant_id"})
"""By these a body may name its tenant, which is the key's."""


def _id(longest: int = LONGEST_ID) -> StrictCharField:
    return StrictCharField(required=False, allow_null=True, allow_blank=True, max_length=longest)


class ContextSerializer(ObjectSerializer):
    """What rules may read beside the message."""

    account_id = _id()
    conversation_id = _id()
    bot_id = _id()
    turn_id = _id()
    model = _id()
    attributes = ObjectField(required=False, allow_null=True)


class ResolveSerializer(ObjectSerializer):
    """The body of resolve. One of `messages` and `prompt` is required."""

    profile = _id(64)
    messages = StrictListField(child=AnyField(allow_null=True), required=False, allow_null=True)
    prompt = StrictCharField(required=False, allow_null=True, allow_blank=True)
    system_prompt = AnyField(required=False, allow_null=True)
    context = ContextSerializer(required=False, allow_null=True)  # type: ignore[assignment]  # a field of that name
    tools = StrictListField(child=AnyField(allow_null=True), required=False, allow_null=True)
    groups = StrictListField(child=StrictCharField(), required=False, allow_null=True)
    active_tools = StrictListField(child=AnyField(allow_null=True), required=False, allow_null=True)
    session_id = _id(200)
    versions = StrictDictField(child=StrictCharField(), required=False, allow_null=True)
    exposure_policy = StrictChoiceField([value.value for value in Policy], required=False, allow_null=True)
    disclosure = StrictChoiceField([value.value for value in Disclosure], required=False, allow_null=True)
    format = StrictCharField(required=False, allow_null=True, max_length=64)
    vars()["return"] = StrictListField(child=StrictChoiceField(RETURNABLE), required=False, allow_null=True)
    if_digest = _id()
    explain = StrictBooleanField(required=False, default=False)
    tenant = _id(64)


class SearchSerializer(ObjectSerializer):
    """The body of search."""

    query = AnyField(required=False, allow_null=True)
    max_results = AnyField(required=False, allow_null=True)
    category = StrictCharField(required=False, allow_null=True, allow_blank=True, max_length=1000)
    groups = StrictListField(child=StrictCharField(), required=False, allow_null=True)
    profile = _id(64)
    session_id = _id(200)
    context = ContextSerializer(required=False, allow_null=True)  # type: ignore[assignment]  # a field of that name
    snapshot_id = serializers.UUIDField(required=False, allow_null=True)
    format = StrictCharField(required=False, allow_null=True, max_length=64)
    explain = StrictBooleanField(required=False, default=False)
    tenant = _id(64)


def read_resolve(data: Any, tenant: str, correlation_id: str | None) -> tuple[ResolveRequest, list[Notice]]:
    """The request in the body of resolve, with a notice for each key that means nothing.

    Raises InvalidInput, Forbidden.
    """
    fields, notices = read_fields(ResolveSerializer, data, tenant)
    messages, prompt = fields.get("messages"), fields.get("prompt")
    if (messages is None) == (prompt is None):
        message = "Give one of `messages` and `prompt`, not both."
        raise InvalidInput([FieldError("messages", "messages_or_prompt", message)], code="messages_or_prompt")
    returns = fields.get("return")
    request = ResolveRequest(
        messages=messages,
        prompt=prompt,
        system_prompt=fields.get("system_prompt"),
        profile=fields.get("profile"),
        context=read_context(fields.get("context")),
        tools=fields.get("tools") or (),
        groups=_names(fields.get("groups")),
        active_tools=tuple(name for name in fields.get("active_tools") or () if isinstance(name, str)),
        session_id=fields.get("session_id") or None,
        versions=fields.get("versions") or {},
        exposure_policy=fields.get("exposure_policy"),
        disclosure=fields.get("disclosure"),
        format=fields.get("format") or "generic",
        returns=frozenset(RETURNABLE if returns is None else returns),
        if_digest=fields.get("if_digest"),
        explain=fields["explain"],
        correlation_id=correlation_id,
    )
    return request, notices


def read_search(data: Any, tenant: str, correlation_id: str | None) -> tuple[SearchRequest, list[Notice]]:
    """The request in the body of search, with a notice for each key that means nothing.

    Raises InvalidInput, Forbidden.
    """
    fields, notices = read_fields(SearchSerializer, data, tenant)
    context = fields.get("context")
    request = SearchRequest(
        query=fields.get("query"),
        max_results=fields.get("max_results"),
        category=fields.get("category"),
        groups=_names(fields.get("groups")),
        profile=fields.get("profile"),
        session_id=fields.get("session_id") or None,
        context=None if context is None else read_context(context),
        snapshot_id=fields.get("snapshot_id"),
        format=fields.get("format"),
        explain=fields["explain"],
        correlation_id=correlation_id,
    )
    return request, notices


def read_context(fields: dict[str, Any] | None) -> ContextInput:
    """The `context` part of a body."""
    fields = fields or {}
    return ContextInput(**{**fields, "attributes": fields.get("attributes") or {}})


def _names(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def read_fields(
    serializer: type[serializers.Serializer[Any]], data: Any, tenant: str
) -> tuple[dict[str, Any], list[Notice]]:
    """The fields of a body, with a notice for each key that means nothing. Raises InvalidInput, Forbidden."""
    if not isinstance(data, dict):
        raise InvalidInput.single("", "not_an_object", "Send a JSON object.")
    context = data.get("context")
    parts = [("", data, serializer)]
    if isinstance(context, dict) and "context" in field_names(serializer):
        parts.append(("context.", context, ContextSerializer))
    notices = []
    for path, part, part_serializer in parts:
        if any(part.get(key) not in (None, tenant) for key in TENANT_KEYS):
            raise Forbidden("The key names the tenant; this body names another.", code="other_tenant")
        notices += [
            Notice("unknown_field", f"{path}{key}", f"The field “{path}{key}” means nothing here and is ignored.")
            for key in part.keys() - field_names(part_serializer) - TENANT_KEYS
        ]
    return validate(serializer, data), sorted(notices, key=lambda notice: notice.name)
