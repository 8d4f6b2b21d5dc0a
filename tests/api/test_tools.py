"""Tools over REST: what curators write, and what they get back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolcatalog.curation import Author, ToolDocument, save_tool
from toolcatalog.models import Revision, Tenant, Tool

from .conftest import Api, MakeApi, codes_of, quoted, read_problem

PARAMETERS = {
    "type": "object",
    "properties": {"orderNo": {"type": "string", "description": "订单号", "minLength": 3}},
    "required": ["orderNo"],
}
TOOL: dict[str, Any] = {
    "name": "get_order",
    "title": "Order status",
    "description": "根据订单号查询订单状态",
    "category": "Mail Orders",
    "tags": ["order", "Logistics"],
    "keywords": {"en": ["parcel"], "zh": ["快递"]},
    "parameters": PARAMETERS,
    "metadata": {"team": "orders"},
    "version": "2.1",
}

MERGE_PATCH = "application/merge-patch+json"


def b_T1_name_description_and_parameters__created__all_else_has_its_default(curator: Api) -> None:
    answer = curator.post("/tools", {"name": "get_order", "description": "Reads one.", "parameters": PARAMETERS})
    assert answer.status_code == 201, answer.content
    tool = answer.json()
    assert tool["parameters"] == PARAMETERS
    assert list(tool["parameters"]) == list(PARAMETERS)
    assert (tool["category"], tool["tags"], tool["metadata"], tool["keywords"]) == (None, [], {}, {})
    assert (tool["status"], tool["execution"], tool["version"], tool["owner"]) == (
        "published",
        "client",
        "1.0",
        "maple",
    )
    assert tool["revision"] == 1
    assert tool["created_at"]
    assert tool["updated_at"]
    assert answer["Location"] == "/api/v1/tools/get_order"


def b_T1_blank_description__created__with_a_warning(curator: Api) -> None:
    answer = curator.post("/tools", {"name": "get_order", "description": ""})
    assert answer.status_code == 201
    assert ("description", "no_description") in [(w["path"], w["code"]) for w in answer.json()["warnings"]]


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "  "}, {"name": None}])
def b_T2_no_name__refused(curator: Api, body: dict[str, Any]) -> None:
    assert list(codes_of(curator.post("/tools", body))) == ["name"]
    assert Tool.objects.count() == 0


@pytest.mark.parametrize(
    "name", ["toolSearch", "TOOLSEARCH", "search_tools", "Execute_Dynamic_Tool", "findIt", "FINDIT"]
)
def b_T2_reserved_name__refused_in_every_letter_case(curator: Api, name: str) -> None:
    assert curator.patch("/profiles/default", {"search": {"entry_tool": "findIt"}}).status_code == 200
    assert codes_of(curator.post("/tools", {"name": name})) == {"name": "reserved_name"}
    assert codes_of(curator.put(f"/tools/{name}", {})) == {"name": "reserved_name"}


def case_N13_tool_that_would_shadow_the_search__refused_at_every_door(curator: Api) -> None:
    for name in ("toolSearch", "toolsearch", "TOOLSEARCH", "ｔoolSearch"):
        assert list(codes_of(curator.post("/tools", {"name": name}))) == ["name"]
        assert list(codes_of(curator.put(f"/tools/{quoted(name)}", {}))) == ["name"]
        plan = curator.post("/import", {"version": 1, "tools": [{"name": name}]}).json()
        assert plan["counts"]["invalid"] == 1, plan
    curator.post("/tools", {"name": "harmless"})
    assert codes_of(curator.patch("/tools/harmless", {"name": "ToolSearch"})) == {"name": "reserved_name"}


@pytest.mark.parametrize("root", [{"type": "string"}, [], "x", 5, True, {"type": ["object", "null"]}, {"anyOf": [{}]}])
def case_J08_root_that_is_no_object__refused_in_plain_words(curator: Api, root: object) -> None:
    answer = curator.post("/tools", {"name": "a", "parameters": root})
    assert all(path.startswith("parameters") for path in codes_of(answer))
    assert "object" in answer.json()["detail"]


def b_T2_profile_named_like_a_tool__refused(curator: Api) -> None:
    curator.post("/tools", {"name": "find_tools"})
    answer = curator.patch("/profiles/default", {"search": {"entry_tool": "Find_Tools"}})
    assert codes_of(answer) == {"search.entry_tool": "name_taken"}


def b_T3_put_again__updates__callback_and_metadata_together(curator: Api) -> None:
    first = curator.put("/tools/get_order", TOOL)
    assert first.status_code == 201
    changed = {**TOOL, "execution": "callback", "callback": "demo.order", "metadata": {"team": "x"}}
    second = curator.put("/tools/get_order", changed)
    assert second.status_code == 200
    assert (second.json()["callback"], second.json()["metadata"]) == ("demo.order", {"team": "x"})
    assert second.json()["revision"] == 2
    assert Tool.objects.count() == 1

    refused = curator.put("/tools/get_order", {**changed, "callback": None, "metadata": {"team": "y"}})
    assert codes_of(refused) == {"callback": "required"}
    assert curator.get("/tools/get_order").json()["metadata"] == {"team": "x"}


def b_T3_two_tenants__one_name_each(curator: Api, stranger: Api) -> None:
    assert curator.post("/tools", {"name": "fetch", "description": "of maple"}).status_code == 201
    assert stranger.post("/tools", {"name": "fetch", "description": "of crane"}).status_code == 201
    assert curator.get("/tools/fetch").json()["description"] == "of maple"
    assert stranger.get("/tools/fetch").json()["description"] == "of crane"


def b_T3_own_tool_before_a_shared_one__warns(curator: Api, manager: Api) -> None:
    manager.post("/tools?owner=shared", {"name": "weather"})
    manager.post("/grants", {"tenant": "maple", "everything": True})
    answer = curator.post("/tools", {"name": "weather", "description": "Mine."})
    assert answer.status_code == 201
    assert "hides_shared" in [warning["code"] for warning in answer.json()["warnings"]]
    assert curator.get("/tools/weather").json()["owner"] == "maple"
    assert curator.get("/tools/weather?owner=shared").json()["owner"] == "shared"


def b_T5_delete__says_whether_something_was_removed(curator: Api) -> None:
    curator.post("/tools", TOOL)
    assert curator.delete("/tools/get_order").status_code == 204
    read_problem(curator.delete("/tools/get_order"), 404)
    assert Revision.objects.filter(name="get_order", status=Revision.Status.DELETED).count() == 1


@pytest.mark.parametrize(
    "name",
    [
        "a",
        "_x",
        "9lives",
        "crm/orders.get-order",
        "天气查询",
        "déjà_vu",
        "a/execute/b",
        "Ωmega",
        "tools/popular",
        "x" * 128,
    ],
)
def b_T16_legal_name__made_and_found_at_its_address(curator: Api, name: str) -> None:
    answer = curator.put(f"/tools/{quoted(name)}", {})
    assert answer.status_code == 201, answer.content
    assert answer.json()["name"] == name
    assert curator.get(answer["Location"].removeprefix("/api/v1")).json()["name"] == name
    assert curator.delete(f"/tools/{name}").status_code == 204


@pytest.mark.parametrize(
    ("name", "proposal"),
    [
        ("get order", "get_order"),
        ("a//b", "a/b"),
        ("a/", "a"),
        ("x/execute", "x/execute_tool"),
        ("Popular", "Popular_tool"),
        ("x/Availability", "x/Availability_tool"),
        ("-x", "x"),
        ("a?b", "a_b"),
        ("x" * 129, "xxx"),
    ],
)
def b_T16_illegal_name__refused_with_a_proposal(curator: Api, name: str, proposal: str) -> None:
    answer = curator.post("/tools", {"name": name})
    assert list(codes_of(answer)) == ["name"]
    assert proposal in answer.json()["errors"][0]["message"]


def b_T16_names_that_differ_only_in_case_or_separators__allowed_with_a_warning(curator: Api) -> None:
    curator.post("/tools", {"name": "get_order"})
    answer = curator.post("/tools", {"name": "getOrder"})
    assert answer.status_code == 201
    assert "similar_name" in [warning["code"] for warning in answer.json()["warnings"]]


def b_T16_addresses_after_a_name__are_not_tools(maple: Tenant, make_api: MakeApi) -> None:
    api = make_api(maple, "curate", "resolve")
    assert codes_of(api.post("/tools", {"name": "popular"})) == {"name": "reserved_path"}
    assert api.put("/tools/popular", {}).status_code == 405
    assert api.put("/tools/a/availability", {}).status_code == 405
    assert api.post("/tools/a/availability", {"prompt": "x"}).json()["reason"] == "UNKNOWN"
    assert Tool.objects.count() == 0


@pytest.mark.parametrize(
    ("tool", "path", "code"),
    [
        ({"name": "process"}, "name", "vague_name"),
        ({"name": "get_order", "description": "Get order."}, "description", "repeats_name"),
        (
            {"name": "x", "parameters": {"type": "object", "properties": {"city_name": {"description": "City name"}}}},
            "parameters.properties.city_name.description",
            "repeats_name",
        ),
        ({"name": "get_order"}, "category", "no_labels"),
        ({"name": "get_order", "description": "Reads the one."}, "description", "near_duplicate"),
    ],
)
def b_T17_poor_metadata__warned_and_never_refused(curator: Api, tool: dict[str, Any], path: str, code: str) -> None:
    curator.post("/tools", {"name": "twin", "description": "Reads the one."})
    answer = curator.post("/tools", tool)
    assert answer.status_code == 201
    assert (path, code) in [(warning["path"], warning["code"]) for warning in answer.json()["warnings"]]
    assert all(warning["message"] for warning in answer.json()["warnings"])


def b_T17_good_metadata__no_warning(curator: Api) -> None:
    assert curator.post("/tools", TOOL).json()["warnings"] == []


def test_references__titles_and_unknown_labels__shown_as_slugs(curator: Api) -> None:
    tool = curator.post("/tools", TOOL).json()
    assert (tool["category"], tool["tags"]) == ("mail-orders", ["logistics", "order"])
    assert curator.get("/categories/mail-orders").json()["title"] == "Mail Orders"
    again = curator.post("/tools", {"name": "other", "category": "mail orders", "tags": ["LOGISTICS"]}).json()
    assert (again["category"], again["tags"]) == ("mail-orders", ["logistics"])


def test_create__name_is_taken__422_at_the_name(curator: Api) -> None:
    curator.post("/tools", TOOL)
    answer = curator.post("/tools", TOOL)
    assert codes_of(answer) == {"name": "name_taken"}
    assert answer.json()["code"] == "name_taken"
    assert "already" in answer.json()["errors"][0]["message"]


def test_put__other_name_in_the_body__refused(curator: Api) -> None:
    assert codes_of(curator.put("/tools/a", {"name": "b"})) == {"name": "not_the_address"}


def test_get_then_put__the_answer_itself_as_body__changes_nothing(curator: Api) -> None:
    curator.post("/tools", TOOL)
    before = curator.get("/tools/get_order")
    after = curator.put("/tools/get_order", before.json())
    assert after.status_code == 200
    assert after["ETag"] == before["ETag"]
    assert curator.get("/tools/get_order").content == before.content


def test_merge_patch__goes_into_objects__and_is_checked_like_a_put(curator: Api) -> None:
    curator.post("/tools", TOOL)
    patch = {
        "title": "New",
        "category": None,
        "tags": ["one"],
        "metadata": {"cost": 1},
        "keywords": {"en": None},
        "parameters": {"properties": {"orderNo": {"minLength": None, "maxLength": 9}}},
    }
    answer = curator.send("PATCH", "/tools/get_order", json.dumps(patch), MERGE_PATCH)
    assert answer.status_code == 200, answer.content
    tool = answer.json()
    assert (tool["title"], tool["category"], tool["tags"]) == ("New", None, ["one"])
    assert tool["metadata"] == {"team": "orders", "cost": 1}
    assert tool["keywords"] == {"zh": ["快递"]}
    assert tool["parameters"]["properties"]["orderNo"] == {"type": "string", "description": "订单号", "maxLength": 9}
    assert tool["description"] == TOOL["description"]

    refused = curator.send("PATCH", "/tools/get_order", '{"parameters": {"type": "string"}}', MERGE_PATCH)
    assert codes_of(refused) == {"parameters.type": "root_not_object"}
    read_problem(curator.patch("/tools/nothing", {}), 404)


def test_patch__names_fields__sets_them_whole_and_leaves_the_others(curator: Api) -> None:
    curator.post("/tools", TOOL)
    schema = {"type": "object", "properties": {"parcel": {"type": "integer"}}}
    answer = curator.patch("/tools/get_order", {"parameters": schema, "metadata": {"cost": 1}, "category": None})
    assert answer.status_code == 200, answer.content
    tool = answer.json()
    assert (tool["parameters"], tool["metadata"], tool["category"]) == (schema, {"cost": 1}, None)
    assert (tool["description"], tool["keywords"]) == (TOOL["description"], TOOL["keywords"])


@pytest.mark.parametrize("media", ["application/merge-patch+json", "Application/Merge-Patch+JSON; charset=utf-8"])
def test_patch__media_type_in_any_case__is_a_merge_patch(curator: Api, media: str) -> None:
    curator.post("/tools", TOOL)
    answer = curator.send("PATCH", "/tools/get_order", '{"title": "T", "metadata": {"cost": 1}}', media)
    assert (answer.json()["title"], answer.json()["metadata"]) == ("T", {"team": "orders", "cost": 1})


@pytest.mark.parametrize("parameters", [{}, {"type": "object"}, None])
def case_J06_nothing_to_pass__is_stored(maple: Tenant, curator: Api, make_api: MakeApi, parameters: Any) -> None:
    answer = curator.put("/tools/clock", {"description": "Tells the time.", "parameters": parameters})
    assert answer.status_code == 201, answer.content
    assert curator.patch("/tools/clock", {"parameters": parameters}).status_code == 200
    caller = make_api(maple, "resolve")
    tools = caller.post("/resolve", {"prompt": "x", "active_tools": ["clock"], "format": "openai_chat"}).json()["tools"]
    assert tools[-1]["function"]["parameters"] == {"type": "object", "properties": {}}
    sent = caller.put("/sessions/s/tools", {"tools": [{"name": "bell", "parameters": parameters}]})
    assert sent.status_code == 200, sent.content


def test_replaced_by__the_tool_itself__refused_at_its_place(curator: Api) -> None:
    curator.post("/tools", TOOL)
    assert codes_of(curator.patch("/tools/get_order", {"replaced_by": "get_order"})) == {
        "replaced_by": "replaces_itself"
    }
    assert codes_of(curator.post("/tools", {"name": "a", "replaced_by": "a"})) == {"replaced_by": "replaces_itself"}


def case_N15_rename_onto_an_existing_name__refused_and_nothing_lost(curator: Api) -> None:
    curator.post("/tools", {"name": "x", "description": "of x"})
    curator.post("/tools", {"name": "y", "description": "of y"})
    assert codes_of(curator.patch("/tools/x", {"name": "y"})) == {"name": "name_taken"}
    assert curator.get("/tools/x").json()["description"] == "of x"
    assert curator.get("/tools/y").json()["description"] == "of y"


def case_N18_rename__warns_of_prompts_that_say_the_old_name(curator: Api) -> None:
    curator.post("/tools", {"name": "find_customer"})
    curator.post(
        "/tool-groups", {"name": "crm", "system_prompt": "First call `find_customer`.", "tools": ["find_customer"]}
    )
    curator.patch("/profiles/default", {"search": {"exclude_tools": ["find_customer"]}})
    answer = curator.patch("/tools/find_customer", {"name": "search_customer"})
    assert answer.status_code == 200
    warnings = {warning["code"]: warning["message"] for warning in answer.json()["warnings"]}
    assert "crm" in warnings["mentioned_in_prompts"]
    assert "default" in warnings["excluded_by_name"]
    assert curator.get("/tool-groups/crm").json()["tools"] == ["search_customer"]


@pytest.mark.parametrize(("key", "value"), [("nmae", 1), ("owner_id", 3), ("sha256", "x"), ("tenant", "maple")])
def test_unknown_key__refused_with_its_path(curator: Api, key: str, value: object) -> None:
    assert codes_of(curator.post("/tools", {"name": "a", key: value})) == {key: "unknown_field"}
    assert codes_of(curator.put("/tools/a", {key: value})) == {key: "unknown_field"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("searchable", "true"),
        ("searchable", 1),
        ("title", 5),
        ("tags", "a"),
        ("tags", [1]),
        ("tags", ["x" * 101]),
        ("status", "live"),
        ("execution", ["client"]),
        ("parameters", []),
        ("parameters", "x"),
        ("metadata", []),
        ("keywords", {"en": "parcel"}),
        ("description", "x" * 4097),
        ("version", ""),
        ("category", "x" * 101),
    ],
)
def test_wrong_value__refused_at_its_place(curator: Api, key: str, value: object) -> None:
    paths = list(codes_of(curator.post("/tools", {"name": "a", key: value})))
    assert all(path.startswith(key) for path in paths)
    assert paths
    assert Tool.objects.count() == 0


def test_unknown_query_parameter__refused_before_anything_is_written(curator: Api) -> None:
    assert codes_of(curator.put("/tools/a?onwer=shared", {})) == {"onwer": "unknown_filter"}
    assert Tool.objects.count() == 0


def test_write__author_and_reason__are_in_the_history(curator: Api) -> None:
    curator.put("/tools/a?reason=First%20one", {})
    revision = Revision.objects.get(name="a")
    assert revision.author.startswith("test (")
    assert revision.reason == "First one"


def test_review__text_saved_elsewhere__seen_at_once(curator: Api, maple: Tenant) -> None:
    save_tool(maple, ToolDocument("a", description="by a person"), Author("person"))
    assert curator.get("/tools/a").json()["description"] == "by a person"
