"""Filters of lists, in the curators' words."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_time
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from toolcatalog.models import Tenant

from .words import Words

if TYPE_CHECKING:
    from django.contrib.admin import FieldListFilter as RangeDateTimeFilter
    from django.contrib.admin import SimpleListFilter as DropdownFilter
    from django.contrib.admin import SimpleListFilter as TextFilter
else:
    from unfold.contrib.filters.admin import DropdownFilter, RangeDateTimeFilter, TextFilter


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


def filter_text(parameter: str, heading: str | Promise, lookup: str, *, many: bool = False) -> type[TextFilter]:
    """A filter with a text box, that compares with one lookup; with `many` a list is compared."""

    class ExactTextFilter(TextFilter):
        title = heading  # type: ignore[assignment]  # a lazy string
        parameter_name = parameter

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            value = self.value()
            text = (value or "").replace("\x00", "")
            return queryset.filter(**{lookup: [text] if many else text}) if value else queryset

    return ExactTextFilter


OWNED = filter_conditions(
    "owned",
    _("ownership"),
    {"shared": (_("Shared"), {"owner__isnull": True}), "own": (_("Owned by a tenant"), {"owner__isnull": False})},
)
"""Shared things, or those of tenants."""


PERIODS = {
    "hour": (_("The last hour"), datetime.timedelta(hours=1)),
    "day": (_("The last 24 hours"), datetime.timedelta(days=1)),
    "week": (_("The last 7 days"), datetime.timedelta(days=7)),
    "month": (_("The last 30 days"), datetime.timedelta(days=30)),
}


class PeriodFilter(DropdownFilter):
    """By time, counted back from now."""

    title = _("period")
    parameter_name = "period"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """The periods."""
        return [(name, words) for name, (words, _length) in PERIODS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Only what is recent enough."""
        period = PERIODS.get(self.value() or "")
        if period is None:
            return queryset
        return queryset.filter(at__gte=datetime.datetime.now(datetime.UTC) - period[1])


class TenantNameFilter(TextFilter):
    """By tenant, whose slug is typed: what is recorded outlives its tenant, so that there is no list to choose from."""

    title = _("tenant (slug)")
    parameter_name = "tenant"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Only this tenant's."""
        value = self.value()
        if not value:
            return queryset
        return queryset.filter(tenant_id__in=list(Tenant.objects.filter(slug=value).values_list("pk", flat=True)))


class MomentsFilter(RangeDateTimeFilter):
    """From one moment to another. Where the time of day is left out, whole days are meant."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Only what lies between. What is no date is left aside."""
        since, until = (self._read(end) for end in ("from", "to"))
        if since is not None:
            queryset = queryset.filter(**{f"{self.field_path}__gte": since[0]})
        if until is not None:
            queryset = queryset.filter(**{f"{self.field_path}__lt": until[1]})
        return queryset

    def _read(self, end: str) -> tuple[datetime.datetime, datetime.datetime] | None:
        day, time = (str(self.used_parameters.get(f"{self.field_path}_{end}_{part}") or "") for part in (0, 1))
        return read_moment(day.strip(), time.strip())


def read_moment(day: str, time: str) -> tuple[datetime.datetime, datetime.datetime] | None:
    """The first moment that is meant, and the first one after it; None for what is no date."""
    try:
        known_day = parse_date(day)
        known_time = parse_time(time) if time else datetime.time.min
        if known_day is None or known_time is None:
            return None
        first = timezone.make_aware(datetime.datetime.combine(known_day, known_time))
        return first, first + (datetime.timedelta(seconds=1) if time else datetime.timedelta(days=1))
    except (ValueError, OverflowError):
        return None


AT_FILTER = ("at", MomentsFilter)
"""From one moment to another."""
