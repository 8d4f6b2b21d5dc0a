"""Finds what a document names: own things first, then shared ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from django.db.models import F, Q
from django.utils.text import slugify

from toolcatalog.contract.errors import FieldError
from toolcatalog.models import Category, Tag, Tenant, Tool, ToolGroup
from toolcatalog.text import normalise_text

LabelType = TypeVar("LabelType", Category, Tag)


def find_or_make_label(model: type[LabelType], owner: Tenant | None, text: str) -> LabelType:
    """The owner's (else a shared) category or tag of this slug or title; an unknown one is created for the owner."""
    slug = make_label_slug(text)
    candidates = model.objects.filter(_visible(owner)).filter(
        Q(slug=text) | Q(slug=slug) | Q(title__iexact=text.strip())
    )
    found = candidates.order_by(F("owner").asc(nulls_last=True), "pk").first()
    if found is not None:
        return found
    title = "" if slug == text else text.strip()
    return model.objects.create(owner=owner, slug=slug, title=title)


def make_label_slug(text: str) -> str:
    """A slug that keeps letters of any script: `Mail Order` is `mail-order`, `天气` stays."""
    return slugify(normalise_text(text), allow_unicode=True)[:100] or "unnamed"


def find_tools(owner: Tenant | None, names: Sequence[str], path: str) -> tuple[list[Tool], list[FieldError]]:
    """The tools of these names, the owner's before shared ones, in order, with an error for each unknown name."""
    by_name: dict[str, Tool] = {}
    for tool in Tool.objects.filter(_visible(owner), name__in=names).order_by(F("owner").asc(nulls_first=True)):
        by_name[tool.name] = tool
    errors = [
        FieldError(f"{path}[{index}]", "unknown_tool", f"There is no tool “{name}”. Create it first, or mend the name.")
        for index, name in enumerate(names)
        if name not in by_name
    ]
    return [by_name[name] for name in dict.fromkeys(names) if name in by_name], errors


def find_groups(owner: Tenant, names: Sequence[str], path: str) -> tuple[list[ToolGroup], list[FieldError]]:
    """The groups of these names, the tenant's before shared ones, in order, with an error for each unknown name."""
    by_name: dict[str, ToolGroup] = {}
    for group in ToolGroup.objects.filter(_visible(owner), name__in=names).order_by(F("owner").asc(nulls_first=True)):
        by_name[group.name] = group
    errors = [
        FieldError(
            f"{path}[{index}]", "unknown_group", f"There is no group “{name}”. Create it first, or mend the name."
        )
        for index, name in enumerate(names)
        if name not in by_name
    ]
    return [by_name[name] for name in dict.fromkeys(names) if name in by_name], errors


def duplicates_in(names: Iterable[str], path: str) -> list[FieldError]:
    """An error for each name that a list holds more than once."""
    seen: set[str] = set()
    errors = []
    for index, name in enumerate(names):
        if name in seen:
            errors.append(FieldError(f"{path}[{index}]", "duplicate", f"“{name}” is listed twice. List it once."))
        seen.add(name)
    return errors


def _visible(owner: Tenant | None) -> Q:
    return Q(owner=None) if owner is None else Q(owner=owner) | Q(owner=None)
