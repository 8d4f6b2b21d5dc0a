"""Filters of lists: what cannot be read is an error, never an empty list."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC
from typing import Any, TypeVar

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django_filters.fields import IsoDateTimeField
from rest_framework.request import Request

from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.json import describe_bad_text

Row = TypeVar("Row", bound=Model)
PAGING = ("cursor", "page_size")
_OFFSET = re.compile(r"(:\d\d(?:\.\d+)?) (\d\d:?\d\d)$", re.ASCII)
TRUTHS = {"true": True, "1": True, "false": False, "0": False}


class TruthFilter(django_filters.TypedChoiceFilter):
    """`true` or `false`. Anything else is an error; django-filter's own would take it for "no filter"."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, choices=[(word, word) for word in TRUTHS], coerce=TRUTHS.__getitem__, **kwargs)


class TimeField(IsoDateTimeField):
    """A time in UTC: the database takes offsets up to 16 hours only.

    A plus in an address is a blank, so a blank before an offset is a plus.
    """

    default_error_messages = {"invalid": "Write a time in ISO 8601, like 2026-01-31T09:00:00Z."}

    def to_python(self, value: Any) -> Any:
        moment = super().to_python(_OFFSET.sub(r"\1+\2", value) if isinstance(value, str) else value)
        try:
            return moment and moment.astimezone(UTC)
        except OverflowError as error:
            raise ValidationError("This time is out of range.", code="invalid") from error


class TimeFilter(django_filters.IsoDateTimeFilter):
    """A time in ISO 8601."""

    field_class = TimeField


def check_query(request: Request, known: Collection[str]) -> None:
    """Refuse query parameters that mean nothing here, and text that cannot be stored. Raises InvalidInput."""
    errors = []
    for name, values in request.query_params.lists():
        if name not in known:
            message = f"There is no parameter “{name}” here. Known are: {', '.join(known)}."
            errors.append(FieldError(_readable(name), "unknown_filter", message))
        problem = next(filter(None, map(describe_bad_text, [name, *values])), None)
        if problem:
            errors.append(FieldError(_readable(name), "unstorable", f"The value {problem}."))
    if errors:
        raise InvalidInput(errors)


def _readable(name: str) -> str:
    return name[:100]


def read_truth(request: Request, name: str) -> bool:
    """A query parameter that is true or false; false without it. Raises InvalidInput."""
    text = request.query_params.get(name, "false")
    if text not in TRUTHS:
        raise InvalidInput.single(name, "not_true_or_false", "Write true or false.")
    return TRUTHS[text]


def apply_filters(
    filter_class: type[django_filters.FilterSet], rows: QuerySet[Row], request: Request, *, beside: Iterable[str] = ()
) -> QuerySet[Row]:
    """The rows that the query string asks for; `beside` are other parameters that mean something.

    Raises InvalidInput for unknown parameters and unreadable values.
    """
    check_query(request, [*filter_class.base_filters, *PAGING, *beside])
    filters: Any = filter_class(request.query_params, queryset=rows, request=request)
    if not filters.is_valid():
        raise InvalidInput(
            FieldError(name, "invalid", " ".join(str(message) for message in messages))
            for name, messages in filters.errors.items()
        )
    filtered: QuerySet[Row] = filters.qs
    return filtered


def search_rows(rows: QuerySet[Row], request: Request, fields: Sequence[str]) -> QuerySet[Row]:
    """The rows that hold the text of `search` in one of the fields, in any letter case; no character is a wildcard."""
    text = request.query_params.get("search", "").strip()
    if not text:
        return rows
    condition = Q()
    for field in fields:
        condition |= Q(**{f"{field}__icontains": text})
    return rows.filter(condition)


def read_ordering(request: Request, allowed: Sequence[str], default: str) -> tuple[str, ...]:
    """The names in `ordering`, "-" before those that fall, and the primary key, so that no two rows are equal.

    Raises InvalidInput for a name that is not allowed.
    """
    names = [name.strip() for name in request.query_params.get("ordering", default).split(",")]
    plain = [name.removeprefix("-") for name in names]
    if not set(plain) <= set(allowed) or len(set(plain)) < len(plain):
        message = f"Order by {', '.join(allowed)}, with “-” before a name that falls, each once."
        raise InvalidInput.single("ordering", "bad_ordering", message)
    return (*names, "-pk" if names[0].startswith("-") else "pk")
