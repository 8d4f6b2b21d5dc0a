"""The body that sets a session's own tools, and the answer."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.resolve import Notice
from toolcatalog.contract.sessions import SessionToolsRequest
from toolcatalog.curation import DefinitionSerializer, read_definitions
from toolcatalog.curation.strict_fields import AnyField, StrictCharField, StrictListField

from .answer_schemas import NoticeSerializer
from .requests import read_fields

LONGEST_SESSION_ID = 200


class SessionToolsBodySerializer(serializers.Serializer[Any]):
    """The shape of the body, for reading it: what is wrong with a tool is told by its path later."""

    profile = StrictCharField(required=False, allow_null=True, allow_blank=True, max_length=64)
    tools = StrictListField(child=AnyField(allow_null=True))
    tenant = StrictCharField(required=False, allow_null=True, max_length=64)


class SessionToolsSerializer(SessionToolsBodySerializer):
    """All searchable tools that the session is to have, in the neutral form; `[]` takes them away."""

    tools = DefinitionSerializer(many=True)  # type: ignore[assignment]  # the same list, each tool described


class SessionToolsAnswerSerializer(serializers.Serializer[Any]):
    """What the session has now."""

    session_id = serializers.CharField()
    profile = serializers.CharField()
    tool_names = serializers.ListField(child=serializers.CharField())
    notices = NoticeSerializer(many=True)


def read_session_tools(session_id: str, data: Any, tenant: str) -> tuple[SessionToolsRequest, list[Notice]]:
    """The tools for a session, with a notice for each key that means nothing. Raises InvalidInput, Forbidden."""
    if len(session_id) > LONGEST_SESSION_ID:
        message = f"The id of a session has at most {LONGEST_SESSION_ID} characters."
        raise InvalidInput.single("session_id", "max_length", message)
    fields, notices = read_fields(SessionToolsBodySerializer, data, tenant)
    request = SessionToolsRequest(session_id, read_definitions(fields["tools"]), fields.get("profile"))
    return request, notices
