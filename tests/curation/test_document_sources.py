"""Catalog documents and sources: documents hold grants by source; only the operator's commands make sources."""

from __future__ import annotations

from typing import Any

import pytest

from tests.callbacks.conftest import Installer, installer
from tests.support import make_tenant, search
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import (
    Author,
    GrantDocument,
    export_document,
    import_document,
    render_tool,
    save_grant,
    sync_callbacks,
)
from toolcatalog.models import Category, Grant, Revision, Tag, Tenant, Tool, ToolSource

__all__ = ["installer"]

AUTHOR = Author("tests")
CODE = """
@tool(category="post", tags=["parcel"])
def letter_price(weight: int) -> int:
    "What a letter costs to send."
    return weight

@tool
def secret_rate() -> int:
    "The rate that only the post itself knows."
    return 1
"""


@pytest.fixture
def tenant(db: None, installer: Installer) -> Tenant:
    """A tenant that was granted a source, and denied one tool of it; the tools are published and edited."""
    installer.install(CODE, {"post.price": "letter_price", "post.rate": "secret_rate"})
    tenant = make_tenant("maple")
    sync_callbacks(None, AUTHOR)
    rows = [
        {**render_tool(tool), "status": "published", "keywords": {"zh": ["运费"]}}
        for tool in Tool.objects.select_related("category", "replaced_by")
    ]
    import_document(None, {"version": 1, "tools": rows}, AUTHOR, strict=True)
    save_grant(GrantDocument(tenant="maple", source=ToolSource.objects.get().slug, note="All of the post"))
    save_grant(GrantDocument(tenant="maple", effect="deny", tool="secret_rate"))
    return tenant


def empty_catalog() -> None:
    """As in a database in which only the tenants are there."""
    for model in (Grant, Revision, Tool, ToolSource, Category, Tag):
        model.objects.all().delete()


def case_I06_grant_by_source__sources_brought_in_first__exports_the_same(tenant: Tenant) -> None:
    document = export_document(None)
    assert [grant.get("source") for grant in document["grants"]] == ["callbacks", None]
    assert search(tenant, "letter price").names[0] == "letter_price"
    empty_catalog()
    sync_callbacks(None, AUTHOR)
    assert not search(tenant, "letter price").names
    plan = import_document(None, document, AUTHOR)
    assert plan.count("invalid") == 0
    assert export_document(None) == document
    assert search(tenant, "letter price").names[0] == "letter_price"
    assert "secret_rate" not in search(tenant, "secret_rate").names


def case_I06_grant_by_a_source_that_is_not_there__is_told_and_nothing_else_is_lost(tenant: Tenant) -> None:
    document = export_document(None)
    empty_catalog()
    strict = import_document(None, document, AUTHOR, strict=True)
    assert (strict.applied, Tool.objects.count()) == (False, 0)
    plan = import_document(None, document, AUTHOR)
    (row,) = [row for row in plan.rows if row.action == "invalid"]
    (error,) = row.errors
    assert (row.path, error.path, error.code) == ("grants[0]", "source", "unknown_source")
    assert "sync_callbacks" in error.message
    assert Grant.objects.count() == 1
    assert not search(tenant, "letter price").names
    sync_callbacks(None, AUTHOR)
    again = import_document(None, document, AUTHOR)
    assert (again.count("invalid"), again.count("create"), again.count("update")) == (0, 1, 0)
    assert export_document(None) == document
    assert search(tenant, "letter price").names[0] == "letter_price"


@pytest.mark.parametrize("sections", [{"sources": []}, {"sources": [{"slug": "time", "kind": "mcp"}]}])
def rel_T28_document_that_brings_a_source__is_refused(db: None, sections: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        import_document(None, {"version": 1, **sections}, AUTHOR)
    assert [(error.path, error.code) for error in refused.value.errors] == [("sources", "unknown_field")]


def rel_T28_document_that_names_a_tools_source__joins_it_to_none(tenant: Tenant) -> None:
    row = {"name": "clock", "execution": "mcp", "source": "callbacks", "status": "published"}
    plan = import_document(None, {"version": 1, "tools": [row]}, AUTHOR)
    assert plan.count("create") == 1
    assert Tool.objects.get(name="clock").source is None
