"""Writes the immutable states of tools and groups."""

from __future__ import annotations

from django.db.models import Max
from django.utils import timezone

from toolcatalog.contract.json import JsonObject, hash_json
from toolcatalog.models import Revision, Tool, ToolGroup

from .transactions import Author

SEEN_BY_MODELS = ("name", "title", "description", "parameters", "output_schema", "annotations")
"""The parts of a tool that its hash covers: what a model can be told."""


def keep_revision(thing: Tool | ToolGroup, content: JsonObject, author: Author) -> Revision | None:
    """Write the thing's present state as its next revision and point to it; None when nothing changed.

    The hash of a tool covers what models are told, the hash of a group all of it.
    """
    kind = Revision.Kind.TOOL if isinstance(thing, Tool) else Revision.Kind.GROUP
    earlier = Revision.objects.filter(kind=kind, object_id=thing.pk)
    last = earlier.filter(number=thing.revision).first()
    if last is not None and hash_json(last.content) == hash_json(content):
        return None
    pinned = {key: content.get(key) for key in SEEN_BY_MODELS} if kind == Revision.Kind.TOOL else content
    revision = Revision.objects.create(
        kind=kind,
        object_id=thing.pk,
        owner_id=thing.owner_id,
        name=thing.name,
        number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
        version=str(content.get("version", "")),
        content=content,
        sha256=hash_json(pinned),
        author=author.name,
        reason=author.reason,
    )
    thing.revision, thing.sha256, thing.updated_at = revision.number, revision.sha256, timezone.now()
    thing.save(update_fields=["revision", "sha256", "updated_at"])
    return revision


def keep_tombstone(thing: Tool | ToolGroup, content: JsonObject, author: Author) -> None:
    """Write the last state of something that is about to be deleted, so that it can be had back."""
    kind = Revision.Kind.TOOL if isinstance(thing, Tool) else Revision.Kind.GROUP
    last = Revision.objects.filter(kind=kind, object_id=thing.pk).aggregate(last=Max("number"))["last"] or 0
    Revision.objects.create(
        kind=kind,
        object_id=thing.pk,
        owner_id=thing.owner_id,
        name=thing.name,
        number=last + 1,
        version=str(content.get("version", "")),
        content=content,
        sha256=hash_json(content),
        status=Revision.Status.DELETED,
        author=author.name,
        reason=author.reason,
    )
