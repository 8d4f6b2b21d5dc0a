"""Lists: pages, filters, order, search, and how many queries they take."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from toolcatalog.api.pages import Cursor
from toolcatalog.curation import (
    Author,
    GroupDocument,
    ProfileDocument,
    ToolDocument,
    save_group,
    save_profile,
    save_tools,
)
from toolcatalog.models import Grant, Tenant, Tool

from .conftest import Api, MakeApi, codes_of

AUTHOR = Author("test")


def add_tools(owner: Tenant | None, *names: str, **fields: Any) -> None:
    documents = [(ToolDocument(name, **fields), None) for name in names]
    assert not any(tried.errors for tried in save_tools(owner, documents, AUTHOR))


def follow(api: Api, link: str) -> dict[str, Any]:
    parts = urlsplit(link)
    answer = api.get(f"{parts.path.removeprefix('/api/v1')}?{parts.query}")
    assert answer.status_code == 200, answer.content
    page: dict[str, Any] = answer.json()
    return page


def case_T08_101_tools_at_50_a_page__50_50_1_and_no_next_link(curator: Api, maple: Tenant) -> None:
    add_tools(maple, *(f"t{number:03}" for number in range(101)))
    pages = [curator.get("/tools?page_size=50").json()]
    while pages[-1]["next"]:
        pages.append(follow(curator, pages[-1]["next"]))
        assert len(pages) < 5
    assert [len(page["results"]) for page in pages] == [50, 50, 1]
    assert pages[0]["previous"] is None
    names = [row["name"] for page in pages for row in page["results"]]
    assert names == [f"t{number:03}" for number in range(101)]

    back = follow(curator, pages[2]["previous"])
    assert back["results"] == pages[1]["results"]
    first = follow(curator, back["previous"])
    assert first["results"] == pages[0]["results"]
    assert first["previous"] is None
    assert follow(curator, first["next"])["results"] == pages[1]["results"]


@pytest.mark.parametrize("ordering", ["status", "-status,title", "title,-created_at", "-updated_at"])
def case_T08_rows_inserted_meanwhile__none_twice_and_none_lost(curator: Api, maple: Tenant, ordering: str) -> None:
    """Every row has the same title and status: only the last field tells them apart."""
    add_tools(maple, *(f"t{number}" for number in range(25)), title="Same")
    seen: list[str] = []
    page = curator.get(f"/tools?page_size=10&ordering={ordering}").json()
    for number in range(3):
        seen += [row["name"] for row in page["results"]]
        add_tools(maple, f"new{number}", title="Same")
        if page["next"]:
            page = follow(curator, page["next"])
    assert len(set(seen)) == len(seen)
    assert {f"t{number}" for number in range(25)} <= set(seen)


@pytest.mark.parametrize("size", ["0", "-1", "x", "1.5", "", "١", "9" * 30])
def test_page_size__no_positive_number__refused(curator: Api, size: str) -> None:
    assert codes_of(curator.get(f"/tools?page_size={size}")) == {"page_size": "bad_page_size"}


def test_page_size__more_than_the_most__is_the_most(curator: Api, maple: Tenant) -> None:
    add_tools(maple, *(f"t{number}" for number in range(205)))
    assert len(curator.get("/tools?page_size=100000").json()["results"]) == 200


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "%00",
        "é",
        "W10",
        "bnVsbA",
        Cursor(("name", "pk"), False, (1, "a")).write(),
        Cursor(("name", "pk"), False, ("a",)).write(),
        Cursor(("title", "pk"), False, ("a", 1)).write(),
        Cursor(("name", "pk"), False, ("a\0", 1)).write(),
        Cursor(("name", "pk"), False, ("a", True)).write(),
        "W1sibmFtZSIsICJwayJdLCBmYWxzZSwgWyJhIiwgMWU0MF1d",
    ],
)
def test_cursor__not_ours_or_of_another_order__refused(curator: Api, cursor: str) -> None:
    assert list(codes_of(curator.get(f"/tools?cursor={cursor}"))) == ["cursor"]


@pytest.mark.parametrize(
    ("ordering", "names"),
    [
        ("name", "abc"),
        ("-name", "cba"),
        ("title", "bca"),
        ("-title,name", "acb"),
        ("status,name", "bac"),
        ("created_at", "abc"),
    ],
)
def test_ordering__allowed_names__in_that_order(curator: Api, maple: Tenant, ordering: str, names: str) -> None:
    add_tools(maple, "a", title="z")
    add_tools(maple, "b", title="x", status="draft")
    add_tools(maple, "c", title="y")
    assert curator.names(f"/tools?ordering={ordering}") == list(names)


@pytest.mark.parametrize("ordering", ["id", "owner__text_salt", "name,name", "name,-name", "", "--name", "category"])
def test_ordering__other_names__refused(curator: Api, ordering: str) -> None:
    assert codes_of(curator.get(f"/tools?ordering={ordering}")) == {"ordering": "bad_ordering"}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("name=mail_send", ["mail_send"]),
        ("category=mail", ["mail_read", "mail_send"]),
        ("tag=urgent", ["mail_send"]),
        ("status=draft", ["mail_read"]),
        ("status=draft&status=published", ["mail_read", "mail_send", "maps"]),
        ("execution=callback", ["maps"]),
        ("callback=maps.find", ["maps"]),
        ("searchable=false", ["maps"]),
        ("searchable=1", ["mail_read", "mail_send"]),
        ("version=2", ["maps"]),
        ("group=post", ["mail_send"]),
        ("updated_since=2999-01-01T00:00:00Z", []),
        ("updated_since=0398-12-06T03:02:09%2B23:32", ["mail_read", "mail_send", "maps"]),
        ("source=none", []),
        ("category=mail&status=published", ["mail_send"]),
        ("search=MAIL_", ["mail_read", "mail_send"]),
        ("search=%25", []),
        ("search=_", ["mail_read", "mail_send"]),
        ("search=100%25", []),
        ("search=landkarte", ["maps"]),
        ("owner=maple", ["mail_read", "mail_send", "maps"]),
        ("owner=shared", []),
        ("search=", ["mail_read", "mail_send", "maps"]),
    ],
)
def test_filters__narrow_the_list__wildcards_are_letters(
    curator: Api, maple: Tenant, query: str, names: list[str]
) -> None:
    add_tools(maple, "mail_send", category="mail", tags=("urgent", "x"))
    add_tools(maple, "mail_read", category="mail", status="draft")
    add_tools(
        maple, "maps", execution="callback", callback="maps.find", searchable=False, version="2", title="Landkarte"
    )
    curator.post("/tool-groups", {"name": "post", "tools": ["mail_send"]})
    assert curator.names(f"/tools?{query}") == names


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("searchable=yes", "searchable"),
        ("status=live", "status"),
        ("execution=x", "execution"),
        ("nmae=x", "nmae"),
        ("updated_since=yesterday", "updated_since"),
        ("updated_since=0001-01-01T00:00:00%2B23:00", "updated_since"),
        ("name=a%00b", "name"),
        ("search=%00", "search"),
        ("owner__slug=x", "owner__slug"),
        ("a%00=1", "a\0"),
        ("status=draft&status=%00", "status"),
    ],
)
def test_filters__unknown_or_unreadable__refused_and_never_an_empty_list(curator: Api, query: str, path: str) -> None:
    assert path in codes_of(curator.get(f"/tools?{query}"))


def test_lists__more_rows__not_more_queries(maple: Tenant, make_api: MakeApi) -> None:
    api = make_api(maple, "curate", "manage")
    lists = [
        "tools",
        "categories",
        "tags",
        "tool-groups",
        "profiles",
        "grants",
        "tools?owner=shared",
        "tags?owner=shared",
    ]
    fill_catalog(maple, 2)
    few = {path: count_queries(api, path) for path in lists}
    fill_catalog(maple, 9)
    many = {path: count_queries(api, path) for path in lists}
    assert few == many
    assert max(many.values()) <= 6, many


def count_queries(api: Api, path: str) -> int:
    """Queries of the second call: the first reads the compiled catalog of a new revision."""
    assert len(api.get(f"/{path}").json()["results"]) >= 2
    with CaptureQueriesContext(connection) as queries:
        api.get(f"/{path}")
    return len(queries)


def fill_catalog(tenant: Tenant, size: int) -> None:
    """Tools that stand in as many categories, tags, groups and profiles, and as many shared ones with their grants."""
    for name in [f"{size}x{number}" for number in range(size)]:
        add_tools(tenant, f"own{name}", category=f"c{name}", tags=(f"t{name}", "all"))
        add_tools(None, f"shared{name}", category=f"s{name}", tags=(f"u{name}", "every"))
        Grant.objects.create(tenant=tenant, tool=Tool.objects.get(name=f"shared{name}"))
        save_group(tenant, GroupDocument(f"g{name}", tools=(f"own{name}", f"shared{name}")), AUTHOR)
        save_profile(tenant, ProfileDocument(f"p{name}", resident_tools=(f"own{name}",), groups=(f"g{name}",)))
