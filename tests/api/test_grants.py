"""Grants over REST."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.models import Grant, Tenant

from .conftest import Api, codes_of, read_problem


@pytest.fixture(autouse=True)
def shared_things(manager: Api, maple: Tenant) -> None:
    manager.post("/tools?owner=shared", {"name": "weather", "category": "sky", "tags": ["air"]})
    manager.post("/tools?owner=shared", {"name": "payslip", "tags": ["secret"]})


@pytest.mark.parametrize(
    ("target", "seen"),
    [
        ({"tool": "weather"}, ["weather"]),
        ({"category": "sky"}, ["weather"]),
        ({"tag": "air"}, ["weather"]),
        ({"everything": True}, ["payslip", "weather"]),
    ],
)
def case_P11_one_grant__its_tools_are_seen(manager: Api, curator: Api, target: dict[str, Any], seen: list[str]) -> None:
    assert curator.names("/tools") == []
    made = manager.post("/grants", {"tenant": "maple", **target, "note": "why"})
    assert made.status_code == 201, made.content
    grant = made.json()
    assert made["Location"] == f"/api/v1/grants/{grant['id']}"
    assert {key: grant[key] for key in target} == target
    assert (grant["effect"], grant["note"], grant["tenant"]) == ("allow", "why", "maple")
    assert curator.names("/tools") == seen
    assert manager.delete(f"/grants/{grant['id']}").status_code == 204
    assert curator.names("/tools") == []


def test_deny__beats_an_allow__at_once(manager: Api, curator: Api) -> None:
    manager.post("/grants", {"tenant": "maple", "everything": True})
    deny = manager.post("/grants", {"tenant": "maple", "effect": "deny", "tag": "secret"}).json()
    assert curator.names("/tools") == ["weather"]
    changed = manager.patch(f"/grants/{deny['id']}", {"tag": None, "tool": "weather"})
    assert (changed.json()["tag"], changed.json()["tool"]) == (None, "weather")
    assert curator.names("/tools") == ["payslip"]


def test_put__replaces__and_creates_nothing(manager: Api) -> None:
    grant = manager.post("/grants", {"tenant": "maple", "tool": "weather", "note": "x"}).json()
    replaced = manager.put(f"/grants/{grant['id']}", {"tenant": "maple", "category": "sky"})
    assert (replaced.status_code, replaced.json()["note"], replaced.json()["tool"]) == (200, "", None)
    read_problem(manager.put("/grants/999999", {"tenant": "maple", "everything": True}), 404)
    read_problem(manager.get(f"/grants/{2**70}"), 404)
    read_problem(manager.get("/grants/x"), 404)


def test_same_grant_again__refused_with_its_number(manager: Api) -> None:
    grant = manager.post("/grants", {"tenant": "maple", "tool": "weather"}).json()
    again = manager.post("/grants", {"tenant": "maple", "tool": "weather", "note": "y"})
    assert codes_of(again) == {"": "already_granted"}
    assert str(grant["id"]) in again.json()["detail"]
    assert manager.patch(f"/grants/{grant['id']}", {"note": "y"}).status_code == 200


@pytest.mark.parametrize(
    ("grant", "path"),
    [
        ({"tenant": "nobody", "everything": True}, "tenant"),
        ({"tenant": "maple", "tool": "none"}, "tool"),
        ({"tenant": "maple"}, ""),
        ({"tenant": "maple", "tool": "weather", "everything": True}, ""),
        ({"everything": True}, "tenant"),
        ({"tenant": "maple", "everything": True, "effect": "maybe"}, "effect"),
        ({"tenant": "maple", "everything": "yes"}, "everything"),
    ],
)
def test_wrong_grant__refused_at_its_path(manager: Api, grant: dict[str, Any], path: str) -> None:
    assert list(codes_of(manager.post("/grants", grant))) == [path]
    assert Grant.objects.count() == 0


def test_own_tool_of_a_tenant__cannot_be_granted(manager: Api, curator: Api) -> None:
    curator.post("/tools", {"name": "mine"})
    assert codes_of(manager.post("/grants", {"tenant": "maple", "tool": "mine"})) == {"tool": "unknown_tool"}


def test_filters__narrow_the_list(manager: Api) -> None:
    manager.post("/grants", {"tenant": "maple", "tool": "weather"})
    manager.post("/grants", {"tenant": "crane", "everything": True})
    for query, tenants in [
        ("tenant=maple", ["maple"]),
        ("everything=true", ["crane"]),
        ("tool=weather", ["maple"]),
        ("effect=deny", []),
        ("", ["maple", "crane"]),
    ]:
        assert manager.names(f"/grants?{query}", "tenant") == tenants


def test_curator__without_manage__refused(curator: Api) -> None:
    assert read_problem(curator.get("/grants"), 403)["code"] == "missing_scope"
    assert read_problem(curator.post("/grants", {"tenant": "maple", "everything": True}), 403)
    assert Grant.objects.count() == 0
