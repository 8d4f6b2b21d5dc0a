"""Filters of lists: what cannot be read is an error, never an empty list."""

from __future__ import annotations

from typing import Any, TypeVar

import django_filters
from django.db.models import Model, QuerySet
from rest_framework.request import Request

from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import describe_bad_text

ModelType = TypeVar("ModelType", bound=Model)
PAGING = frozenset({"cursor", "page_size", "ordering", "search", "owner", "format"})


def apply_filters(
    filter_class: type[django_filters.FilterSet], rows: QuerySet[ModelType], request: Request
) -> QuerySet[ModelType]:
    """The rows that the query string asks for. Raises InvalidInput for unknown filters and unreadable values."""
    errors = [
        FieldError(
            name, "unknown_filter", f"There is no filter “{name}”. Known are: {', '.join(filter_class.base_filters)}."
        )
        for name in request.query_params
        if name not in filter_class.base_filters and name not in PAGING
    ]
    for name, value in request.query_params.items():
        problem = describe_bad_text(str(value))
        if problem:
            errors.append(FieldError(name, "unstorable", f"The value {problem}."))
    if errors:
        raise InvalidInput(errors)
    filters: Any = filter_class(request.query_params, queryset=rows, request=request)
    if not filters.is_valid():
        raise InvalidInput(
            FieldError(name, "invalid", " ".join(str(message) for message in messages))
            for name, messages in filters.errors.items()
        )
    filtered: QuerySet[ModelType] = filters.qs
    return filtered
