"""What answers look like, for the published schema. Answers themselves are rendered from dataclasses."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from toolcatalog.contract.reasons import Reason


class NoticeSerializer(serializers.Serializer[Any]):
    """Something that was replaced, renamed, hidden or dropped."""

    code = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    detail = serializers.CharField()


class OmissionSerializer(serializers.Serializer[Any]):
    """A tool that is not in the answer."""

    name = serializers.CharField()
    reason = serializers.ChoiceField([reason.value for reason in Reason])


class GroupAnswerSerializer(serializers.Serializer[Any]):
    """One group of the profile."""

    name = serializers.CharField()
    matched = serializers.BooleanField()
    reason = serializers.ChoiceField([reason.value for reason in Reason])


class SnapshotSerializer(serializers.Serializer[Any]):
    """The identity of one answer."""

    id = serializers.UUIDField()
    digest = serializers.CharField()
    catalog_revision = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    valid_until = serializers.DateTimeField()


class UsageSerializer(serializers.Serializer[Any]):
    """Tokens sent against tokens of the whole catalog."""

    snapshot_tokens = serializers.IntegerField()
    catalog_tokens = serializers.IntegerField()
    saved_percent = serializers.FloatField()
    tokenizer = serializers.CharField()
    catalog_tools = serializers.IntegerField()


class ResolveAnswerSerializer(serializers.Serializer[Any]):
    """The answer of resolve."""

    snapshot = SnapshotSerializer()
    unchanged = serializers.BooleanField()
    request = serializers.DictField(required=False)
    tools = serializers.ListField(child=serializers.DictField(), required=False)
    system_prompt = serializers.JSONField(required=False, allow_null=True)
    messages = serializers.ListField(child=serializers.JSONField(), required=False, allow_null=True)
    tool_names = serializers.ListField(child=serializers.CharField())
    groups = GroupAnswerSerializer(many=True)
    active_tools = serializers.ListField(child=serializers.CharField())
    omitted = OmissionSerializer(many=True)
    name_map = serializers.DictField(child=serializers.CharField())
    argument_maps = serializers.DictField(child=serializers.DictField())
    usage = UsageSerializer()
    notices = NoticeSerializer(many=True)
    explanation = serializers.JSONField(allow_null=True)


class FoundToolSerializer(serializers.Serializer[Any]):
    """One hit."""

    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    category = serializers.CharField(allow_null=True)
    tags = serializers.ListField(child=serializers.CharField())
    score = serializers.FloatField()
    matched_on = serializers.ListField(child=serializers.CharField())
    exported_name = serializers.CharField(required=False)


class SearchAnswerSerializer(serializers.Serializer[Any]):
    """The answer of search."""

    names = serializers.ListField(child=serializers.CharField())
    results = FoundToolSerializer(many=True)
    outcome = serializers.ChoiceField(["found", "no_match"])
    hint = serializers.CharField(allow_null=True)
    notices = NoticeSerializer(many=True)
    explanation = serializers.JSONField(required=False)


class AvailabilityAnswerSerializer(serializers.Serializer[Any]):
    """Whether one tool would be there."""

    available = serializers.BooleanField()
    reason = serializers.ChoiceField([reason.value for reason in Reason])
    retryable = serializers.BooleanField()
    detail = serializers.CharField()
    notices = NoticeSerializer(many=True)
