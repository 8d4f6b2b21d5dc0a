"""A list filter that searches for a tenant, since there can be many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.contrib.admin import RelatedFieldListFilter as AutocompleteSelectFilter
else:
    from unfold.contrib.filters.admin import AutocompleteSelectFilter


class TenantFilter(AutocompleteSelectFilter):
    """By tenant (or owner)."""


def tenant_filter(field: str) -> Any:
    """The filter over a foreign key."""
    return (field, TenantFilter)
