"""Categories and tags over REST."""

from __future__ import annotations

import pytest

from .conftest import Api, codes_of, quoted, read_problem


@pytest.mark.parametrize("kind", ["categories", "tags"])
def test_label__whole_life(curator: Api, kind: str) -> None:
    made = curator.post(f"/{kind}", {"slug": "weather", "title": "Weather"})
    assert made.status_code == 201
    assert made["Location"] == f"/api/v1/{kind}/weather"
    assert made.json()["owner"] == "maple"
    assert codes_of(curator.post(f"/{kind}", {"slug": "weather"})) == {"slug": "name_taken"}
    assert curator.put(f"/{kind}/weather", {"title": "天气"}).json()["title"] == "天气"
    assert curator.patch(f"/{kind}/weather", {"slug": "climate"}).json()["slug"] == "climate"
    read_problem(curator.get(f"/{kind}/weather"), 404)
    assert curator.delete(f"/{kind}/climate").status_code == 204
    read_problem(curator.delete(f"/{kind}/climate"), 404)


@pytest.mark.parametrize(("given", "kept"), [("Mail Order", "mail-order"), ("天气", "天气"), ("ＡＢＣ", "abc")])
def test_slug__created_from_words__answer_shows_what_is_kept(curator: Api, given: str, kept: str) -> None:
    answer = curator.post("/categories", {"slug": given})
    assert answer.json()["slug"] == kept
    assert curator.get(answer["Location"].removeprefix("/api/v1")).json()["slug"] == kept


def test_slug__address_that_is_no_slug__refused(curator: Api) -> None:
    assert codes_of(curator.put(f"/categories/{quoted('Mail Order')}", {})) == {"slug": "not_a_slug"}
    assert codes_of(curator.post("/categories", {"slug": "!?"})) == {"slug": "bad_slug"}
    assert codes_of(curator.post("/categories", {})) == {"slug": "required"}


def test_categories__counts__what_the_tenant_may_have(curator: Api, stranger: Api, manager: Api) -> None:
    for name, status in [("a", "published"), ("b", "deprecated"), ("c", "draft"), ("d", "disabled")]:
        curator.post("/tools", {"name": name, "category": "mail", "tags": ["x"], "status": status})
    stranger.post("/tools", {"name": "theirs", "category": "mail"})
    for name in ("granted", "other", "a"):
        manager.post("/tools?owner=shared", {"name": name, "category": "mail"})
    manager.post("/grants", {"tenant": "maple", "tool": "granted"})
    manager.post("/grants", {"tenant": "maple", "tool": "a"})

    listed = {(row["slug"], row["owner"]): row["tool_count"] for row in curator.get("/categories").json()["results"]}
    assert listed == {("mail", "maple"): 2, ("mail", "shared"): 1}
    assert [row["tool_count"] for row in curator.get("/tags").json()["results"]] == [2]
    assert [row["tool_count"] for row in stranger.get("/categories").json()["results"]] == [1]
    assert [row["tool_count"] for row in manager.get("/categories?owner=shared").json()["results"]] == [3]


def test_delete__named_by_a_grant__conflict(manager: Api, maple: object) -> None:
    manager.post("/categories?owner=shared", {"slug": "payroll"})
    manager.post("/grants", {"tenant": "maple", "category": "payroll", "effect": "deny"})
    assert read_problem(manager.delete("/categories/payroll?owner=shared"), 409)["code"] == "in_use"


def test_delete__tools_lose_it(curator: Api) -> None:
    curator.post("/tools", {"name": "a", "category": "mail", "tags": ["x"]})
    assert curator.delete("/categories/mail").status_code == 204
    assert curator.delete("/tags/x").status_code == 204
    tool = curator.get("/tools/a").json()
    assert (tool["category"], tool["tags"]) == (None, [])
