"""What a replay answers, for the published schema."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from toolcatalog.contract.reasons import Reason

from .answer_schemas import NoticeSerializer

REASONS = [reason.value for reason in Reason]
Shape = serializers.Serializer[Any]


class NumbersSerializer(Shape):
    """A figure then and now."""

    then = serializers.IntegerField(allow_null=True)
    now = serializers.IntegerField(allow_null=True)


class AddedToolSerializer(Shape):
    """A tool that is shown today only."""

    name = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())


class RemovedSerializer(Shape):
    """What was there then only, and why it is not today."""

    name = serializers.CharField()
    reason = serializers.ChoiceField(REASONS)


class ChangedToolSerializer(Shape):
    """A tool that is shown then and now, and in what it differs."""

    name = serializers.CharField()
    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]  # a field of that name
    revision = NumbersSerializer()


class ChangedGroupSerializer(Shape):
    """A group that matches then and now, in another revision."""

    name = serializers.CharField()
    revision = NumbersSerializer()


class ToolDifferencesSerializer(Shape):
    """The tools that are sent, or found beside the list."""

    added = AddedToolSerializer(many=True)
    removed = RemovedSerializer(many=True)
    changed = ChangedToolSerializer(many=True)
    order_changed = serializers.BooleanField()
    deferred_added = serializers.ListField(child=serializers.CharField())
    deferred_removed = serializers.ListField(child=serializers.CharField())


class GroupDifferencesSerializer(Shape):
    """The groups that match."""

    added = serializers.ListField(child=serializers.CharField())
    removed = RemovedSerializer(many=True)
    changed = ChangedGroupSerializer(many=True)


class PromptDifferenceSerializer(Shape):
    """What the catalog adds to the system prompt."""

    changed = serializers.BooleanField()
    then = serializers.CharField(allow_blank=True)
    now = serializers.CharField(allow_blank=True)


class ReplayAnswerSerializer(Shape):
    """What the request of an exposure would be answered today."""

    exposure_id = serializers.UUIDField()
    same = serializers.BooleanField()
    catalog_revision = NumbersSerializer()
    tools = ToolDifferencesSerializer()
    groups = GroupDifferencesSerializer()
    system_prompt = PromptDifferenceSerializer()
    tokens = NumbersSerializer()
    notices = NoticeSerializer(many=True)
