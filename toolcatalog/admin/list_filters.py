"""Filters of lists, in the curators' words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .words import Words

if TYPE_CHECKING:
    from django.contrib.admin import SimpleListFilter as DropdownFilter
    from django.contrib.admin import SimpleListFilter as TextFilter
else:
    from unfold.contrib.filters.admin import DropdownFilter, TextFilter


def filter_words(field: str, heading: str | Promise, words: Words) -> type[DropdownFilter]:
    """A filter over a field with a closed list of values."""

    class WordFilter(DropdownFilter):
        title = heading  # type: ignore[assignment]  # a lazy string
        parameter_name = field

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
            return list(words.items())

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            value = self.value()
            return queryset.filter(**{field: value}) if value else queryset

    return WordFilter


def filter_conditions(
    parameter: str, heading: str | Promise, conditions: Mapping[str, tuple[str | Promise, Mapping[str, Any]]]
) -> type[DropdownFilter]:
    """A filter whose every choice is a condition on the rows: `{value: (words, lookups)}`."""

    class ConditionFilter(DropdownFilter):
        title = heading  # type: ignore[assignment]  # a lazy string
        parameter_name = parameter

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
            return [(value, words) for value, (words, _lookups) in conditions.items()]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            chosen = conditions.get(self.value() or "")
            return queryset.filter(**chosen[1]) if chosen else queryset

    return ConditionFilter


def filter_text(parameter: str, heading: str | Promise, lookup: str) -> type[TextFilter]:
    """A filter with a text box, that compares with one lookup."""

    class ExactTextFilter(TextFilter):
        title = heading  # type: ignore[assignment]  # a lazy string
        parameter_name = parameter

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            value = self.value()
            return queryset.filter(**{lookup: value.replace("\x00", "")}) if value else queryset

    return ExactTextFilter


OWNED = filter_conditions(
    "owned",
    _("ownership"),
    {"shared": (_("Shared"), {"owner__isnull": True}), "own": (_("Owned by a tenant"), {"owner__isnull": False})},
)
"""Shared things, or those of tenants."""
