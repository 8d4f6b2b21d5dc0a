"""Entity tags: two curators who change one object, and callers who know it already."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from toolcatalog.curation import create_api_key, create_tenant
from toolcatalog.models import Tenant, Tool

from .conftest import Api, read_problem

OBJECTS = [
    ("/tools/a", {"title": "one"}, {"title": "two"}),
    ("/categories/a", {"title": "one"}, {"title": "two"}),
    ("/tags/a", {"title": "one"}, {"title": "two"}),
    ("/tool-groups/a", {"title": "one"}, {"title": "two"}),
    ("/profiles/a", {"title": "one"}, {"title": "two"}),
]


@pytest.mark.parametrize(("path", "one", "two"), OBJECTS)
def rel_F9_lost_race__412_and_nothing_changed(curator: Api, path: str, one: Any, two: Any) -> None:
    made = curator.put(path, one)
    first = made["ETag"]
    assert first.startswith('"')
    assert curator.get(path)["ETag"] == first
    second = curator.put(path, two, if_match=first)
    assert second.status_code == 200
    assert second["ETag"] != first

    assert read_problem(curator.put(path, one, if_match=first), 412)["code"] == "precondition_failed"
    read_problem(curator.patch(path, one, if_match=first), 412)
    read_problem(curator.delete(path, if_match=first), 412)
    assert curator.get(path).json()["title"] == "two"
    assert curator.delete(path, if_match=f'"x", {second["ETag"]}').status_code == 204


@pytest.mark.parametrize(("path", "one", "two"), OBJECTS)
def test_if_none_match__known_state__304_without_a_body(curator: Api, path: str, one: Any, two: Any) -> None:
    etag = curator.put(path, one)["ETag"]
    for known in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        answer = curator.get(path, if_none_match=known)
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag)
        assert answer["X-Request-ID"]
    curator.put(path, two)
    assert curator.get(path, if_none_match=etag).status_code == 200


def test_preconditions__on_what_is_not_there(curator: Api) -> None:
    read_problem(curator.put("/tools/a", {}, if_match="*"), 412)
    read_problem(curator.patch("/tools/a", {}, if_match='"x"'), 412)
    assert Tool.objects.count() == 0
    assert curator.put("/tools/a", {"title": "x"}, if_none_match="*").status_code == 201
    read_problem(curator.put("/tools/a", {}, if_none_match="*"), 412)
    assert curator.put("/tools/a", {"title": "y"}, if_match="*").status_code == 200
    assert curator.get("/tools/a").json()["title"] == "y"


def test_weak_tag__never_enough_to_write(curator: Api) -> None:
    etag = curator.put("/tools/a", {})["ETag"]
    read_problem(curator.put("/tools/a", {"title": "x"}, if_match=f"W/{etag}"), 412)


def test_grant__tag_and_race(manager: Api, maple: Tenant) -> None:
    made = manager.post("/grants", {"tenant": "maple", "everything": True})
    path = f"/grants/{made.json()['id']}"
    assert manager.get(path)["ETag"] == made["ETag"]
    assert manager.patch(path, {"note": "x"}, if_match=made["ETag"]).status_code == 200
    read_problem(manager.patch(path, {"note": "y"}, if_match=made["ETag"]), 412)


def test_order_of_keys__another_tag__since_models_read_it(curator: Api) -> None:
    properties: dict[str, Any] = {"a": {}, "b": {}}
    first = curator.put("/tools/a", {"parameters": {"type": "object", "properties": properties}})
    turned = dict(reversed(properties.items()))
    second = curator.put("/tools/a", {"parameters": {"type": "object", "properties": turned}})
    assert first["ETag"] != second["ETag"]


def test_renamed_category__changes_the_tag_of_its_tools(curator: Api) -> None:
    etag = curator.put("/tools/a", {"category": "mail"})["ETag"]
    curator.patch("/categories/mail", {"slug": "post"})
    assert curator.get("/tools/a").json()["category"] == "post"
    assert curator.get("/tools/a")["ETag"] != etag


@pytest.mark.django_db(transaction=True)
def rel_F9_many_at_once__one_wins_each_round() -> None:
    """Eight curators write with the same tag at the same moment: one is let in, whoever it is."""
    tenant = create_tenant("racing")
    api = Api(create_api_key(tenant, ["curate"], name="k").secret)
    etag = api.put("/tools/a", {})["ETag"]
    with ThreadPoolExecutor(8) as pool:
        for round_ in range(3):
            writes = [pool.submit(write, str(api.key), f"{round_}-{number}", etag) for number in range(8)]
            statuses = [write.result() for write in writes]
            assert sorted(statuses) == [200, *[412] * 7]
            etag = api.get("/tools/a")["ETag"]
        titles = [pool.submit(create, str(api.key)).result() for _ in range(2)]
        made = [pool.submit(create, str(api.key), "b") for _ in range(8)]
        assert sorted(each.result() for each in made) == [201, *[422] * 7]
        assert titles == [201, 422]
    assert Tool.objects.get(name="a").revision == 4


def write(key: str, title: str, etag: str) -> int:
    try:
        status: int = Api(key).patch("/tools/a", {"title": title}, if_match=etag).status_code
        return status
    finally:
        connections.close_all()


def create(key: str, name: str = "c") -> int:
    try:
        status: int = Api(key).post("/tools", {"name": name}).status_code
        return status
    finally:
        connections.close_all()
