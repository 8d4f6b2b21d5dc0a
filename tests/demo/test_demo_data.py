"""The demo catalog is read by every newcomer and loaded by `manage.py demo`: it has to be whole and sound by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import re2

from toolcatalog.contract.catalog import Execution, ToolStatus
from toolcatalog.contract.json import find_unstorable
from toolcatalog.contract.matching import ALWAYS, RULES, Operator, Source
from toolcatalog.demo import DEMO_TENANTS, SHARED_DOCUMENT, load_demo_documents
from toolcatalog.text import check_tool_name, is_reserved, normalise_text

DOCUMENTS: dict[str, Any] = dict(load_demo_documents())
TENANTS = [tenant.slug for tenant in DEMO_TENANTS]
SECTIONS = ("categories", "tags", "tools", "tool_groups", "profiles", "grants")
GRANT_TARGETS = {"tool", "category", "tag", "source", "everything"}
CHINESE = re.compile("[\u4e00-\u9fff]")


def walk(section: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a section, with the key of its document."""
    for owner, document in DOCUMENTS.items():
        for item in document[section]:
            yield owner, item


def find_matchers() -> list[dict[str, Any]]:
    return [row for _, group in walk("tool_groups") for row in group.get("matchers", [])]


def names_within(owner: str, section: str, key: str) -> set[str]:
    """What a document may refer to: its own objects and the shared ones."""
    return {item[key] for document in (owner, SHARED_DOCUMENT) for item in DOCUMENTS[document][section]}


def find_shared_tools_of(tenant: str) -> set[str]:
    """Names of the shared tools that the grants leave to a tenant, whatever their status."""
    allowed: set[str] = set()
    denied: set[str] = set()
    for grant in DOCUMENTS[SHARED_DOCUMENT]["grants"]:
        if grant["tenant"] == tenant:
            (allowed if grant["effect"] == "allow" else denied).update(find_targets(grant))
    return allowed - denied


def find_targets(grant: dict[str, Any]) -> set[str]:
    tools = DOCUMENTS[SHARED_DOCUMENT]["tools"]
    return {tool["name"] for tool in tools if is_target(grant, tool)}


def is_target(grant: dict[str, Any], tool: dict[str, Any]) -> bool:
    return (
        grant.get("everything") is True
        or grant.get("tool") == tool["name"]
        or grant.get("category") == tool["category"]
        or grant.get("tag") in tool["tags"]
    )


TOOLS = [pytest.param(owner, tool, id=f"{owner}:{tool['name']}") for owner, tool in walk("tools")]


def test_documents__loaded__one_shared_and_one_for_each_tenant() -> None:
    assert list(DOCUMENTS) == [SHARED_DOCUMENT, *TENANTS]
    for document in DOCUMENTS.values():
        assert document["version"] == 1
        assert tuple(document)[1:] == SECTIONS
        assert not list(find_unstorable(document))


def test_documents__tools__about_sixty_and_half_in_chinese() -> None:
    descriptions = [tool["description"] for _, tool in walk("tools")]
    assert 55 <= len(descriptions) <= 75
    assert sum(bool(CHINESE.search(text)) for text in descriptions) >= len(descriptions) / 2


def test_documents__descriptions__no_two_equal() -> None:
    descriptions = [normalise_text(tool["description"]) for _, tool in walk("tools")]
    assert len(set(descriptions)) == len(descriptions)


@pytest.mark.parametrize("section", ["categories", "tags", "tools", "tool_groups", "profiles"])
def test_documents__names__unique_per_owner(section: str) -> None:
    for owner, document in DOCUMENTS.items():
        names = [item.get("slug") or item["name"] for item in document[section]]
        assert len(set(names)) == len(names), owner


@pytest.mark.parametrize(("owner", "tool"), TOOLS)
def b_T16_demo_tool__name__legal_and_not_reserved(owner: str, tool: dict[str, Any]) -> None:
    assert check_tool_name(tool["name"]) is None
    assert not is_reserved(tool["name"])


@pytest.mark.parametrize(("owner", "tool"), TOOLS)
def test_demo_tool__references__known(owner: str, tool: dict[str, Any]) -> None:
    assert tool["category"] in names_within(owner, "categories", "slug")
    assert tool["tags"]
    assert set(tool["tags"]) <= names_within(owner, "tags", "slug")
    assert tool.get("replaced_by") in {None, *names_within(owner, "tools", "name")}


@pytest.mark.parametrize(("owner", "tool"), TOOLS)
def test_demo_tool__texts__complete(owner: str, tool: dict[str, Any]) -> None:
    assert tool["title"]
    assert tool["version"]
    assert 15 <= len(tool["description"]) <= 1024
    assert normalise_text(tool["description"]) != normalise_text(tool["title"])
    assert set(tool["keywords"]) == {"en", "zh"}
    assert all(tool["keywords"].values())
    assert ToolStatus(tool["status"])
    assert tool["execution"] == Execution.CLIENT


