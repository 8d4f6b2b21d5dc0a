"""Reads JSON and YAML documents from untrusted places into plain JSON values, within limits (T32)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson
import yaml

from .errors import UnreadableDocument

MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
MAX_NODES = 2_000_000
"""How many values a YAML document may stand for, once every alias is written out."""
MAX_DEPTH = 200


def parse_document(content: bytes) -> Mapping[str, Any]:
    """The document, whose root is an object. JSON is told from YAML by its first character.

    Aliases of YAML become the same object, never copies of it. Raises UnreadableDocument.
    """
    if len(content) > MAX_DOCUMENT_BYTES:
        limit = MAX_DOCUMENT_BYTES // 1024**2
        raise UnreadableDocument(f"The document has {len(content):,} bytes; {limit} MB is the most.")
    text = content.removeprefix(b"\xef\xbb\xbf")
    document = _parse_json(text) if text.lstrip()[:1] == b"{" else _parse_yaml(text)
    if not isinstance(document, Mapping):
        raise UnreadableDocument("The document is not an object.")
    return document


def _parse_json(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UnreadableDocument(f"The document cannot be read as JSON: {error}") from error


def _parse_yaml(text: bytes) -> Any:
    try:
        root = _Loader(text).get_single_node()
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UnreadableDocument(f"The document cannot be read as YAML: {error}") from error
    _Measure().check(root)
    return _Builder().build(root)


class _Loader(yaml.CSafeLoader):
    """Takes only the words of YAML 1.2's core schema for something else than text: `no` and dates stay text."""

    yaml_implicit_resolvers: dict[Any, Any] = {}


def _is_number(text: str, read: Callable[[str], object]) -> bool:
    """Digits as people write them: no underscores, blanks or words such as "nan", which Python would take."""
    if not text.strip("+-.0123456789eE") and any(character.isdecimal() for character in text):
        try:
            read(text)
        except ValueError:
            return False
        return True
    return False


def _read_scalar(node: yaml.ScalarNode) -> Any:
    text: str = node.value
    if node.style in {"'", '"', "|", ">"}:
        return text
    if text in {"", "~", "null", "Null", "NULL"}:
        return None
    if text in {"true", "True", "TRUE", "false", "False", "FALSE"}:
        return text.lower() == "true"
    if _is_number(text, int) and len(text) <= 30:
        return int(text)
    return float(text) if _is_number(text, float) else text


class _Measure:
    """Counts what a graph of YAML nodes stands for, without building it."""

    def __init__(self) -> None:
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()

    def check(self, root: yaml.Node | None) -> None:
        """Raises UnreadableDocument for a graph that is too big, too deep, or contains itself."""
        if root is not None and self._count(root, 0) > MAX_NODES:
            raise UnreadableDocument(f"The document's aliases stand for more than {MAX_NODES:,} values.")

    def _count(self, node: yaml.Node, depth: int) -> int:
        if id(node) in self._sizes:
            return self._sizes[id(node)]
        if depth > MAX_DEPTH:
            raise UnreadableDocument(f"The document is nested more than {MAX_DEPTH} levels deep.")
        if id(node) in self._open:
            raise UnreadableDocument("An alias in the document stands inside what it names.")
        self._open.add(id(node))
        size = 1 + sum(self._count(child, depth + 1) for child in _children(node))
        self._open.discard(id(node))
        self._sizes[id(node)] = size
        return size


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


class _Builder:
    """Makes plain values of a measured graph."""

    def __init__(self) -> None:
        self._built: dict[int, Any] = {}

    def build(self, node: yaml.Node | None) -> Any:
        if node is None:
            return None
        if id(node) not in self._built:
            self._built[id(node)] = self._make(node)
        return self._built[id(node)]

    def _make(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.SequenceNode):
            return [self.build(child) for child in node.value]
        if isinstance(node, yaml.ScalarNode):
            return _read_scalar(node)
        merged: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for key, value in node.value:
            if key.value == "<<" and not key.style:
                self._merge(merged, value)
            else:
                own[str(key.value)] = self.build(value)
        return {**merged, **own}

    def _merge(self, merged: dict[str, Any], value: yaml.Node) -> None:
        """YAML's merge key; of several mappings the first that has a key gives it."""
        for part in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            built = self.build(part)
            if isinstance(built, dict):
                for key, child in built.items():
                    merged.setdefault(key, child)
