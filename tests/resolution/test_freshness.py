"""C03, C05, C06 and rule 9: an edit is in the next request of every process, and two processes answer alike."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from django.db import connections

from tests.support import (
    AUTHOR,
    deny,
    edit_group,
    edit_profile,
    edit_tool,
    fact,
    grant,
    make_group,
    make_profile,
    make_tenant,
    make_tool,
    parameters_of,
    resolve,
    says,
    search,
    sent,
)
from tests.support.second_process import SecondProcess
from toolcatalog.curation import delete_grant, delete_tool, editing
from toolcatalog.models import AgentProfile, Grant, Matcher, Tenant, Tool
from toolcatalog.resolution.store import CatalogStore

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def other(django_db_setup: None) -> Iterator[SecondProcess]:
    """One process for all tests: between them everything is deleted, and revisions begin anew."""
    with SecondProcess() as process:
        yield process


@pytest.fixture
def tenant() -> Tenant:
    """A tenant with an own and a granted tool, both up front where the message says so."""
    tenant = make_tenant()
    make_tool(None, "shared", "Shared.")
    grant(tenant, "shared")
    make_tool(tenant, "own", "Old words.", parameters=parameters_of(old="Old"))
    make_group(tenant, "g", ["own", "shared"], says("hello"))
    make_profile(tenant, search={"enabled": False})
    return tenant


def both(other: SecondProcess, tenant: Tenant, message: str = "hello", **fields: Any) -> list[str]:
    """The tools that both processes answer with: the same bytes under the same digest."""
    here, there = resolve(tenant, message, **fields), other.resolve(tenant.pk, message=message, **fields)
    assert there["tools"] == sent(here)
    assert there["digest"] == here.snapshot.digest
    assert there["revision"] == here.snapshot.catalog_revision
    assert there["system_prompt"] == here.system_prompt
    names: list[str] = there["tool_names"]
    assert names == list(here.tool_names)
    return names


def case_C03_edited_tool__in_the_next_answer_of_every_process(tenant: Tenant, other: SecondProcess) -> None:
    assert both(other, tenant) == ["own", "shared"]
    tool = Tool.objects.get(name="own")
    edit_tool(tool, description="New words.", parameters=parameters_of(new="New"))
    both(other, tenant)
    (own, _) = other.resolve(tenant.pk, message="hello")["tools"]
    assert (own["description"], list(own["parameters"]["properties"])) == ("New words.", ["new"])
    edit_tool(tool, name="renamed")
    assert both(other, tenant) == ["renamed", "shared"]
    edit_tool(tool, status="disabled")
    assert both(other, tenant) == ["shared"]
    delete_tool(tool, AUTHOR)
    assert both(other, tenant) == ["shared"]


def case_C03_edited_tool__found_by_its_new_words_in_every_process(tenant: Tenant, other: SecondProcess) -> None:
    make_profile(tenant)
    assert other.search(tenant.pk, "old words")["names"] == ["own"]
    edit_tool(Tool.objects.get(name="own"), description="Fresh text.", parameters=parameters_of())
    assert other.search(tenant.pk, "old words")["names"] == list(search(tenant, "old words").names) == []
    assert other.search(tenant.pk, "fresh text")["names"] == list(search(tenant, "fresh text").names) == ["own"]


def test_revoked_grant__in_the_next_answer_of_every_process(tenant: Tenant, other: SecondProcess) -> None:
    make_profile(tenant, resident_tools=("shared",))
    assert both(other, tenant, "bye") == ["shared", "toolSearch"]
    denied = deny(tenant, "shared")
    assert both(other, tenant, "bye") == ["toolSearch"]
    assert other.search(tenant.pk, "shared")["names"] == []
    delete_grant(denied)
    assert both(other, tenant, "bye") == ["shared", "toolSearch"]
    for given in Grant.objects.filter(tenant=tenant):
        delete_grant(given)
    assert both(other, tenant, "bye") == ["toolSearch"]


def case_C05_changed_profile__in_the_next_answer_of_every_process(tenant: Tenant, other: SecondProcess) -> None:
    profile = AgentProfile.objects.get(tenant=tenant)
    assert both(other, tenant, "bye") == []
    edit_profile(profile, resident_tools=("own",), search={"enabled": True, "default_results": 1})
    assert both(other, tenant, "bye") == ["own", "toolSearch"]
    for name in ("image_a", "image_b"):
        make_tool(tenant, name, "Image.")
    assert len(other.search(tenant.pk, "image")["names"]) == 1
    edit_profile(profile, search={"default_results": 2})
    assert len(other.search(tenant.pk, "image")["names"]) == 2
    edit_profile(profile, groups=())
    assert both(other, tenant, "hello") == ["own", "toolSearch"]


def case_C05_changed_rule__in_the_next_answer_of_every_process(tenant: Tenant, other: SecondProcess) -> None:
    group = tenant_group(tenant)
    assert both(other, tenant) == ["own", "shared"]
    edit_group(group, matchers=(says("bye"),), system_prompt="Farewell.")
    assert both(other, tenant, "hello") == []
    assert both(other, tenant, "bye") == ["own", "shared"]


def test_rule_edited_by_sql__in_the_next_answer_of_every_process(tenant: Tenant, other: SecondProcess) -> None:
    assert both(other, tenant) == ["own", "shared"]
    Matcher.objects.filter(group=tenant_group(tenant)).update(value=["bye"])
    assert both(other, tenant, "hello") == []
    assert both(other, tenant, "bye") == ["own", "shared"]


def tenant_group(tenant: Tenant) -> Any:
    return Matcher.objects.get(group__owner=tenant).group


def case_C06_two_tenants_and_two_roles__in_turn__three_right_answers(tenant: Tenant, other: SecondProcess) -> None:
    second = make_tenant()
    make_tool(second, "own", "Of the second.")
    make_group(second, "g", ["own"], says("hello"), fact("staff", "is_true"))
    make_profile(second, search={"enabled": False})
    for _ in range(2):
        assert both(other, tenant) == ["own", "shared"]
        assert both(other, second) == []
        assert both(other, second, attributes={"staff": True}) == ["own"]
        assert other.resolve(second.pk, message="hello", attributes={"staff": True})["tools"][0]["description"] == (
            "Of the second."
        )


def test_sessions__are_shared_by_all_processes(tenant: Tenant, other: SecondProcess) -> None:
    make_profile(tenant)
    search(tenant, "own", session_id="s")
    assert both(other, tenant, "bye", session_id="s") == ["toolSearch", "own"]
    other.search(tenant.pk, "shared", session_id="s")
    assert both(other, tenant, "bye", session_id="s") == ["toolSearch", "shared"]


# Edits during requests


def rel_F10_edits_during_requests__each_answer_is_wholly_of_one_state(tenant: Tenant) -> None:
    """One edit changes a tool, a group and a profile at once; no catalog may hold a part of it only."""
    tool, group = Tool.objects.get(name="own"), tenant_group(tenant)
    profile = AgentProfile.objects.get(tenant=tenant)
    store = CatalogStore()
    done = Event()

    def edit(number: int) -> None:
        with editing():
            edit_tool(tool, description=str(number))
            edit_group(group, system_prompt=str(number))
            edit_profile(profile, default_model=str(number))

    seen: set[tuple[str, str, str | None]] = set()

    def look(fresh: bool) -> None:
        try:
            while not done.is_set():
                catalog = (CatalogStore() if fresh else store).get(tenant.pk)
                (of_group,) = (one.record.system_prompt for one in catalog.groups.groups)
                seen.add((catalog.own["own"].content.description, of_group, catalog.profiles["default"].default_model))
        finally:
            connections.close_all()

    edit(0)
    with ThreadPoolExecutor(4) as threads:
        looking = [threads.submit(look, fresh) for fresh in (True, True, False, False)]
        try:
            number = 0
            while number < 14 or (len(seen) < 3 and not any(one.done() for one in looking)):
                number += 1
                edit(number)
        finally:
            done.set()
        for one in looking:
            one.result()
    assert all(len(set(state)) == 1 for state in seen)
    assert store.get(tenant.pk).own["own"].content.description == str(number)


def case_S31_many_requests_and_an_edit_at_once__no_error_and_the_edit_is_seen(tenant: Tenant) -> None:
    tool = Tool.objects.get(name="own")

    def ask(_: int) -> str:
        try:
            (own, _shared) = sent(resolve(tenant, "hello"))
            return str(own["description"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        answers = threads.map(ask, range(40))
        edit_tool(tool, description="New words.")
        assert set(answers) <= {"Old words.", "New words."}
    assert ask(0) == "New words."
