"""Takes over what a source says, field by field, where no curator wrote something else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolcatalog.contract.json import JsonValue, hash_json

RESTORABLE = ("title", "description", "parameters", "output_schema", "annotations", "version")
TRACKED = (*RESTORABLE, "origin")
"""The fields in which a source is followed; in all others curators have the only say once the tool is there."""


@dataclass(frozen=True, slots=True)
class Merge:
    """A tool's content with the source's news in it.

    `changed` are the fields that get a new value, `kept` those in which the source says something new too, but a
    curator's text stays.
    """

    content: dict[str, Any]
    changed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def merge_import(content: Mapping[str, Any], accepted: JsonValue, imported: JsonValue) -> Merge:
    """The content after taking over `imported`; what differs from `accepted`, the import it was based on, is curated.

    `content` is a tool as in the catalog document, in which `origin` is not told: the one of `accepted` counts.
    """
    base, news = _fields(accepted), _fields(imported)
    live = {**content, "origin": base.get("origin")}
    fresh = [field for field in TRACKED if field in news and not is_same(news[field], base.get(field))]
    fresh = [field for field in fresh if not is_same(news[field], live[field])]
    changed = tuple(field for field in fresh if is_same(live[field], base.get(field)))
    kept = tuple(field for field in fresh if field not in changed)
    return Merge({**content, **{field: news[field] for field in changed}}, changed, kept)


def find_curated(content: Mapping[str, Any], imported: JsonValue) -> tuple[str, ...]:
    """The fields whose text is not what the source says now: where “restore” would change something."""
    news = _fields(imported)
    return tuple(field for field in RESTORABLE if field in news and not is_same(content[field], news[field]))


def is_same(left: JsonValue, right: JsonValue) -> bool:
    """Whether two JSON values are equal, the order of keys aside."""
    return hash_json(left) == hash_json(right)


def _fields(imported: JsonValue) -> dict[str, Any]:
    return dict(imported) if isinstance(imported, Mapping) else {}
