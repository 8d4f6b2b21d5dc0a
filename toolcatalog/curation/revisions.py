"""Writes the immutable states of tools and groups."""

from __future__ import annotations

from django.db.models import Max
from django.utils import timezone

from toolcatalog.contract.json import JsonObject, hash_json
from toolcatalog.models import Revision, Tool, ToolGroup

from .transactions import Author

SEEN_BY_MODELS = ("name", "title", "description", "parameters", "output_schema", "annotations")
"""The parts of a tool that its hash covers: what a model can be told."""


def hash_tool(content: JsonObject) -> bytes:
    """The hash of a tool's revision: over what models can be told, so that a note changes it as little as an order."""
    return hash_json({key: content.get(key) for key in SEEN_BY_MODELS})


def make_revision(thing: Tool | ToolGroup, content: JsonObject, author: Author) -> Revision:
    """The revision that the thing's `revision` and `sha256` name, not written yet."""
    return Revision(
        kind=_kind_of(thing),
        object_id=thing.pk,
        owner_id=thing.owner_id,
        name=thing.name,
        number=thing.revision,
        version=str(content.get("version", "")),
        content=content,
        sha256=thing.sha256,
        author=author.name,
        reason=author.reason,
    )


def keep_group_revision(group: ToolGroup, content: JsonObject, author: Author) -> bool:
    """Write the group's present state as its next revision and point to it; False when nothing changed."""
    earlier = Revision.objects.filter(kind=Revision.Kind.GROUP, object_id=group.pk)
    last = earlier.filter(number=group.revision).first()
    if last is not None and hash_json(last.content) == hash_json(content):
        return False
    group.revision = (earlier.aggregate(last=Max("number"))["last"] or 0) + 1
    group.sha256, group.updated_at = hash_json(content), timezone.now()
    group.save(update_fields=["revision", "sha256", "updated_at"])
    make_revision(group, content, author).save()
    return True


def keep_tombstone(thing: Tool | ToolGroup, content: JsonObject, author: Author) -> None:
    """Write the last state of something that is about to be deleted, so that it can be had back."""
    earlier = Revision.objects.filter(kind=_kind_of(thing), object_id=thing.pk)
    tombstone = make_revision(thing, content, author)
    tombstone.number = (earlier.aggregate(last=Max("number"))["last"] or 0) + 1
    tombstone.status = Revision.Status.DELETED
    tombstone.save()


def _kind_of(thing: Tool | ToolGroup) -> Revision.Kind:
    return Revision.Kind.TOOL if isinstance(thing, Tool) else Revision.Kind.GROUP
