"""Saves and deletes categories and tags, and keeps the index of their tools in step."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import ProtectedError

from toolcatalog.contract.errors import Conflict
from toolcatalog.models import Category, Tag, Tenant, Tool

from .documents import LabelDocument
from .indexing import index_tools
from .references import make_label_slug
from .transactions import editing
from .validation import check_storable, clean_row, raise_if_any

LabelType = TypeVar("LabelType", Category, Tag)


def save_label(
    model: type[LabelType], owner: Tenant | None, document: LabelDocument, *, label: LabelType | None = None
) -> LabelType:
    """Create the category or tag, or change the one given. Raises InvalidInput."""
    with editing():
        raise_if_any(check_storable({name: getattr(document, name) for name in document.__slots__}))
        row = model(owner=owner) if label is None else label
        row.slug = make_label_slug(document.slug)
        row.title = document.title
        if isinstance(row, Category):
            row.description = document.description
        raise_if_any(clean_row(row))
        row.save()
        index_tools(_tools_of(row))
    return row


def delete_label(label: Category | Tag) -> None:
    """Delete a category or tag; tools lose it.

    Raises Conflict while a grant names it: a deny must not vanish unseen.
    """
    with editing():
        tools = list(_tools_of(label))
        try:
            label.delete()
        except ProtectedError as error:
            raise Conflict("Grants name this. Delete or change them first.", code="in_use") from error
        index_tools(Tool.objects.filter(pk__in=[tool.pk for tool in tools]).select_related("category"))


def _tools_of(label: Category | Tag) -> list[Tool]:
    return list(label.tools.select_related("category").prefetch_related("tags"))
