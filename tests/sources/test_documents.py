"""T32: documents that are small and stand for something huge, and documents that are odd."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from toolcatalog.sources import UnreadableDocument, read_openapi
from toolcatalog.sources.documents import MAX_DOCUMENT_BYTES, parse_document


def alias_bomb(item: str) -> bytes:
    """Ten times as much with each of ten lines."""
    lines = [f"a: &a {item}"]
    for number in range(1, 10):
        name, before = chr(97 + number), chr(96 + number)
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")
    return "\n".join(lines).encode()


def merge_bomb() -> bytes:
    lines = ["a: &a {k: 1}"]
    for number in range(1, 10):
        name, before = chr(97 + number), chr(96 + number)
        lines.append(f"{name}: &{name} {{<<: [{', '.join([f'*{before}'] * 10)}]}}")
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (alias_bomb("[x, x, x, x, x]"), "aliases stand for more than"),
        (merge_bomb(), "aliases stand for more than"),
        (b"a: &a [*a]", "inside what it names"),
        (b"a: " + b"[" * 900 + b"]" * 900, "nested more than 200"),
        (b"- " * 5000 + b"x", "cannot be read as YAML"),
        (b"[" * 100_000, "cannot be read as YAML"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "cannot be read as JSON"),
        (b"{" + b" " * MAX_DOCUMENT_BYTES, "MB is the most"),
        (b"- a list", "not an object"),
        (b"", "not an object"),
        (b"a: b: c", "cannot be read as YAML"),
        (b"a: \x00", "cannot be read as YAML"),
        (b"a: \xff", "cannot be read as YAML"),
    ],
)
def rel_T32_bombs_and_nonsense_are_refused(content: bytes, said: str) -> None:
    with pytest.raises(UnreadableDocument, match=said):
        parse_document(content)


def rel_T32_aliases_are_shared_not_copied() -> None:
    document = parse_document(b"a: &a {x: [1, 2]}\nb: *a\nc: {<<: *a, y: 3}\n")
    assert document["a"] is document["b"]
    assert document == {"a": {"x": [1, 2]}, "b": {"x": [1, 2]}, "c": {"x": [1, 2], "y": 3}}


def rel_T32_a_document_makes_no_objects(tmp_path: Any) -> None:
    trap = f"a: !!python/object/apply:os.mkdir ['{tmp_path}/made']\nb: !!python/name:os.system\nc: !!set {{x}}\n"
    document = parse_document(trap.encode())
    assert document["a"] == [f"{tmp_path}/made"]
    assert not list(tmp_path.iterdir())


def test_yaml__words_that_older_yaml_reads_otherwise__stay_text() -> None:
    document = parse_document(
        b"""
country: no
switch: [on, off, yes, true, False, null, ~, '']
day: 2026-01-02
time: 12:30:45
numbers: [1, -2, 3.5, 1e3, .5, 0x1F, 1_000, "7", 007]
200: response keys are text
"""
    )
    assert document["country"] == "no"
    assert document["switch"] == ["on", "off", "yes", True, False, None, None, ""]
    assert (document["day"], document["time"]) == ("2026-01-02", "12:30:45")
    assert document["numbers"] == [1, -2, 3.5, 1000.0, 0.5, "0x1F", "1_000", "7", 7]
    assert "200" in document


def test_json_and_yaml__same_document__same_values() -> None:
    value = {"a": [1, 2.5, None, True, "yes", {"b": "包裹"}], "c": "line\nline"}
    assert parse_document(yaml.safe_dump(value, allow_unicode=True).encode()) == value


def reference_bomb(levels: int = 12) -> bytes:
    """Each schema refers ten times to the next: under 3 KB stand for ten to the power of twelve schemas."""
    lines = []
    for level in range(levels):
        inner = ", ".join(f"{letter}: *r{level}" for letter in "abcdefghi")
        target = f"'#/components/schemas/s{level + 1}'"
        lines.append(f"  s{level}: {{type: object, properties: {{z: &r{level} {{$ref: {target}}}, {inner}}}}}")
    schemas = "\n".join([*(f"  {line}" for line in lines), f"    s{levels}: {{type: string}}"])
    body = "requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/s0'}}}}"
    return f"openapi: 3.1.0\npaths:\n  /x:\n    post: {{{body}}}\ncomponents:\n  schemas:\n{schemas}\n".encode()


def rel_T32_a_reference_bomb_is_refused_by_its_operation() -> None:
    bomb = reference_bomb()
    assert len(bomb) < 2600
    (tool,) = read_openapi(bomb).tools
    assert tool.errors[0].code == "too_many_references"


def rel_T32_too_many_operations_are_refused() -> None:
    paths = "\n".join(f"  /p{number}: {{get: {{}}}}" for number in range(5001))
    with pytest.raises(UnreadableDocument, match="more than 5,000 operations"):
        read_openapi(f"openapi: 3.1.0\npaths:\n{paths}\n".encode())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"swagger": "2.0", "paths": {}}', "Swagger 2.0"),
        (b'{"openapi": "2.0"}', "no OpenAPI 3 document"),
        (b'{"openapi": 3.1}', "no OpenAPI 3 document"),
        (b'{"asyncapi": "3.0.0"}', "no OpenAPI 3 document"),
        (b"hello", "not an object"),
    ],
)
def test_openapi__another_kind_of_document__said(content: bytes, said: str) -> None:
    with pytest.raises(UnreadableDocument, match=said):
        read_openapi(content)
