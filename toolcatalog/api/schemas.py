"""Parts of the published schema that no view makes by itself."""

from __future__ import annotations

from functools import cache
from typing import Any

import django_filters
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from toolcatalog.curation import (
    CategorySerializer,
    GrantSerializer,
    GroupSerializer,
    ProfileSerializer,
    TagSerializer,
    ToolSerializer,
)
from toolcatalog.curation.strict_fields import StrictBooleanField

from .pages import DEFAULT_SIZE, LARGEST_SIZE

Shape = type[serializers.Serializer[Any]]


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


class StampsSerializer(serializers.Serializer[Any]):
    """What the server adds to an object. `owner` is the tenant's slug, or “shared”."""

    owner = serializers.CharField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ToolAnswerSerializer(ToolSerializer, StampsSerializer):
    """A tool as it is shown."""

    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # a field of that name
    revision = serializers.IntegerField()


class ToolGroupAnswerSerializer(GroupSerializer, StampsSerializer):
    """A tool group as it is shown; `restricts_access` as it works out."""

    restricts_access = StrictBooleanField()
    revision = serializers.IntegerField()


class ProfileAnswerSerializer(ProfileSerializer, StampsSerializer):
    """An agent profile as it is shown."""


class CategoryAnswerSerializer(CategorySerializer):
    """A category as it is shown."""

    owner = serializers.CharField()


class CategoryListedSerializer(CategoryAnswerSerializer):
    """A category in a list. `tool_count`: how many of the tools that the caller may have stand in it."""

    tool_count = serializers.IntegerField()


class TagAnswerSerializer(TagSerializer):
    """A tag as it is shown."""

    owner = serializers.CharField()


class TagListedSerializer(TagAnswerSerializer):
    """A tag in a list. `tool_count`: how many of the tools that the caller may have bear it."""

    tool_count = serializers.IntegerField()


class GrantAnswerSerializer(GrantSerializer):
    """A grant as it is shown."""

    id = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class WarningSerializer(serializers.Serializer[Any]):
    """Something that could be better. It never refuses a write."""

    path = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField()


class CatalogDocumentSerializer(serializers.Serializer[Any]):
    """A catalog document. Every section may be left out; `grants` are for shared objects, `profiles` for a tenant's."""

    version = serializers.ChoiceField([1])
    categories = CategorySerializer(many=True, required=False)
    tags = TagSerializer(many=True, required=False)
    tools = ToolSerializer(many=True, required=False)
    tool_groups = GroupSerializer(many=True, required=False)
    profiles = ProfileSerializer(many=True, required=False)
    grants = GrantSerializer(many=True, required=False)


class FindingSerializer(serializers.Serializer[Any]):
    """What a provider would not take of a tool as it stands, and what is sent instead.

    `length` and `limit` are set where something is too long for it.
    """

    provider = serializers.CharField()
    path = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField()
    fatal = serializers.BooleanField()
    length = serializers.IntegerField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True)


class PlannedRowSerializer(serializers.Serializer[Any]):
    """What is done with one row. `path` is its place in the document; `errors` have paths within the row."""

    path = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    action = serializers.ChoiceField(["create", "update", "unchanged", "invalid"])
    notes = serializers.ListField(child=serializers.CharField())
    errors = WarningSerializer(many=True)  # type: ignore[assignment]  # a field of that name
    findings = FindingSerializer(many=True)


class ActionCountsSerializer(serializers.Serializer[Any]):
    """How many rows have each action."""

    create = serializers.IntegerField()  # type: ignore[assignment]  # a field of that name
    update = serializers.IntegerField()  # type: ignore[assignment]  # a field of that name
    unchanged = serializers.IntegerField()
    invalid = serializers.IntegerField()


class ImportPlanSerializer(serializers.Serializer[Any]):
    """What was done with a catalog document, or would be."""

    applied = serializers.BooleanField()
    counts = ActionCountsSerializer()
    rows = PlannedRowSerializer(many=True)


@cache
def make_page(shape: Shape) -> Shape:
    """The shape of one page of a list."""
    fields = {
        "__doc__": "One page. `next` and `previous` are addresses.",
        "results": shape(many=True),
        "next": serializers.CharField(allow_null=True),
        "previous": serializers.CharField(allow_null=True),
    }
    return type(_rename(shape, "PageSerializer"), (serializers.Serializer,), fields)


@cache
def with_warnings(shape: Shape) -> Shape:
    """The shape of the answer of a write."""
    return type(
        _rename(shape, "WrittenSerializer"),
        (shape,),
        {"__doc__": shape.__doc__, "warnings": WarningSerializer(many=True)},
    )


def _rename(shape: Shape, ending: str) -> str:
    return shape.__name__.removesuffix("Serializer").removesuffix("Answer").removesuffix("Listed") + ending


def filter_parameters(filter_class: type[django_filters.FilterSet]) -> list[OpenApiParameter]:
    """The query parameters of a filtered, paged list."""
    described = [_describe_filter(name, each) for name, each in filter_class.base_filters.items()]
    size = OpenApiParameter("page_size", int, description=f"{DEFAULT_SIZE} unless asked; at most {LARGEST_SIZE}.")
    cursor = OpenApiParameter("cursor", description="From `next` or `previous` of an answer.")
    return [*described, cursor, size]


def _describe_filter(name: str, each: django_filters.Filter) -> OpenApiParameter:
    many = isinstance(each, django_filters.MultipleChoiceFilter)
    choices = [value for value, _ in each.extra.get("choices", ())]
    kind: Any = {"type": "string"}
    if isinstance(each, django_filters.IsoDateTimeFilter):
        kind["format"] = "date-time"
    if choices:
        kind["enum"] = choices
    shape = {"type": "array", "items": kind} if many else kind
    return OpenApiParameter(name, shape, description=str(each.label or ""), explode=many or None)
