"""What answers of tool-calls and execute look like, for the published schema."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from .answer_schemas import NoticeSerializer


class UnhandledCallSerializer(serializers.Serializer[Any]):
    """A call that the caller runs."""

    call_id = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    exported_name = serializers.CharField()
    arguments = serializers.DictField()


class CallReportSerializer(serializers.Serializer[Any]):
    """A call that was answered here."""

    call_id = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    status = serializers.ChoiceField(["ok", "error", "refused", "timeout"])
    result = serializers.JSONField(allow_null=True)
    duration_ms = serializers.IntegerField()
    message = serializers.JSONField()


class ToolCallsAnswerSerializer(serializers.Serializer[Any]):
    """The answer of tool-calls."""

    messages = serializers.ListField(child=serializers.DictField())
    unhandled = UnhandledCallSerializer(many=True)
    results = CallReportSerializer(many=True)
    notices = NoticeSerializer(many=True)


class ExecutedToolSerializer(serializers.Serializer[Any]):
    """What ran."""

    name = serializers.CharField()
    version = serializers.CharField(allow_blank=True)
    revision = serializers.IntegerField()


class ExecuteAnswerSerializer(serializers.Serializer[Any]):
    """The answer of execute."""

    status = serializers.CharField()
    result = serializers.JSONField(allow_null=True)
    duration_ms = serializers.IntegerField()
    tool = ExecutedToolSerializer()
    notices = NoticeSerializer(many=True)


class CallSerializer(serializers.Serializer[Any]):
    """One call on record."""

    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    door = serializers.CharField()
    outcome = serializers.CharField()
    code = serializers.CharField(allow_blank=True)
    duration_ms = serializers.IntegerField(allow_null=True)
    call_id = serializers.CharField(allow_blank=True)
    tool_id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    exported_name = serializers.CharField()
    revision = serializers.IntegerField(allow_null=True)
    version = serializers.CharField(allow_blank=True)
    reasons = serializers.ListField(child=serializers.CharField())
    groups = serializers.ListField(child=serializers.CharField())
    exposure_id = serializers.UUIDField(allow_null=True)
    api_key = serializers.DictField(allow_null=True)
    account = serializers.CharField(allow_null=True)
    model = serializers.CharField(allow_null=True)
    conversation_id = serializers.CharField(allow_null=True)
    session_id = serializers.CharField(allow_null=True)
    correlation_id = serializers.CharField(allow_null=True)
    request_id = serializers.CharField()
    arguments_digest = serializers.CharField(allow_null=True)
    arguments = serializers.CharField(allow_null=True)


class CallPageSerializer(serializers.Serializer[Any]):
    """A page of calls."""

    results = CallSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
