"""Where a local `$ref` leads."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from .keywords import Schema, iterate_schemas


def resolve_ref(root: Schema, ref: str) -> Schema | None:
    """The schema that `ref` names inside `root`; None when it is not there, or outside this document."""
    if not ref.startswith("#"):
        return None
    fragment = unquote(ref[1:], errors="replace")
    if fragment and not fragment.startswith("/"):
        return next((node for node in iterate_schemas(root) if node.get("$anchor") == fragment), None)
    target = _follow(root, fragment)
    return target if isinstance(target, dict) else None


def _follow(root: Schema, pointer: str) -> Any:
    node: Any = root
    for token in pointer.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and step in node:
            node = node[step]
        elif isinstance(node, list) and step.isascii() and step.isdecimal() and len(step) < 6 and int(step) < len(node):
            node = node[int(step)]
        else:
            return None
    return node
