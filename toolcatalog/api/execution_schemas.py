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
