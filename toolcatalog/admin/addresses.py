"""Addresses of pages about things of the catalog, and what Django knows of their models."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString


def model_name(model: Model | type[Model]) -> str:
    """The model's name as addresses and rights have it, such as `toolgroup`."""
    return str(model._meta.model_name)  # noqa: SLF001  # Django's documented way


def model_field(model: type[Model], name: str) -> Any:
    """The field of this name."""
    return model._meta.get_field(name)  # noqa: SLF001  # Django's documented way


def model_fields(model: type[Model]) -> tuple[Any, ...]:
    """The fields that are columns."""
    return tuple(model._meta.concrete_fields)  # noqa: SLF001  # Django's documented way


def change_url(thing: Model) -> str:
    """The address of a thing's page."""
    return reverse(f"admin:toolcatalog_{model_name(thing)}_change", args=[thing.pk])


def link_to(thing: Model | None, words: str = "") -> SafeString | str:
    """A link to the page of a thing; a dash where there is none."""
    if thing is None:
        return "—"
    return format_html('<a class="tc-link" href="{}">{}</a>', change_url(thing), words or str(thing))
