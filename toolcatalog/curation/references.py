"""Finds what a document names: own things first, then shared ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from django.db.models import F, Q
from django.db.models.functions import Lower

from toolcatalog.contract.errors import FieldError
from toolcatalog.models import Category, Tag, Tenant, Tool, ToolGroup
from toolcatalog.text import normalise_text

LabelType = TypeVar("LabelType", Category, Tag)
_GAPS = re.compile("[- ]+")


def find_or_make_labels(model: type[LabelType], owner: Tenant | None, texts: Sequence[str]) -> dict[str, LabelType]:
    """For each text, the owner's (else a shared) category or tag of this slug or title; unknown ones are made.

    Two queries for any number of texts, three when some are made.
    """
    wanted = list(dict.fromkeys(texts))
    if not wanted:
        return {}
    words = {word for text in wanted for word in (text, make_label_slug(text), _title_key(text))}
    known: dict[str, LabelType] = {}
    candidates = model.objects.annotate(title_key=Lower("title")).filter(
        _visible(owner), Q(slug__in=words) | Q(title_key__in=words)
    )
    for label in candidates.order_by(F("owner").asc(nulls_first=True), "-pk"):
        known[_title_key(label.title)] = label
        known[label.slug] = label
    made = {}
    for text in wanted:
        slug = make_label_slug(text)
        if not known.keys() & {text, slug, _title_key(text)} and slug not in made:
            made[slug] = model(owner=owner, slug=slug, title="" if slug == text else text.strip()[:200])
    model.objects.bulk_create(made.values())
    known.update(made)
    return {text: _pick(known, text) for text in wanted}


def _pick(known: Mapping[str, LabelType], text: str) -> LabelType:
    return next(known[word] for word in (text, make_label_slug(text), _title_key(text)) if word in known)


def _title_key(text: str) -> str:
    return text.strip().lower()


def make_label_slug(text: str, *, without: str = "unnamed") -> str:
    """A slug that keeps letters of any script: `Mail Order` is `mail-order`, `天气` stays; `without` for none."""
    kept = "".join(sign for sign in normalise_text(text) if _may_stand(sign)).lower()
    slug = _GAPS.sub("-", kept)[:100].strip("-_")
    return slug if any(map(str.isalnum, slug)) else without


def _may_stand(sign: str) -> bool:
    """Letters and digits with the marks that belong to them: without its vowel signs a word of Hindi is another."""
    return sign.isalnum() or sign in "-_ " or unicodedata.category(sign).startswith("M")


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
