"""Import and export over REST."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcatalog.curation import create_tenant
from toolcatalog.demo import DEMO_TENANTS, SHARED_DOCUMENT, load_demo_documents
from toolcatalog.models import Category, Grant, Revision, Tag, Tenant, Tool, ToolGroup

from .conftest import Api, MakeApi, codes_of, read_problem


def plan_of(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.content
    plan: dict[str, Any] = answer.json()
    return plan


def case_I05_200_tools_3_invalid__197_created_and_3_reasons_with_row_numbers(curator: Api) -> None:
    tools: list[Any] = [{"name": f"tool_{number}", "description": f"Number {number}."} for number in range(200)]
    tools[7] = {"name": "tool_7", "parameters": {"type": "string"}}
    tools[50] = "no object"
    tools[199] = {"name": "toolSearch"}
    document = {"version": 1, "tools": tools}

    tried = plan_of(curator.post("/import?dry_run=true", document))
    assert (tried["applied"], Tool.objects.count()) == (False, 0)
    strict = plan_of(curator.post("/import?strict=true", document))
    assert (strict["applied"], Tool.objects.count()) == (False, 0)
    done = plan_of(curator.post("/import", document))
    assert done["applied"] is True
    for plan in (tried, strict, done):
        assert plan["counts"] == {"create": 197, "update": 0, "unchanged": 0, "invalid": 3}
        invalid = [row for row in plan["rows"] if row["action"] == "invalid"]
        assert [row["path"] for row in invalid] == ["tools[7]", "tools[50]", "tools[199]"]
        assert [row["errors"][0]["code"] for row in invalid] == ["root_not_object", "not_an_object", "reserved_name"]
        assert all(row["errors"][0]["message"] for row in invalid)
    assert Tool.objects.count() == 197

    again = plan_of(curator.post("/import", document))
    assert again["counts"] == {"create": 0, "update": 0, "unchanged": 197, "invalid": 3}
    assert Revision.objects.count() == 197


def case_I06_demo_catalog__exported_imported_into_an_empty_database__exports_the_same(
    db: None, make_api: MakeApi
) -> None:
    owners: list[tuple[str, str]] = [("", SHARED_DOCUMENT), *((tenant.slug, tenant.slug) for tenant in DEMO_TENANTS)]
    documents = dict(load_demo_documents())
    first = import_and_export(make_api, owners, {name: documents[name] for _, name in owners})
    assert json.loads(first[SHARED_DOCUMENT])["grants"]
    assert sum(len(json.loads(document)["tools"]) for document in first.values()) > 50
    empty_database()
    second = import_and_export(make_api, owners, {name: json.loads(text) for name, text in first.items()})
    assert first == second


def import_and_export(make_api: MakeApi, owners: list[tuple[str, str]], documents: dict[str, Any]) -> dict[str, bytes]:
    """Import every document with a key of its owner, then export every owner again."""
    tenants = {slug: create_tenant(slug, with_profile=False) for slug, _ in owners if slug}
    manager = make_api(next(iter(tenants.values())), "manage")
    exports = {}
    for slug, name in owners:
        api, query = (make_api(tenants[slug], "curate"), "") if slug else (manager, "?owner=shared")
        plan = plan_of(api.post(f"/import{query}", documents[name]))
        assert plan["counts"]["invalid"] == 0, [row for row in plan["rows"] if row["errors"]]
        exports[name] = api.get(f"/export{query}").content
    return exports


def empty_database() -> None:
    for model in (Grant, ToolGroup, Tool, Category, Tag):
        model.objects.all().delete()
    for tenant in Tenant.objects.all():
        tenant.api_keys.all().delete()
        tenant.delete()
    assert Tenant.objects.count() == Tool.objects.count() == 0


def case_P15_no_status_in_an_import__draft__and_published_from_a_key(curator: Api) -> None:
    plan_of(curator.post("/import", {"version": 1, "tools": [{"name": "a"}], "tool_groups": [{"name": "g"}]}))
    curator.post("/tools", {"name": "b"})
    curator.post("/tool-groups", {"name": "h"})
    assert [curator.get(f"/tools/{name}").json()["status"] for name in "ab"] == ["draft", "published"]
    assert [curator.get(f"/tool-groups/{name}").json()["status"] for name in "gh"] == ["draft", "published"]


def case_N05_illegal_names__taken_as_proposed_with_a_note__refused_when_strict(curator: Api) -> None:
    document = {"version": 1, "tools": [{"name": "get order"}, {"name": "x" * 200}, {"name": "good"}]}
    rows = plan_of(curator.post("/import", document))["rows"]
    assert [row["action"] for row in rows] == ["create"] * 3
    assert [bool(row["notes"]) for row in rows] == [True, True, False]
    assert "get_order" in rows[0]["notes"][0]
    assert len(rows[1]["name"]) <= 128
    strict = plan_of(curator.post("/import?strict=true&dry_run=true", document))
    assert strict["counts"]["invalid"] == 2


def case_N10_one_name_twice__the_second_is_told_and_nothing_is_overwritten(curator: Api) -> None:
    tools = [{"name": "a b", "description": "first"}, {"name": "a_b", "description": "second"}]
    plan = plan_of(curator.post("/import", {"version": 1, "tools": tools}))
    assert [row["action"] for row in plan["rows"]] == ["create", "invalid"]
    assert curator.get("/tools/a_b").json()["description"] == "first"


def b_T2_blank_name_in_an_import__refused_and_not_renamed(curator: Api) -> None:
    plan = plan_of(curator.post("/import", {"version": 1, "tools": [{"name": " "}, {}]}))
    assert [row["action"] for row in plan["rows"]] == ["invalid", "invalid"]


def test_sections_that_refer_to_each_other__in_one_document(curator: Api) -> None:
    document = {
        "version": 1,
        "profiles": [{"slug": "desk", "resident_tools": ["new"], "groups": ["late", "early"]}],
        "tool_groups": [
            {
                "name": "late",
                "position": 9,
                "tools": ["new"],
                "matchers": [{"source": "group", "operator": "in", "value": ["early"]}],
                "status": "published",
            },
            {"name": "early", "position": 1, "status": "published"},
        ],
        "tools": [{"name": "old", "replaced_by": "new", "status": "deprecated"}, {"name": "new"}],
        "categories": [{"slug": "Mail Order"}],
    }
    plan = plan_of(curator.post("/import", document))
    assert plan["counts"]["invalid"] == 0, plan
    assert [row["path"] for row in plan["rows"]] == [
        "categories[0]",
        "tools[0]",
        "tools[1]",
        "tool_groups[0]",
        "tool_groups[1]",
        "profiles[0]",
    ]
    assert plan_of(curator.post("/import", document))["counts"]["unchanged"] == 6


def test_default_profile__moved_by_an_import__in_any_order_of_rows(curator: Api) -> None:
    document = {"version": 1, "profiles": [{"slug": "default"}, {"slug": "desk", "is_default": True}]}
    assert plan_of(curator.post("/import", document))["counts"]["invalid"] == 0
    assert curator.names("/profiles?is_default=true", "slug") == ["desk"]


def test_profile_that_prefers_used_tools__goes_out_and_in_again(curator: Api) -> None:
    profiles = [{"slug": "default", "is_default": True}, {"slug": "desk", "search": {"prefer_used": True}}]
    assert plan_of(curator.post("/import", {"version": 1, "profiles": profiles}))["counts"]["invalid"] == 0
    document = curator.get("/export").json()
    preferring = {profile["slug"]: profile["search"]["prefer_used"] for profile in document["profiles"]}
    assert preferring == {"default": False, "desk": True}
    curator.patch("/profiles/desk", {"search": {"prefer_used": None}})
    assert curator.get("/profiles/desk").json()["search"]["prefer_used"] is False
    assert plan_of(curator.post("/import", document))["counts"]["update"] == 1
    assert curator.get("/export").json() == document


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ([], ""),
        (None, ""),
        ({}, "version"),
        ({"version": 2}, "version"),
        ({"version": True}, "version"),
        ({"version": 1, "toolz": []}, "toolz"),
        ({"version": 1, "tools": {}}, "tools"),
        ({"version": 1, "tools": "abc"}, "tools"),
        ({"version": 1, "tools": None}, "tools"),
    ],
)
def test_no_catalog_document__refused(curator: Api, document: Any, path: str) -> None:
    answer = curator.send("POST", "/import", json.dumps(document))
    assert list(codes_of(answer)) == [path]


HOSTILE_ROWS: list[Any] = [
    None,
    1,
    [],
    "x",
    {"name": []},
    {"name": {}},
    {"name": "a", "replaced_by": []},
    {"name": "a", "replaced_by": {}},
    {"name": "a", "position": []},
    {"name": "a", "position": 2**62},
    {"slug": []},
    {"slug": 5},
    {"tenant": []},
    {"tenant": {}, "effect": []},
    {"name": "a", "tags": {}},
    {"name": "a", "matchers": {}},
    {"name": "a", "matchers": [[]]},
    {"slug": "a", "search": []},
    {"slug": "a", "is_default": "x"},
    {"name": json.loads("[" * 500 + "]" * 500)},
    {"slug": json.loads("[" * 500 + "]" * 500)},
]


@pytest.mark.parametrize("owner", ["", "?owner=shared"])
@pytest.mark.parametrize("section", ["categories", "tags", "tools", "tool_groups", "profiles", "grants"])
def rel_T24_hostile_rows__are_invalid_rows(maple: Tenant, make_api: MakeApi, section: str, owner: str) -> None:
    api = make_api(maple, "curate", "manage")
    plan = plan_of(api.post(f"/import{owner}", {"version": 1, section: HOSTILE_ROWS}))
    assert plan["counts"]["invalid"] == len(HOSTILE_ROWS)
    assert [row["path"] for row in plan["rows"]] == [f"{section}[{index}]" for index in range(len(HOSTILE_ROWS))]


def test_flags__not_true_or_false__refused(curator: Api) -> None:
    assert codes_of(curator.post("/import?dry_run=maybe", {"version": 1})) == {"dry_run": "not_true_or_false"}
    assert codes_of(curator.post("/import?dryrun=1", {"version": 1})) == {"dryrun": "unknown_filter"}


def test_shared_document__only_for_the_manager(curator: Api, manager: Api) -> None:
    document = {"version": 1, "tools": [{"name": "a"}], "grants": [{"tenant": "maple", "everything": True}]}
    read_problem(curator.post("/import?owner=shared", document), 403)
    read_problem(curator.get("/export?owner=shared"), 403)
    read_problem(manager.post("/import", document), 403)
    own = plan_of(curator.post("/import", document))
    assert [row["action"] for row in own["rows"]] == ["create", "invalid"]


def test_grants__imported_again__unchanged_and_a_new_note_is_an_update(manager: Api, maple: Tenant) -> None:
    manager.post("/tools?owner=shared", {"name": "a"})
    grants: list[dict[str, Any]] = [
        {"tenant": "maple", "tool": "a"},
        {"tenant": "maple", "everything": True, "effect": "deny"},
    ]
    document: dict[str, Any] = {"version": 1, "grants": grants}
    assert plan_of(manager.post("/import?owner=shared", document))["counts"]["create"] == 2
    assert plan_of(manager.post("/import?owner=shared", document))["counts"]["unchanged"] == 2
    grants[0]["note"] = "why"
    assert plan_of(manager.post("/import?owner=shared", document))["counts"]["update"] == 1
    assert Grant.objects.count() == 2
