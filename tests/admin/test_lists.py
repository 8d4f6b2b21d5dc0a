"""Lists: the same number of queries however long they are, literal search, paging that reaches everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support import (
    grant,
    make_group,
    make_key,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    row,
    says,
    search,
)
from toolcatalog.curation import LabelDocument, save_label
from toolcatalog.models import Category, Tag, Tenant

from .pages import list_url


def _tools(tenant: Tenant, number: int) -> None:
    for index in range(number):
        make_tool(tenant, f"tool_{index}", "Does it.", category=f"c{index}", tags=(f"t{index}", "all"))


def _groups(tenant: Tenant, number: int) -> None:
    make_tool(tenant, "a")
    for index in range(number):
        make_group(tenant, f"g{index}", ["a"], says("x"), row("account_id", "exists", condition_set=2))


def _profiles(tenant: Tenant, number: int) -> None:
    make_tool(tenant, "a")
    make_group(tenant, "g")
    for index in range(number):
        make_profile(tenant, f"p{index}", resident_tools=("a",), groups=("g",))


def _grants(tenant: Tenant, number: int) -> None:
    for index in range(number):
        make_tool(None, f"s{index}", category=f"c{index}")
        grant(tenant, f"s{index}")
        grant(tenant, category=f"c{index}")


def _labels(model: Any) -> Callable[[Tenant, int], None]:
    def make(tenant: Tenant, number: int) -> None:
        for index in range(number):
            save_label(model, tenant, LabelDocument(f"l{index}"))
        make_tool(tenant, "a", category="l0", tags=("l0", "l1"))

    return make


def _tenants(_tenant: Tenant, number: int) -> None:
    for index in range(number):
        make_key(make_tenant(f"t{index}"))


def _keys(_tenant: Tenant, number: int) -> None:
    for index in range(number):
        make_key(make_tenant(f"t{index}"))


def _exposures(_tenant: Tenant, number: int) -> None:
    for index in range(number):
        resolve(make_tenant(f"t{index}"), "x")


def _sessions(tenant: Tenant, number: int) -> None:
    make_tool(tenant, "a")
    for index in range(number):
        search(tenant, "x", session_id=f"s{index}")


def _users(_tenant: Tenant, number: int) -> None:
    User.objects.bulk_create(User(username=f"u{index}") for index in range(number))


LISTS: dict[str, tuple[str, Callable[[Tenant, int], None]]] = {
    "tools": (list_url("tool"), _tools),
    "groups": (list_url("toolgroup"), _groups),
    "profiles": (list_url("agentprofile"), _profiles),
    "grants": (list_url("grant"), _grants),
    "categories": (list_url("category"), _labels(Category)),
    "tags": (list_url("tag"), _labels(Tag)),
    "tenants": (list_url("tenant"), _tenants),
    "keys": (list_url("apikey"), _keys),
    "exposures": (list_url("exposure"), _exposures),
    "revisions": (list_url("revision"), _tools),
    "sessions": (list_url("session"), _sessions),
    "users": ("/admin/auth/user/", _users),
    "overview": ("/admin/", _groups),
}


def _count(admin: Client, url: str) -> int:
    admin.get(url)
    with CaptureQueriesContext(connection) as queries:
        assert admin.get(url).status_code == 200
    return len(queries)


@pytest.mark.parametrize("name", LISTS)
def test_list__5_or_50_rows__as_many_queries(admin: Client, tenant: Tenant, name: str) -> None:
    url, make = LISTS[name]
    make(tenant, 5)
    few = _count(admin, url)
    make(make_tenant("second"), 45) if name not in {"tenants", "keys", "exposures", "users", "grants"} else _more(
        tenant, name
    )
    many = _count(admin, url)
    assert many == few
    assert many <= 20


def _more(tenant: Tenant, name: str) -> None:
    if name == "grants":
        for index in range(45):
            make_tool(None, f"more{index}")
            grant(tenant, f"more{index}")
    elif name == "users":
        User.objects.bulk_create(User(username=f"more{index}") for index in range(45))
    else:
        for index in range(45):
            other = make_tenant(f"more{index}")
            make_key(other)
            resolve(other, "x")


def case_S26_search_box__wildcards_are_letters(admin: Client, tenant: Tenant) -> None:
    for name in ("a_b", "axb", "plain"):
        make_tool(tenant, name, "10 % off" if name == "plain" else "Nothing.")
    for text, names in (("a_b", ["a_b"]), ("____", []), ("%", ["plain"]), ("'\"\\", []), ("a_b nothing", ["a_b"])):
        found = admin.get(list_url("tool"), {"q": text}).context["cl"].result_list
        assert [tool.name for tool in found] == names, text
        if text != "a_b nothing":
            picked = admin.get("/admin/pick/tool/", {"q": text, "owner": str(tenant.pk)}).json()["choices"]
            assert [choice["value"] for choice in picked] == names, text


def case_U06_101_tools__paging_reaches_all(admin: Client, tenant: Tenant) -> None:
    make_many_tools(tenant, [f"tool_{number:03}" for number in range(101)])
    seen = []
    for page in (1, 2, 3):
        changes = admin.get(list_url("tool"), {"p": page}).context["cl"]
        assert changes.result_count == 101
        seen += [tool.name for tool in changes.result_list]
    assert len(set(seen)) == 101


@pytest.mark.slow
def case_U01_ten_thousand_tools_and_500_groups__small_pages_few_queries(admin: Client, tenant: Tenant) -> None:
    from toolcatalog.models import Matcher, Tool, ToolGroup

    Tool.objects.bulk_create(
        Tool(owner=tenant, name=f"tool_{number}", description="Does it.") for number in range(10_000)
    )
    groups = ToolGroup.objects.bulk_create(
        ToolGroup(owner=tenant, name=f"group_{number}", match="rules") for number in range(500)
    )
    Matcher.objects.bulk_create(Matcher(group=group, value=["x"]) for group in groups)
    pages = [
        list_url("tool"),
        list_url("tool") + "?q=99",
        list_url("toolgroup"),
        f"/admin/toolcatalog/toolgroup/{groups[0].pk}/change/",
    ]
    for url in pages:
        assert _count(admin, url) <= 20, url
        assert len(admin.get(url).content) < 200_000, url


@pytest.mark.parametrize(
    "query",
    [{"status": "published"}, {"owned": "shared"}, {"lacks": "description"}, {"status": "'; --"}, {"owned": "x"}],
)
def test_filters__of_tools(admin: Client, tenant: Tenant, query: dict[str, str]) -> None:
    make_tool(tenant, "a")
    make_tool(None, "b", "Shared.", status="draft")
    found = {tool.name for tool in admin.get(list_url("tool"), query).context["cl"].result_list}
    wanted = {"published": {"a"}, "shared": {"b"}, "description": {"a"}}
    assert found == wanted.get(next(iter(query.values())), {"a", "b"} if "owned" in query else set())


def test_filter__by_tenant__searches_for_it(admin: Client, tenant: Tenant) -> None:
    make_tool(tenant, "a")
    make_tool(make_tenant("other"), "b")
    found = admin.get(list_url("tool"), {"owner__id__exact": tenant.pk}).context["cl"].result_list
    assert [tool.name for tool in found] == ["a"]
