"""The compiled catalog of a process: brought up to date piece by piece, it is what a fresh one would be."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    make_tools,
    resolve,
    says,
    search,
    set_tenant,
)
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import LabelDocument, delete_grant, delete_group, delete_tool, save_label
from toolcatalog.models import AgentProfile, Category, Grant, Matcher, Tag, Tenant, Tool, ToolGroup
from toolcatalog.resolution import TenantCatalog
from toolcatalog.resolution.store import CatalogStore, read_stamp, refresh_catalog

pytestmark = pytest.mark.django_db


def picture(catalog: TenantCatalog) -> dict[str, Any]:
    """All that a catalog says, in a form that can be compared."""
    return {
        "stamp": catalog.stamp,
        "tenant": catalog.tenant,
        "tools": dict(catalog.tools),
        "own": dict(catalog.own),
        "shared": dict(catalog.shared),
        "granted": catalog.granted,
        "grants": set(catalog.grants),
        "groups": [group.record for group in catalog.groups.groups],
        "profile_groups": {
            profile: [group.record for group in book.groups] for profile, book in catalog.profile_groups.items()
        },
        "named": dict(catalog.named),
        "restricting": dict(catalog.restricting),
        "profiles": dict(catalog.profiles),
        "names": catalog.visible_names(),
    }


def assert_fresh(store: CatalogStore, tenant: Tenant) -> None:
    """What the store has is what is read from nothing."""
    kept = picture(store.get(tenant.pk))
    fresh = picture(refresh_catalog(None, tenant.pk, read_stamp()))
    assert kept == fresh


# Edits of one thing, each of which may touch what was compiled of another


def world() -> tuple[Tenant, Tenant]:
    """Two tenants, own and shared tools of one name, groups, grants, labels and a replacement."""
    one, two = make_tenant(), make_tenant()
    for owner in (None, one, two):
        first = {"name": "a", "description": "A.", "category": "shelf", "tags": ("label",)}
        make_tools(owner, [first, {"name": "b", "description": "B."}])
        make_tool(owner, "c", "C.", status="deprecated", replaced_by="b")
    for tenant in (one, two):
        make_group(tenant, "g", ["a", "b"], says("x"), fact("staff", "is_true"))
        make_profile(tenant, resident_tools=("b",))
        grant(tenant, category="shelf")
    make_group(None, "shared", ["a", "c"], says("x"), for_all_tenants=True)
    return one, two


def a_tool(draw: Callable[[Any], Any]) -> Tool:
    tool: Tool = draw(st.sampled_from(list(Tool.objects.order_by("pk"))))
    return tool


def a_group(draw: Callable[[Any], Any]) -> ToolGroup:
    group: ToolGroup = draw(st.sampled_from(list(ToolGroup.objects.order_by("pk"))))
    return group


def edit_a_tool(draw: Callable[[Any], Any]) -> None:
    changes: dict[str, Any] = draw(
        st.sampled_from(
            [
                {"description": "Other."},
                {"version": "2.0", "description": "Newer."},
                {"status": "disabled"},
                {"status": "published"},
                {"category": None},
                {"category": "shelf"},
                {"category": "new shelf"},
                {"tags": ()},
                {"tags": ("label", "second")},
                {"searchable": False},
                {"replaced_by": None},
            ]
        )
    )
    edit_tool(a_tool(draw), **changes)


def rename_a_tool(draw: Callable[[Any], Any]) -> None:
    tool = a_tool(draw)
    name = draw(st.sampled_from("abcdefgh"))
    if not Tool.objects.filter(owner=tool.owner, name=name).exists():
        edit_tool(tool, name=name)


def delete_a_tool(draw: Callable[[Any], Any]) -> None:
    if Tool.objects.count() > 3:
        delete_tool(a_tool(draw), AUTHOR)


def make_a_tool(draw: Callable[[Any], Any]) -> None:
    owner = draw(st.sampled_from([None, *Tenant.objects.order_by("pk")]))
    name = draw(st.sampled_from("abcdefgh"))
    if not Tool.objects.filter(owner=owner, name=name).exists():
        make_tool(owner, name, "New.", category=draw(st.sampled_from([None, "shelf"])))


def give_a_tool_away(draw: Callable[[Any], Any]) -> None:
    """Past every service: a tool gets another owner."""
    tool, owner = a_tool(draw), draw(st.sampled_from([None, *Tenant.objects.order_by("pk")]))
    if not Tool.objects.filter(owner=owner, name=tool.name).exists():
        Tool.objects.filter(pk=tool.pk).update(owner=owner)


def change_grants(draw: Callable[[Any], Any]) -> None:
    tenant = draw(st.sampled_from(list(Tenant.objects.order_by("pk"))))
    grants = list(Grant.objects.order_by("pk"))
    if grants and draw(st.booleans()):
        delete_grant(draw(st.sampled_from(grants)))
    else:
        give = draw(st.sampled_from([grant, deny]))
        give(tenant, **draw(st.sampled_from([{"everything": True}, {"category": "shelf"}, {"tag": "label"}])))


def rename_a_label(draw: Callable[[Any], Any]) -> None:
    model: Any = draw(st.sampled_from([Category, Tag]))
    label = draw(st.sampled_from([*model.objects.order_by("pk")]))
    slug = draw(st.sampled_from(["shelf", "label", "other", "third"]))
    if not model.objects.filter(owner=label.owner, slug=slug).exists():
        save_label(model, label.owner, LabelDocument(slug), label=label)


def edit_a_group(draw: Callable[[Any], Any]) -> None:
    changes: dict[str, Any] = draw(
        st.sampled_from(
            [
                {"tools": ()},
                {"matchers": (says("y"),)},
                {"status": "draft"},
                {"status": "published"},
                {"position": 1},
                {"system_prompt": "Words."},
                {"restricts_access": True},
                {"restricts_access": None},
            ]
        )
    )
    edit_group(a_group(draw), **changes)


def delete_a_group(draw: Callable[[Any], Any]) -> None:
    if ToolGroup.objects.count() > 1:
        delete_group(a_group(draw), AUTHOR)


def edit_a_condition_by_sql(draw: Callable[[Any], Any]) -> None:
    Matcher.objects.filter(group=a_group(draw)).update(value=["z"], negate=draw(st.booleans()))


def edit_a_profile(draw: Callable[[Any], Any]) -> None:
    profile = draw(st.sampled_from(list(AgentProfile.objects.order_by("pk"))))
    changes: dict[str, Any] = draw(
        st.sampled_from(
            [{"resident_tools": ()}, {"groups": ()}, {"groups": None}, {"max_tools": 5}, {"search": {"max_results": 9}}]
        )
    )
    edit_profile(profile, **changes)


def edit_a_tenant(draw: Callable[[Any], Any]) -> None:
    set_tenant(draw(st.sampled_from(list(Tenant.objects.order_by("pk")))), max_sessions=draw(st.integers(1, 9)))


EDITS = [
    edit_a_tool,
    rename_a_tool,
    delete_a_tool,
    make_a_tool,
    give_a_tool_away,
    change_grants,
    rename_a_label,
    edit_a_group,
    delete_a_group,
    edit_a_condition_by_sql,
    edit_a_profile,
    edit_a_tenant,
]


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(data=st.data())
def test_catalog__after_any_edits__is_what_a_fresh_one_would_be(db: None, data: st.DataObject) -> None:
    with transaction.atomic():
        tenants = world()
        store = CatalogStore()
        for edit in data.draw(st.lists(st.sampled_from(EDITS), min_size=1, max_size=6)):
            undo = data.draw(st.integers(0, 4)) == 0
            with transaction.atomic():
                with suppress(InvalidInput):  # what services refuse is no edit
                    edit(data.draw)
                if undo or data.draw(st.booleans()):
                    assert_fresh(store, tenants[0])
                transaction.set_rollback(undo)
        for tenant in tenants:
            assert_fresh(store, tenant)
        transaction.set_rollback(True)


# States that were rolled back


def undo(edit: Callable[[], object]) -> None:
    """Do something, look at it, and take it back."""
    with transaction.atomic():
        edit()
        transaction.set_rollback(True)


def test_state_rolled_back__another_of_the_same_revision__is_not_taken_for_it() -> None:
    tenant = make_tenant()
    one, two = make_tool(tenant, "one", "Old."), make_tool(tenant, "two", "Old.")
    make_profile(tenant, resident_tools=("one", "two"))
    store = CatalogStore()
    stamps = []

    def look() -> tuple[str, ...]:
        catalog = store.get(tenant.pk)
        stamps.append(catalog.stamp.revision)
        return tuple(tool.content.description for _, tool in sorted(catalog.own.items()))

    assert look() == ("Old.", "Old.")
    undo(lambda: (edit_tool(one, description="New."), look()))
    edit_tool(two, description="New.")
    assert look() == ("Old.", "New.")
    assert stamps[1] == stamps[2]  # the same revision number, another state


def test_state_rolled_back__later_revisions__are_not_built_on_it() -> None:
    tenant = make_tenant()
    one, two = make_tool(tenant, "one", "Old."), make_tool(tenant, "two", "Old.")
    store = CatalogStore()
    undo(lambda: (edit_tool(one, description="New."), store.get(tenant.pk)))
    edit_tool(two, description="New.")
    edit_tool(two, description="Newer.")
    own = store.get(tenant.pk).own
    assert (own["one"].content.description, own["two"].content.description) == ("Old.", "Newer.")


def test_unchanged_catalog__asked_again__is_the_same_object() -> None:
    tenant = make_tenant()
    make_tool(tenant, "one")
    store = CatalogStore()
    first = store.get(tenant.pk)
    resolve(tenant)
    search(tenant, "one")
    assert store.get(tenant.pk) is first
    set_tenant(tenant, max_sessions=5)
    assert store.get(tenant.pk).tenant.max_sessions == 5


def test_tools_that_did_not_change__are_taken_over() -> None:
    tenant = make_tenant()
    kept, edited = make_tool(tenant, "kept"), make_tool(tenant, "edited")
    store = CatalogStore()
    before = store.get(tenant.pk)
    edit_tool(edited, description="New.")
    after = store.get(tenant.pk)
    assert after is not before
    assert after.tools[kept.pk] is before.tools[kept.pk]
    assert after.tools[edited.pk] is not before.tools[edited.pk]


def test_more_tenants_than_are_kept__the_one_not_asked_for_longest_goes() -> None:
    one, two, three = (make_tenant() for _ in range(3))
    store = CatalogStore(most=2)
    first, second = store.get(one.pk), store.get(two.pk)
    assert store.get(one.pk) is first
    store.get(three.pk)
    assert store.get(one.pk) is first
    assert store.get(two.pk) is not second
