"""Tool groups and profiles over REST."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.models import AgentProfile, ToolGroup

from .conftest import Api, MakeApi, codes_of, read_problem

ABOUT_ORDERS = {"source": "message", "operator": "contains_any", "value": ["订单", "物流"]}
HAS_ACCOUNT = {"source": "account_id", "operator": "exists"}


def b_G18_match_left_out__follows_from_the_matchers(curator: Api) -> None:
    assert curator.post("/tool-groups", {"name": "all"}).json()["match"] == "always"
    assert curator.post("/tool-groups", {"name": "some", "matchers": [ABOUT_ORDERS]}).json()["match"] == "rules"


def b_G18_rules_without_a_row__refused(curator: Api) -> None:
    assert codes_of(curator.post("/tool-groups", {"name": "a", "match": "rules"})) == {"matchers": "no_condition"}
    assert ToolGroup.objects.count() == 0


def b_G18_last_row_taken_away__never_becomes_always(curator: Api) -> None:
    curator.post("/tool-groups", {"name": "orders", "matchers": [ABOUT_ORDERS]})
    assert codes_of(curator.patch("/tool-groups/orders", {"matchers": []})) == {"matchers": "no_condition"}
    assert codes_of(curator.patch("/tool-groups/orders", {"matchers": None})) == {"matchers": "no_condition"}
    assert len(curator.get("/tool-groups/orders").json()["matchers"]) == 1


def b_G17_condition_patched_in__restricts_access_where_it_was_left_open(curator: Api) -> None:
    curator.post("/tool-groups", {"name": "orders", "matchers": [ABOUT_ORDERS]})
    assert curator.get("/tool-groups/orders").json()["restricts_access"] is False
    patched = curator.patch("/tool-groups/orders", {"matchers": [ABOUT_ORDERS, HAS_ACCOUNT]}).json()
    assert patched["restricts_access"] is True
    assert "access_not_restricted" not in [warning["code"] for warning in patched["warnings"]]

    said = curator.patch("/tool-groups/orders", {"restricts_access": False}).json()
    assert said["restricts_access"] is False
    assert "access_not_restricted" in [warning["code"] for warning in said["warnings"]]
    assert curator.patch("/tool-groups/orders", {"title": "x"}).json()["restricts_access"] is False
    assert curator.patch("/tool-groups/orders", {"restricts_access": None}).json()["restricts_access"] is True


def test_group__whole_document__comes_back_as_it_was_sent(curator: Api) -> None:
    curator.post("/tools", {"name": "get_order"})
    group: dict[str, Any] = {
        "name": "order",
        "title": "Orders",
        "description": "…",
        "system_prompt": "只能查询\n当前账号。 ",
        "tools": ["get_order", "toolSearch"],
        "position": 20,
        "status": "disabled",
        "restricts_access": True,
        "matchers": [{**ABOUT_ORDERS, "note": "words"}, {**HAS_ACCOUNT, "condition_set": 2, "negate": True}],
    }
    made = curator.put("/tool-groups/order", group)
    assert made.status_code == 201, made.content
    shown = made.json()
    assert {key: shown[key] for key in group if key != "matchers"} == {
        k: v for k, v in group.items() if k != "matchers"
    }
    assert [row["condition_set"] for row in shown["matchers"]] == [1, 2]
    assert curator.put("/tool-groups/order", curator.get("/tool-groups/order").json())["ETag"] == made["ETag"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"matchers": [{"source": "message", "operator": "matches_regex", "value": "(?=a)b"}]}, "matchers[0].value"),
        ({"matchers": [ABOUT_ORDERS, {**ABOUT_ORDERS, "value": []}]}, "matchers[1].value"),
        ({"matchers": [{**ABOUT_ORDERS, "valeu": 1}]}, "matchers[0].valeu"),
        ({"matchers": ["x"]}, "matchers[0]"),
        ({"tools": ["nothing"]}, "tools[0]"),
        ({"status": "deprecated"}, "status"),
        ({"for_all_tenants": True}, ""),
        ({"name": "two\nlines"}, "name"),
    ],
)
def test_group__wrong_part__refused_at_its_path(curator: Api, change: dict[str, Any], path: str) -> None:
    answer = curator.post("/tool-groups", {"name": "a", **change})
    assert any(found.startswith(path) for found in codes_of(answer)), answer.content
    assert ToolGroup.objects.count() == 0


def test_group__name_is_taken__422_at_the_name(curator: Api) -> None:
    curator.post("/tool-groups", {"name": "a"})
    assert codes_of(curator.post("/tool-groups", {"name": "a"})) == {"name": "name_taken"}


def test_shared_group__for_a_tenant__without_the_tools_it_was_not_granted(curator: Api, manager: Api) -> None:
    for name in ("granted", "secret"):
        manager.post("/tools?owner=shared", {"name": name})
    manager.post("/tool-groups?owner=shared", {"name": "both", "tools": ["granted", "secret"], "for_all_tenants": True})
    manager.post("/tool-groups?owner=shared", {"name": "unlisted"})
    manager.post("/tool-groups?owner=shared", {"name": "draft", "for_all_tenants": True, "status": "draft"})
    manager.post("/grants", {"tenant": "maple", "tool": "granted"})
    assert curator.names("/tool-groups") == ["both"]
    assert curator.get("/tool-groups/both").json()["tools"] == ["granted"]
    assert curator.get("/tool-groups/both").json()["owner"] == "shared"
    assert manager.get("/tool-groups/both?owner=shared").json()["tools"] == ["granted", "secret"]
    curator.patch("/profiles/default", {"groups": ["unlisted"]})
    assert curator.names("/tool-groups") == ["both", "unlisted"]


def test_profile__whole_life(curator: Api) -> None:
    curator.post("/tools", {"name": "now"})
    curator.post("/tool-groups", {"name": "orders"})
    made = curator.put(
        "/profiles/desk",
        {"resident_tools": ["now"], "groups": ["orders"], "search": {"min_score": 0.5, "prefer_used": True}},
    )
    assert made.status_code == 201, made.content
    profile = made.json()
    assert (profile["owner"], profile["search"]["min_score"], profile["search"]["max_results"]) == ("maple", 0.5, 20)
    patched = curator.patch("/profiles/desk", {"search": {"min_score": None}, "groups": None})
    assert (patched.json()["search"]["min_score"], patched.json()["search"]["prefer_used"]) == (None, True)
    assert curator.get("/profiles/default").json()["search"]["prefer_used"] is False
    assert patched.json()["groups"] is None
    assert patched.json()["updated_at"] > profile["updated_at"]
    unchanged = curator.put("/profiles/desk", patched.json())
    assert unchanged["ETag"] == patched["ETag"]
    assert curator.delete("/profiles/desk").status_code == 204


def test_profile__default__moves_and_never_vanishes(curator: Api, maple: object) -> None:
    assert codes_of(curator.patch("/profiles/default", {"is_default": False})) == {"is_default": "default_profile"}
    assert read_problem(curator.delete("/profiles/default"), 409)["code"] == "default_profile"
    curator.put("/profiles/desk", {"is_default": True})
    assert curator.names("/profiles?is_default=true", "slug") == ["desk"]
    assert AgentProfile.objects.filter(tenant__slug="maple", is_default=True).count() == 1
    assert curator.delete("/profiles/default").status_code == 204


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"search": {"enabled": 1}}, "search.enabled"),
        ({"search": {"provider": "x"}}, "search.provider"),
        ({"search": {"prefer_used": "yes"}}, "search.prefer_used"),
        ({"search": {"default_results": 30}}, ""),
        ({"groups": ["none"]}, "groups[0]"),
        ({"slug": "Big"}, "slug"),
        ({"resident_tools": ["none"]}, "resident_tools[0]"),
        ({"search": {"entry": 1}}, "search.entry"),
        ({"max_tools": 10**9}, "max_tools"),
        ({"versions": {"a": 1}}, "versions.a"),
        ({"search": 5}, "search"),
        ({"search": {"categories": ["x" * 101]}}, "search.categories"),
    ],
)
def test_profile__wrong_part__refused_at_its_path(curator: Api, change: dict[str, Any], path: str) -> None:
    answer = curator.post("/profiles", {"slug": "a", **change})
    assert any(found.startswith(path) for found in codes_of(answer)), answer.content


def test_profile__shared__there_is_none(maple: Any, make_api: MakeApi) -> None:
    api = make_api(maple, "curate", "manage")
    assert codes_of(api.get("/profiles?owner=shared")) == {"owner": "needs_tenant"}
    assert codes_of(api.put("/profiles/a?owner=shared", {})) == {"owner": "needs_tenant"}
