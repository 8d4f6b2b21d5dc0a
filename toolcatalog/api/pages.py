"""Pages of lists: a cursor names the last row that was shown, so that a page stays where it is while rows are added."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

import orjson
from django.core.exceptions import ValidationError
from django.db.models import CharField, DateTimeField, Field, Model, Q, QuerySet, UUIDField
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import MAX_INTEGER, describe_bad_text, dump_json

Row = TypeVar("Row", bound=Model)

DEFAULT_SIZE = 50
LARGEST_SIZE = 200
UNREADABLE = (ValueError, TypeError, OverflowError, ValidationError)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows in order, and the addresses of the pages before and after; None where there is no such page."""

    rows: list[Row]
    next: str | None
    previous: str | None

    def answer(self, results: Sequence[Any]) -> dict[str, Any]:
        """The body of the answer, with the rows as they are shown."""
        return {"results": results, "next": self.next, "previous": self.previous}


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a list: the values of the ordering fields of one row, and on which side of it the page lies."""

    ordering: tuple[str, ...]
    backwards: bool
    values: tuple[Any, ...]

    @classmethod
    def read(cls, text: str, ordering: tuple[str, ...], model: type[Model]) -> Cursor:
        """The cursor that `write` wrote. Raises one of UNREADABLE for anything else."""
        written, backwards, values = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if tuple(written) != ordering or not isinstance(backwards, bool):
            raise ValueError(written)
        pairs = zip(ordering, values, strict=True)
        return cls(ordering, backwards, tuple(_parse(_find_field(model, name), value) for name, value in pairs))

    def write(self) -> str:
        """The cursor as one word for a query string."""
        return base64.urlsafe_b64encode(dump_json([self.ordering, self.backwards, self.values])).rstrip(b"=").decode()


def read_page(rows: QuerySet[Row], request: Request, ordering: Sequence[str]) -> Page[Row]:
    """The page that the query string asks for: `cursor`, and `page_size` (50, at most 200).

    `ordering` are names of fields that are never null, "-" before those that fall; the last must be unique.
    Raises InvalidInput.
    """
    order = tuple(ordering)
    size = read_page_size(request)
    cursor = read_cursor(request.query_params.get("cursor"), order, rows.model)
    backwards = cursor is not None and cursor.backwards
    sought = tuple(_flip(name) for name in order) if backwards else order
    if cursor is not None:
        rows = rows.filter(_beyond(sought, cursor.values))
    found = list(rows.order_by(*sought)[: size + 1])
    more = len(found) > size
    shown = found[:size][::-1] if backwards else found[:size]
    return Page(
        rows=shown,
        next=_link(request, order, shown[-1:], backwards=False) if more or backwards else None,
        previous=_link(request, order, shown[:1], backwards=True)
        if (more if backwards else cursor is not None)
        else None,
    )


def read_page_size(request: Request) -> int:
    """The size asked for; more than the most is the most. Raises InvalidInput."""
    text = request.query_params.get("page_size", str(DEFAULT_SIZE))
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) == 0:
        message = f"Write a whole number from 1 to {LARGEST_SIZE}."
        raise InvalidInput.single("page_size", "bad_page_size", message)
    return min(int(text), LARGEST_SIZE)


def read_cursor(text: str | None, ordering: tuple[str, ...], model: type[Model]) -> Cursor | None:
    """The cursor, if there is one. Raises InvalidInput for one that is not ours, or of a list in another order."""
    if text is None:
        return None
    try:
        cursor = Cursor.read(text, ordering, model)
    except UNREADABLE as error:
        message = "This cursor is not valid here. Take it from `next` or `previous` of an answer in the same order."
        raise InvalidInput.single("cursor", "bad_cursor", message) from error
    return cursor


def _find_field(model: type[Model], name: str) -> Field[Any, Any]:
    name = name.lstrip("-")
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)  # noqa: SLF001  # Django's documented way
    if not isinstance(field, Field):
        raise TypeError(f"{name} cannot order a list")
    return field


def _parse(field: Field[Any, Any], value: Any) -> Any:
    if isinstance(field, DateTimeField | UUIDField):
        parsed = field.to_python(value if isinstance(value, str) else None)
        if parsed is None or (isinstance(parsed, datetime) and parsed.tzinfo is None):
            raise ValueError(value)
        return parsed.astimezone(UTC) if isinstance(parsed, datetime) else parsed
    if isinstance(field, CharField):
        if not isinstance(value, str) or describe_bad_text(value):
            raise ValueError(value)
        return value
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_INTEGER:
        raise ValueError(value)
    return value


def _flip(name: str) -> str:
    return name.removeprefix("-") if name.startswith("-") else f"-{name}"


def _beyond(ordering: Sequence[str], values: Sequence[Any]) -> Q:
    """What comes after the row with these values. The outer bound on the first field is for its index."""
    condition = Q()
    equal = Q()
    for name, value in zip(ordering, values, strict=True):
        field, comparison = name.lstrip("-"), "lt" if name.startswith("-") else "gt"
        condition |= equal & Q(**{f"{field}__{comparison}": value})
        equal &= Q(**{field: value})
    first = ordering[0]
    bound = f"{first.lstrip('-')}__{'lte' if first.startswith('-') else 'gte'}"
    return Q(**{bound: values[0]}) & condition


def _link(request: Request, ordering: tuple[str, ...], edge: list[Row], *, backwards: bool) -> str | None:
    """The address of the page on one side of the row at the edge of this one."""
    if not edge:
        return None
    values = tuple(getattr(edge[0], name.lstrip("-")) for name in ordering)
    return replace_query_param(request.build_absolute_uri(), "cursor", Cursor(ordering, backwards, values).write())
