"""The catalog document from the command line: taken from a file, and printed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command

from tests.support import make_tenant
from toolcatalog.models import Tool

pytestmark = pytest.mark.django_db
DOCUMENT = {
    "version": 1,
    "categories": [{"slug": "orders", "title": "Orders"}],
    "tools": [{"name": "get_order", "description": "Says where an order is.", "category": "orders"}, {"name": "a b c"}],
    "tool_groups": [{"name": "order", "tools": ["get_order"], "matchers": [{"source": "message", "value": ["订单"]}]}],
}


def run(command: str, *arguments: str) -> str:
    printed = io.StringIO()
    call_command(command, *arguments, stdout=printed)
    return printed.getvalue()


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Writes a file and says where it is."""

    def make(content: Any) -> str:
        path = tmp_path / "document.json"
        path.write_bytes(content if isinstance(content, bytes) else orjson.dumps(content))
        return str(path)

    return make


@pytest.mark.parametrize("options", [(), ("--shared",)])
def test_import_catalog__no_tenant_is_named__the_objects_are_shared(write: Any, options: tuple[str, ...]) -> None:
    said = run("import_catalog", write(DOCUMENT), *options)
    assert "Done: 4 create" in said
    shared = Tool.objects.filter(owner=None)
    assert set(shared.values_list("name", "status")) == {("get_order", "draft"), ("a_b_c", "draft")}
    assert shared.count() == Tool.objects.count()


def case_I06_export_then_import_into_an_empty_catalog__the_same_export(write: Any) -> None:
    run("import_catalog", write(DOCUMENT), "--tenant", make_tenant("acme").slug)
    document = run("export_catalog", "--tenant", "acme")
    assert len(orjson.loads(document)["tools"]) == 2
    run("import_catalog", write(document.encode()), "--tenant", make_tenant("other").slug)
    assert run("export_catalog", "--tenant", "other") == document
    assert orjson.loads(run("export_catalog"))["tools"] == []


def test_import_catalog__dry_run__says_the_same_and_keeps_nothing(write: Any) -> None:
    said = run("import_catalog", write(DOCUMENT), "--dry-run")
    assert "create" in said
    assert "Not done: 4 create" in said
    assert not Tool.objects.exists()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"{", "cannot be read as JSON"),
        (b"\xff", "cannot be read as JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "cannot be read as JSON"),
        (b"[]", "object"),
        (b'{"version": 2}', "version"),
        (b'{"version": 1, "tools": 5}', "tools"),
    ],
)
def test_import_catalog__no_document__said_in_words(write: Any, content: bytes, part: str) -> None:
    with pytest.raises(CommandError, match=part):
        run("import_catalog", write(content))


def test_import_catalog__file_or_tenant_is_not_there__said_in_words(write: Any) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run("import_catalog", "nowhere.json")
    with pytest.raises(CommandError, match="no tenant “nobody”"):
        run("import_catalog", write(DOCUMENT), "--tenant", "nobody")


def test_import_catalog__strict_with_an_invalid_row__nothing_is_kept(write: Any) -> None:
    with pytest.raises(CommandError, match="Nothing was imported"):
        run("import_catalog", write({"version": 1, "tools": [{"name": "good"}, {"name": 5}]}), "--strict")
    assert not Tool.objects.exists()