@pytest.mark.parametrize(("owner", "tool"), TOOLS)
def test_demo_tool__schemas__valid_and_closed_to_the_network(owner: str, tool: dict[str, Any]) -> None:
    for schema in filter(None, (tool["parameters"], tool.get("output_schema"))):
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        jsonschema_rs.Draft202012Validator(schema, offline=True, pattern_options=jsonschema_rs.RegexOptions())
        assert schema["type"] == "object"


@pytest.mark.parametrize(("owner", "tool"), TOOLS)
def test_demo_tool__parameters__each_described_in_words_of_its_own(owner: str, tool: dict[str, Any]) -> None:
    for name, schema in find_properties(tool["parameters"]):
        if "$ref" not in schema:
            assert normalise_text(schema["description"]) != normalise_text(name), name


def find_properties(schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property at any depth, inside `$defs` and array items too."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for child in schema.values():
            yield from find_properties(child)
    elif isinstance(schema, list):
        for child in schema:
            yield from find_properties(child)


def test_demo_schemas__all_together__show_what_schemas_can_hold() -> None:
    properties = [pair for _, tool in walk("tools") for pair in find_properties(tool["parameters"])]
    schemas = [schema for _, schema in properties]
    assert any(CHINESE.search(name) for name, _ in properties)
    assert {"date", "date-time", "email", "uri", "uuid"} <= {schema.get("format") for schema in schemas}
    assert any("$ref" in schema for schema in schemas)
    assert any(isinstance(schema.get("type"), list) and "null" in schema["type"] for schema in schemas)
    assert any({"type": "null"} in schema.get("anyOf", []) for schema in schemas)
    assert any("enum" in schema for schema in schemas)
    assert any(schema.get("type") == "array" and schema["items"].get("type") == "object" for schema in schemas)
    assert any(not tool["parameters"]["properties"] for _, tool in walk("tools"))


def test_demo_tools__states__one_draft_one_disabled_one_deprecated_with_successor() -> None:
    by_status: dict[str, list[dict[str, Any]]] = {}
    for _, tool in walk("tools"):
        by_status.setdefault(tool["status"], []).append(tool)
    assert {status: len(tools) for status, tools in by_status.items() if status != "published"} == {
        "draft": 1,
        "disabled": 1,
        "deprecated": 1,
    }
    assert by_status["deprecated"][0]["replaced_by"] == "generate_report"


def test_demo_tools__get_weather__has_the_description_of_the_worked_search() -> None:
    tools = {tool["name"]: tool for tool in DOCUMENTS[SHARED_DOCUMENT]["tools"]}
    assert tools["getWeather"]["description"] == "查询指定城市的实时天气和未来预报"


def b_T3_demo_tools__same_name__two_tenants_and_one_that_hides_a_shared_one() -> None:
    maple, crane = ({tool["name"] for tool in DOCUMENTS[slug]["tools"]} for slug in ("maple-mart", "crane-freight"))
    shared = {tool["name"] for tool in DOCUMENTS[SHARED_DOCUMENT]["tools"]}
    assert "invoice.create" in maple & crane
    assert "route.estimate" in crane & shared


def test_demo_groups__tools__known_and_granted() -> None:
    for owner, group in walk("tool_groups"):
        assert set(group["tools"]) <= names_within(owner, "tools", "name"), group["name"]
        if owner != SHARED_DOCUMENT:
            own = {tool["name"] for tool in DOCUMENTS[owner]["tools"]}
            assert set(group["tools"]) <= own | find_shared_tools_of(owner), group["name"]


def b_G1_demo_groups__content__a_prompt_or_tools_and_some_only_a_prompt() -> None:
    groups = [group for _, group in walk("tool_groups")]
    assert all(group["tools"] or group["system_prompt"] for group in groups)
    assert any(group["match"] == ALWAYS and not group["tools"] for group in groups)
    assert any(CHINESE.search(group["system_prompt"]) for group in groups)
    assert any(group["system_prompt"] and not CHINESE.search(group["system_prompt"]) for group in groups)


def test_demo_groups__for_all_tenants__a_word_for_shared_groups_alone() -> None:
    for owner, group in walk("tool_groups"):
        assert ("for_all_tenants" in group) is (owner == SHARED_DOCUMENT), group["name"]
    assert any(group["for_all_tenants"] for group in DOCUMENTS[SHARED_DOCUMENT]["tool_groups"])


def b_G18_demo_groups__match__said_outright_and_rules_have_rows() -> None:
    for _, group in walk("tool_groups"):
        assert group["match"] in {ALWAYS, RULES}
        assert bool(group.get("matchers")) is (group["match"] == RULES), group["name"]


def b_G17_demo_groups__restricting__say_so_and_have_a_condition_beside_the_message() -> None:
    restricting = [group for _, group in walk("tool_groups") if group["restricts_access"]]
    assert len(restricting) >= 5
    for group in restricting:
        assert {row["source"] for row in group["matchers"]} - {Source.MESSAGE, Source.GROUP}, group["name"]


def b_G11_demo_matchers__all_together__use_every_operator_and_source() -> None:
    rows = find_matchers()
    assert {row["operator"] for row in rows} == set(Operator)
    assert {row["source"] for row in rows} == set(Source)
    assert any(row.get("negate") for row in rows)
    assert any(row.get("whole_word") for row in rows)
    assert any(row["condition_set"] > 1 for row in rows)


def test_demo_matchers__each__has_what_its_source_and_operator_need() -> None:
    without_value = {Operator.EXISTS, Operator.IS_TRUE, Operator.IS_FALSE}
    for row in find_matchers():
        assert bool(row.get("attribute")) is (row["source"] == Source.ATTRIBUTE), row
        assert ("value" in row) is (row["operator"] not in without_value), row
        assert (row["operator"] == Operator.BETWEEN_TIMES) is (row["source"] == Source.TIME), row
        if row["operator"] == Operator.MATCHES_REGEX:
            re2.compile(row["value"])


def b_G3_demo_matchers__on_groups__name_earlier_groups_of_the_same_owner() -> None:
    for owner, group in walk("tool_groups"):
        earlier = {other["name"] for other in DOCUMENTS[owner]["tool_groups"] if other["position"] < group["position"]}
        named = {row["value"] for row in group.get("matchers", []) if row["source"] == Source.GROUP}
        assert named <= earlier, group["name"]


def case_G08_demo_prompts__tool_names__only_of_tools_in_the_same_group() -> None:
    for owner, group in walk("tool_groups"):
        strange = names_within(owner, "tools", "name") - set(group["tools"])
        assert not [name for name in strange if name in group["system_prompt"]], group["name"]


def test_demo_profiles__references__known() -> None:
    for owner, profile in walk("profiles"):
        assert set(profile["resident_tools"]) <= names_within(owner, "tools", "name")
        assert set(profile["groups"] or []) <= names_within(owner, "tool_groups", "name")
        assert set(profile["search"].get("categories") or []) <= names_within(owner, "categories", "slug")
        assert set(profile["search"].get("exclude_tools") or []) <= names_within(owner, "tools", "name")


def test_demo_profiles__each_tenant__one_default_and_two_for_the_first() -> None:
    for slug in TENANTS:
        defaults = [profile for profile in DOCUMENTS[slug]["profiles"] if profile["is_default"]]
        assert len(defaults) == 1, slug
    assert len(DOCUMENTS[TENANTS[0]]["profiles"]) == 2


def test_demo_grants__each__known_tenant_and_one_known_target() -> None:
    shared = DOCUMENTS[SHARED_DOCUMENT]
    known = {
        "tool": {tool["name"] for tool in shared["tools"]},
        "category": {category["slug"] for category in shared["categories"]},
        "tag": {tag["slug"] for tag in shared["tags"]},
        "everything": {True},
    }
    for grant in shared["grants"]:
        assert grant["tenant"] in TENANTS
        assert grant["effect"] in {"allow", "deny"}
        (target,) = GRANT_TARGETS & set(grant)
        assert grant[target] in known[target], grant
    assert {target for grant in shared["grants"] for target in GRANT_TARGETS & set(grant)} == set(known)


@pytest.mark.parametrize("tenant", TENANTS)
def test_demo_grants__each_tenant__has_a_deny_that_beats_an_allow(tenant: str) -> None:
    grants = [grant for grant in DOCUMENTS[SHARED_DOCUMENT]["grants"] if grant["tenant"] == tenant]
    allowed = set().union(*(find_targets(grant) for grant in grants if grant["effect"] == "allow"))
    denied = set().union(*(find_targets(grant) for grant in grants if grant["effect"] == "deny"))
    assert allowed & denied


def test_demo_grants__three_tenants__see_three_different_catalogs() -> None:
    maple, crane, sprout = (find_shared_tools_of(slug) for slug in TENANTS)
    assert {"getWeather", "query_database", "create_jira_ticket"} <= maple
    assert {"get_payslip", "sendSMS"}.isdisjoint(maple)
    assert {"getWeather", "sendSMS", "query_database"} <= crane
    assert {"searchMailbox", "create_jira_ticket"}.isdisjoint(crane)
    assert {"create_jira_ticket", "query_database", "calendar.createEvent"} <= sprout
    assert {"getWeather", "book_meeting_room"}.isdisjoint(sprout)
    assert len({frozenset(tools) for tools in (maple, crane, sprout)}) == 3
