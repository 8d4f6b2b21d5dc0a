"""Parts of the published schema that no view makes by itself."""

from __future__ import annotations

from typing import Any

import django_filters
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers


class ExposureSerializer(serializers.Serializer[Any]):
    """One row of the audit."""

    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    kind = serializers.CharField()
    outcome = serializers.CharField()
    profile = serializers.CharField(allow_null=True)
    api_key = serializers.DictField(allow_null=True)
    account = serializers.CharField(allow_null=True)
    model = serializers.CharField(allow_null=True)
    conversation_id = serializers.CharField(allow_null=True)
    session_id = serializers.CharField(allow_null=True)
    correlation_id = serializers.CharField(allow_null=True)
    request_id = serializers.CharField()
    catalog_revision = serializers.IntegerField()
    digest = serializers.CharField()
    tool_names = serializers.ListField(child=serializers.CharField())
    groups = serializers.ListField(child=serializers.CharField())
    text_digest = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_null=True)


class ExposureDetailSerializer(ExposureSerializer):
    """One exposure with what was shown."""

    context = serializers.DictField()  # type: ignore[assignment]  # a field of that name
    snapshot = serializers.DictField()


class ExposurePageSerializer(serializers.Serializer[Any]):
    """A page of the audit."""

    results = ExposureSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


def filter_parameters(filter_class: type[django_filters.FilterSet]) -> list[OpenApiParameter]:
    """The query parameters of a filtered, paged list."""
    names = [*filter_class.base_filters, "cursor", "page_size"]
    return [OpenApiParameter(name, str, OpenApiParameter.QUERY, required=False) for name in names]
