"""Where a local reference leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from .keywords import Schema, iterate_children

REFERENCES = ("$ref", "$dynamicRef")
"""In one document without others around it, a dynamic reference leads where a plain one to the same anchor does."""

_ANCHORS = ("$anchor", "$dynamicAnchor")


@dataclass(frozen=True, slots=True)
class Place:
    """A schema, and the resource it is part of: the whole document, or the nearest schema with an `$id` around it."""

    schema: Schema
    resource: Schema


def opens_resource(node: Schema) -> bool:
    """Whether references inside `node` are meant from there on: it has an `$id` that is more than an anchor."""
    identifier = node.get("$id")
    return isinstance(identifier, str) and not identifier.startswith("#")


class References:
    """Where the references of one document lead. Each is looked up once."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, str], Place | None] = {}
        self._anchors: dict[int, dict[str, Schema]] = {}

    def resolve(self, ref: str, resource: Schema) -> Place | None:
        """The schema that `ref` names inside `resource`; None when it is not there, or outside this document.

        Where nothing but another reference stands, that one is followed; a circle of such leads nowhere.
        """
        followed: dict[tuple[int, str], None] = {}
        key = (id(resource), ref)
        while key not in self._places and key not in followed:
            followed[key] = None
            place = self._find(ref, resource)
            if place is None or place.schema.keys() != {"$ref"}:
                self._places[key] = place
                break
            ref, resource = place.schema["$ref"], place.resource
            key = (id(resource), ref)
        end = self._places.get(key)
        self._places.update(dict.fromkeys(followed, end))
        return end

    def _find(self, ref: str, resource: Schema) -> Place | None:
        if not ref.startswith("#"):
            return None
        fragment = unquote(ref[1:], errors="replace")
        if not fragment or fragment.startswith("/"):
            return _follow(resource, fragment)
        anchors = self._anchors.get(id(resource))
        if anchors is None:
            anchors = self._anchors[id(resource)] = _collect_anchors(resource)
        return Place(anchors[fragment], resource) if fragment in anchors else None


def _collect_anchors(resource: Schema) -> dict[str, Schema]:
    anchors: dict[str, Schema] = {}
    for node in _iterate_resource(resource):
        for keyword in _ANCHORS:
            if keyword in node:
                anchors.setdefault(node[keyword], node)
    return anchors


def _iterate_resource(resource: Schema) -> Iterator[Schema]:
    pending = [resource]
    while pending:
        node = pending.pop()
        if node is resource or not opens_resource(node):
            yield node
            pending.extend(iterate_children(node))


def _follow(resource: Schema, pointer: str) -> Place | None:
    node: Any = resource
    for token in pointer.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and step in node:
            node = node[step]
        elif isinstance(node, list) and step.isascii() and step.isdecimal() and len(step) < 6 and int(step) < len(node):
            node = node[int(step)]
        else:
            return None
        if isinstance(node, dict) and opens_resource(node):
            resource = node
    return Place(node, resource) if isinstance(node, dict) else None
