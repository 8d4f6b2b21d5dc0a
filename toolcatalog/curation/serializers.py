"""Reads the objects of the catalog document from JSON: types, choices and defaults.

What needs the catalog is checked later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from toolcatalog.conf import default_search_provider
from toolcatalog.contract.catalog import Disclosure, Effect, Execution, Policy, ToolStatus
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import MatcherRow
from toolcatalog.contract.tools import NO_PARAMETERS

from .documents import (
    GrantDocument,
    GroupDocument,
    LabelDocument,
    ProfileDocument,
    SearchDocumentSettings,
    ToolDocument,
)
from .references import make_label_slug
from .strict_fields import (
    AnyField,
    KnownFieldsSerializer,
    ObjectField,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictFloatField,
    StrictIntegerField,
    StrictListField,
)
from .validation import check_storable, raise_if_any

STAMPS = frozenset({"id", "owner", "revision", "created_at", "updated_at", "warnings", "tool_count"})
TOOL_STATUSES = [status.value for status in ToolStatus]
GROUP_STATUSES = [status.value for status in ToolStatus if status is not ToolStatus.DEPRECATED]


def _text(
    *, required: bool = False, null: bool = False, default: str | None = "", longest: int | None = None
) -> StrictCharField:
    if required:
        return StrictCharField(max_length=longest)
    return StrictCharField(required=False, allow_blank=True, allow_null=null, default=default, max_length=longest)


def _texts(*, longest: int | None = None, **kwargs: Any) -> StrictListField:
    return StrictListField(child=StrictCharField(max_length=longest), **kwargs)


class CategorySerializer(KnownFieldsSerializer):
    """A category."""

    read_only_keys = STAMPS
    slug = _text(required=True, longest=100)
    title = _text(longest=200)
    description = _text()


class TagSerializer(KnownFieldsSerializer):
    """A tag."""

    read_only_keys = STAMPS
    slug = _text(required=True, longest=100)
    title = _text(longest=200)


class ToolSerializer(KnownFieldsSerializer):
    """A tool."""

    read_only_keys = STAMPS | {"source"}
    name = StrictCharField(allow_blank=True)
    title = _text(longest=200)
    description = _text(longest=4096)
    category = _text(null=True, default=None, longest=100)
    tags = _texts(required=False, default=list, longest=100)
    keywords = ObjectField(required=False, default=dict)
    parameters = AnyField(required=False, allow_null=True, default=lambda: dict(NO_PARAMETERS))
    output_schema = AnyField(required=False, allow_null=True, default=None)
    annotations = ObjectField(required=False, default=dict)
    metadata = ObjectField(required=False, default=dict)
    version = StrictCharField(required=False, default="1.0", max_length=64)
    replaced_by = _text(null=True, default=None)
    execution = StrictChoiceField([value.value for value in Execution], required=False, default=Execution.CLIENT.value)
    callback = _text(null=True, default=None, longest=200)
    searchable = StrictBooleanField(required=False, default=True)
    status = StrictChoiceField(TOOL_STATUSES, required=False, default=ToolStatus.PUBLISHED.value)


class MatcherSerializer(KnownFieldsSerializer):
    """One condition of a group."""

    condition_set = StrictIntegerField(required=False, default=1, min_value=0, max_value=32_767)
    source = StrictCharField(max_length=20)  # type: ignore[assignment]  # a field of that name
    attribute = _text(null=True, default=None, longest=200)
    operator = StrictCharField(required=False, default="contains_any", max_length=20)
    value = AnyField(required=False, allow_null=True, default=None)
    negate = StrictBooleanField(required=False, default=False)
    ignore_case = StrictBooleanField(required=False, allow_null=True, default=None)
    whole_word = StrictBooleanField(required=False, default=False)
    normalise = StrictBooleanField(required=False, allow_null=True, default=None)
    note = _text(longest=300)


class GroupSerializer(KnownFieldsSerializer):
    """A tool group."""

    read_only_keys = STAMPS
    name = StrictCharField(max_length=128)
    title = _text(longest=200)
    description = _text()
    system_prompt = _text()
    tools = _texts(required=False, default=list)
    position = StrictIntegerField(required=False, default=100)
    status = StrictChoiceField(GROUP_STATUSES, required=False, default=ToolStatus.PUBLISHED.value)
    match = _text(null=True, default=None, longest=100)
    match_params = ObjectField(required=False, default=dict)
    restricts_access = StrictBooleanField(required=False, allow_null=True, default=None)
    for_all_tenants = StrictBooleanField(required=False, default=False)
    matchers = MatcherSerializer(many=True, required=False, default=list)


class EnabledField(AnyField):
    """true, false or "groups"."""

    default_error_messages = {"invalid": 'Write true, false or "groups".'}

    def to_internal_value(self, data: Any) -> bool | str:
        if data not in (True, False, "groups") or isinstance(data, int) != isinstance(data, bool):
            self.fail("invalid")
        return data  # type: ignore[no-any-return]  # one of the three


class ProfileSearchSerializer(KnownFieldsSerializer):
    """How a profile searches."""

    enabled = EnabledField(required=False, default=True)
    provider = StrictCharField(required=False, default=default_search_provider, max_length=64)
    entry_tool = StrictCharField(required=False, default="toolSearch", max_length=64)
    default_results = StrictIntegerField(required=False, default=5, min_value=1, max_value=1000)
    max_results = StrictIntegerField(required=False, default=20, min_value=1, max_value=1000)
    min_score = StrictFloatField(required=False, allow_null=True, default=None, min_value=0, max_value=1)
    prefer_used = StrictBooleanField(required=False, default=False)
    categories = _texts(required=False, allow_null=True, default=None)
    tags = _texts(required=False, allow_null=True, default=None)
    exclude_tools = _texts(required=False, default=list)
    inline_below_tokens = StrictIntegerField(required=False, allow_null=True, default=None, min_value=0)
    system_prompt_suffix = _text(null=True, default=None)


class ProfileSerializer(KnownFieldsSerializer):
    """An agent profile."""

    read_only_keys = STAMPS
    slug = _text(required=True, longest=64)
    title = _text(longest=200)
    is_default = StrictBooleanField(required=False, default=False)
    resident_tools = _texts(required=False, default=list)
    groups = _texts(required=False, allow_null=True, default=None)
    search = ProfileSearchSerializer(required=False, default=dict)
    exposure_policy = StrictChoiceField([v.value for v in Policy], required=False, default=Policy.LATEST_TURN.value)
    disclosure = StrictChoiceField([v.value for v in Disclosure], required=False, default=Disclosure.INLINE.value)
    strict = StrictChoiceField(["off", "on"], required=False, default="off")
    versions = ObjectField(required=False, default=dict)
    default_model = _text(null=True, default=None, longest=100)
    max_tools = StrictIntegerField(required=False, default=128, min_value=1, max_value=10_000)
    execute_gate = StrictBooleanField(required=False, default=True)
    gate_hours = StrictIntegerField(required=False, default=24, min_value=0, max_value=10_000)
    valid_for_seconds = StrictIntegerField(required=False, default=60, min_value=0)


class GrantSerializer(KnownFieldsSerializer):
    """A grant of shared tools."""

    read_only_keys = STAMPS
    tenant = StrictCharField(max_length=64)
    effect = StrictChoiceField([value.value for value in Effect], required=False, default=Effect.ALLOW.value)
    tool = _text(null=True, default=None)
    category = _text(null=True, default=None)
    tag = _text(null=True, default=None)
    source = _text(null=True, default=None)  # type: ignore[assignment]  # a field of that name
    everything = StrictBooleanField(required=False, default=False)
    note = _text(longest=300)


def read_category(data: JsonValue) -> LabelDocument:
    """A category document from JSON. Raises InvalidInput with every finding."""
    return _read_label(CategorySerializer, data)


def read_tag(data: JsonValue) -> LabelDocument:
    """A tag document from JSON. Raises InvalidInput with every finding."""
    return _read_label(TagSerializer, data)


def _read_label(serializer_class: type[serializers.Serializer[Any]], data: JsonValue) -> LabelDocument:
    """A label with its slug as it is kept, so that a document finds what it made before."""
    fields = _read(serializer_class, data)
    slug = make_label_slug(fields["slug"], without="")
    if not slug:
        raise InvalidInput.single("slug", "bad_slug", "A slug needs a letter or a digit, like mail-order.")
    return LabelDocument(**{**fields, "slug": slug})


def read_tool(data: JsonValue) -> ToolDocument:
    """A tool document from JSON. Raises InvalidInput with every finding."""
    fields = _read(ToolSerializer, data)
    parameters = dict(NO_PARAMETERS) if fields["parameters"] is None else fields["parameters"]
    return ToolDocument(**{**fields, "tags": tuple(fields["tags"]), "parameters": parameters})


def read_group(data: JsonValue) -> GroupDocument:
    """A group document from JSON. Raises InvalidInput with every finding."""
    fields = _read(GroupSerializer, data)
    rows = tuple(MatcherRow(**{**row, "attribute": row["attribute"] or ""}) for row in fields["matchers"])
    return GroupDocument(**{**fields, "tools": tuple(fields["tools"]), "matchers": rows})


def read_profile(data: JsonValue) -> ProfileDocument:
    """A profile document from JSON. Raises InvalidInput with every finding."""
    fields = _read(ProfileSerializer, data)
    search = {**validate(ProfileSearchSerializer, {}), **fields["search"]}
    for name in ("categories", "tags"):
        search[name] = None if search[name] is None else tuple(search[name])
    search["exclude_tools"] = tuple(search["exclude_tools"])
    return ProfileDocument(
        **{
            **fields,
            "search": SearchDocumentSettings(**search),
            "resident_tools": tuple(fields["resident_tools"]),
            "groups": None if fields["groups"] is None else tuple(fields["groups"]),
        }
    )


def read_grant(data: JsonValue) -> GrantDocument:
    """A grant document from JSON. Raises InvalidInput with every finding."""
    return GrantDocument(**_read(GrantSerializer, data))


def _read(serializer_class: type[serializers.Serializer[Any]], data: JsonValue) -> dict[str, Any]:
    raise_if_any(check_storable(data))
    return validate(serializer_class, data)


def validate(serializer_class: type[serializers.Serializer[Any]], data: JsonValue) -> dict[str, Any]:
    """The validated fields of a JSON value. Raises InvalidInput with a JSON path for each finding."""
    try:
        return dict(_instance(serializer_class).run_validation(data))
    except serializers.ValidationError as error:
        raise_if_any(tuple(flatten_errors(error.detail)))
        raise


def field_names(serializer_class: type[serializers.Serializer[Any]]) -> Collection[str]:
    """The keys that this serializer knows."""
    return _instance(serializer_class).fields.keys()


@cache
def _instance(serializer_class: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """One serializer for all requests: making one copies every field, and validating changes nothing in it."""
    return serializer_class()


def flatten_errors(errors: Any, path: str = "") -> Iterable[FieldError]:
    """Serializer errors as a flat list with JSON paths."""
    if isinstance(errors, Mapping):
        for key, value in errors.items():
            where = path if key == "non_field_errors" else _extend(path, key)
            yield from flatten_errors(value, where)
    elif isinstance(errors, list):
        for index, value in enumerate(errors):
            yield from flatten_errors(value, path if isinstance(value, ErrorDetail) else f"{path}[{index}]")
    else:
        yield FieldError(path, str(getattr(errors, "code", None) or "invalid"), str(errors))


def _extend(path: str, key: object) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)
