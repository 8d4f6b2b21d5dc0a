"""What holds for any catalog: whatever is listed can be had, whatever is found comes, and equal requests are equal."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import (
    ANTHROPIC,
    DIALECTS,
    Dialect,
    availability,
    deny,
    fact,
    grant,
    make_group,
    make_profile,
    make_resolve_request,
    make_tenant,
    make_tools,
    resolve,
    says,
    search,
    sent,
)
from toolcatalog.contract.catalog import SearchMode
from toolcatalog.contract.resolve import ResolveAnswer
from toolcatalog.models import Tenant, Tool
from toolcatalog.resolution import CATALOGS, Permission, judge_groups, make_context

pytestmark = pytest.mark.django_db

bounded = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)

NAMES = ["image", "image_a", "image.b", "image_c", "图像_image"]
STATUSES = ["published"] * 4 + ["deprecated", "disabled", "draft", "in_review", "retired"]
SHELVES = [None, "shelf", "other"]

tools: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "status": st.sampled_from(STATUSES),
        "category": st.sampled_from(SHELVES),
        "tags": st.sampled_from([(), ("label",)]),
        "searchable": st.sampled_from([True, True, True, False]),
        "callback": st.sampled_from([None, None, None, "not.here"]),
    }
).map(lambda fields: {**fields, "execution": "callback" if fields["callback"] else "client"})
catalogs: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries({name: st.none() | tools for name in NAMES})
targets: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{"everything": True}, {"category": "shelf"}, {"tag": "label"}]
)
conditions = st.lists(
    st.sampled_from([says("image"), fact("staff", "is_true"), fact("plan", "equals", "gold", condition_set=2)]),
    max_size=3,
    unique_by=str,
)
groups: st.SearchStrategy[list[dict[str, Any]]] = st.lists(
    st.fixed_dictionaries(
        {
            "tools": st.lists(st.sampled_from(NAMES), unique=True, max_size=3),
            "rows": conditions,
            "restricts_access": st.sampled_from([None, True, False]),
            "status": st.sampled_from(["published", "published", "draft"]),
            "system_prompt": st.sampled_from(["", "Words.", "More words."]),
        }
    ),
    max_size=2,
)
profiles: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "residents": st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
        "all_groups": st.booleans(),
        "search": st.fixed_dictionaries(
            {
                "enabled": st.sampled_from([True, True, False, "groups"]),
                "categories": st.sampled_from([None, None, ("shelf",)]),
                "tags": st.sampled_from([None, None, ("label",)]),
                "exclude_tools": st.sampled_from([(), (), ("image_a",)]),
                "inline_below_tokens": st.sampled_from([None, None, 100]),
            }
        ),
        "versions": st.sampled_from([{}, {}, {"image": "9"}, {"image_a": "1.0"}]),
        "max_tools": st.sampled_from([128, 128, 3]),
    }
)
contexts: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "message": st.sampled_from(["an image, please", "hello"]),
        "attributes": st.sampled_from([{}, {"staff": True}, {"plan": "gold"}, {"staff": "true"}]),
    }
)


@dataclass(frozen=True)
class World:
    """A tenant with a catalog, one more tenant beside it, and what both may have of the shared tools."""

    tenant: Tenant
    neighbour: Tenant


def build(data: st.DataObject) -> World:
    """Draw a catalog and make it."""
    world = World(make_tenant(), make_tenant())
    made: set[str] = set()
    for owner in (None, world.tenant, world.neighbour):
        drawn = {name: fields for name, fields in data.draw(catalogs).items() if fields is not None}
        make_tools(owner, [{"name": name, "description": f"An image of {owner}.", **drawn[name]} for name in drawn])
        if owner is not world.neighbour:
            made |= set(drawn)
    for give, most in ((grant, 3), (deny, 1)):
        for target in data.draw(st.lists(targets, max_size=most, unique_by=str)):
            if _has_target(target):
                give(world.tenant, **target)
    for number, group in enumerate(data.draw(groups)):
        rows = group["rows"] or []
        make_group(
            world.tenant,
            f"g{number}",
            [name for name in group["tools"] if name in made],
            *rows,
            restricts_access=group["restricts_access"],
            status=group["status"],
            system_prompt=group["system_prompt"],
            position=number,
        )
    profile = data.draw(profiles)
    make_profile(
        world.tenant,
        resident_tools=tuple(name for name in profile["residents"] if name in made),
        groups=None if profile["all_groups"] else (),
        search=profile["search"],
        versions=profile["versions"],
        max_tools=profile["max_tools"],
    )
    return world


def _has_target(target: dict[str, Any]) -> bool:
    shared = Tool.objects.filter(owner=None)
    if "category" in target:
        return shared.filter(category__slug=target["category"]).exists()
    return "tag" not in target or shared.filter(tags__slug=target["tag"]).exists()


def decide_all(world: World, context: dict[str, Any]) -> tuple[set[str], set[str]]:
    """The names that the decision function allows, and those that a search may find."""
    catalog = CATALOGS.get(world.tenant.pk)
    (profile,) = catalog.profiles.values()
    given_context = make_resolve_request(**context).context
    evaluation, _ = make_context(catalog, profile, given_context, context["message"])
    _, opened = judge_groups(catalog, profile, evaluation, explain=False)
    permission = Permission(catalog, profile, opened)
    allowed = {name for name in NAMES if permission.decide(name).allowed}
    findable = {name for name in NAMES if permission.may_find(name)}
    assert profile.search.mode is not SearchMode.OFF or not findable
    return allowed, findable


@bounded
@given(data=st.data())
def test_any_catalog__list_equals_callable(db: None, data: st.DataObject) -> None:
    with transaction.atomic():
        world, context = build(data), data.draw(contexts)
        allowed, findable = decide_all(world, context)
        answer = resolve(world.tenant, active_tools=tuple(NAMES), **context)
        own = set(answer.tool_names) - {"toolSearch"}
        assert own <= allowed
        assert set(answer.active_tools) == findable
        for name in NAMES:
            told = availability(world.tenant, name, active_tools=tuple(NAMES), **context)
            assert told.available is (name in own)
        cut = {omission.name for omission in answer.omitted}
        assert findable <= own | cut
        assert own.isdisjoint(cut)
        transaction.set_rollback(True)


@bounded
@given(data=st.data())
def test_any_catalog__what_a_search_finds__is_in_the_next_answer(db: None, data: st.DataObject) -> None:
    with transaction.atomic():
        world, context = build(data), data.draw(contexts)
        dialect = data.draw(st.sampled_from(DIALECTS))
        _, findable = decide_all(world, context)
        found = search(world.tenant, "image", max_results=20, format=dialect.format, attributes=context["attributes"])
        assert set(found.names) == findable
        names = [result.exported_name or result.name for result in found.results]
        messages = [dialect.user(context["message"]), *dialect.search(*names), dialect.user("Go on.")]
        fields: dict[str, Any] = {"messages": messages, "attributes": context["attributes"], "format": dialect.format}
        answer = resolve(world.tenant, **fields)
        cut = {omission.name for omission in answer.omitted}
        assert set(found.names) <= set(answer.tool_names) | cut
        assert answer.active_tools == found.names
        transaction.set_rollback(True)


@bounded
@given(data=st.data())
def test_any_catalog__nothing_of_another_tenant__is_ever_sent(db: None, data: st.DataObject) -> None:
    with transaction.atomic():
        world, context = build(data), data.draw(contexts)
        answer = resolve(world.tenant, active_tools=tuple(NAMES), explain=True, **context)
        found = search(world.tenant, "image", max_results=20, attributes=context["attributes"])
        for shown in (str(sent(answer)), str(found)):
            assert f"An image of {world.neighbour}." not in shown
        granted = CATALOGS.get(world.tenant.pk).granted
        shared = {tool.name for tool in Tool.objects.filter(pk__in=granted)}
        owned = set(Tool.objects.filter(owner=world.tenant).values_list("name", flat=True))
        assert {*found.names, *answer.tool_names} - {"toolSearch"} <= shared | owned
        transaction.set_rollback(True)


def bytes_of(answer: ResolveAnswer) -> bytes:
    """What "the same bytes" means: tools, system prompt and digest."""
    return orjson.dumps([answer.tools, answer.system_prompt, answer.snapshot.digest])


@bounded
@given(data=st.data())
def test_any_catalog__same_request_twice__same_bytes_and_nothing_changed(db: None, data: st.DataObject) -> None:
    with transaction.atomic():
        world, context = build(data), data.draw(contexts)
        dialect = data.draw(st.sampled_from(DIALECTS))
        fields: dict[str, Any] = {
            "messages": [dialect.user(context["message"]), *dialect.search(*NAMES), dialect.user("image")],
            "tools": [{"name": "image", "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}}],
            "attributes": {**context["attributes"], "deep": {"list": [1, {"x": None}]}},
            "versions": {"image_c": data.draw(st.sampled_from(["1.0", "9"]))},
            "format": dialect.format,
        }
        before = copy.deepcopy(fields)
        first, second = (resolve(world.tenant, **fields) for _ in range(2))
        assert bytes_of(first) == bytes_of(second)
        assert first.snapshot.id != second.snapshot.id
        assert fields == before
        transaction.set_rollback(True)


@bounded
@given(data=st.data())
def test_any_catalog__resolved_again__changes_nothing(db: None, data: st.DataObject) -> None:
    with transaction.atomic():
        world, context = build(data), data.draw(contexts)
        dialect: Dialect = data.draw(st.sampled_from(DIALECTS))
        base = data.draw(st.sampled_from([None, "You are a clerk.", "Words.", " "]))
        messages: Any = [dialect.user("image"), *dialect.search(*NAMES), dialect.user(context["message"])]
        fields: dict[str, Any] = {"attributes": context["attributes"], "format": dialect.format}
        first = resolve(world.tenant, messages=messages, system_prompt=base, **fields)
        system: dict[str, Any] = {"system_prompt": first.system_prompt} if dialect is ANTHROPIC else {}
        second = resolve(world.tenant, messages=first.messages, **fields, **system)
        assert list(second.messages or ()) == list(first.messages or ())
        assert bytes_of(second) == bytes_of(first)
        assert orjson.dumps(second.request) == orjson.dumps(first.request)
        transaction.set_rollback(True)
