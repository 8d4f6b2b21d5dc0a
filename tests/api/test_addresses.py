"""What every address has in common, also those that are not there."""

from __future__ import annotations

import pytest
from django.test import Client

from toolcatalog.models import Tenant

from .conftest import Api, MakeApi, read_problem

UNKNOWN = [
    "/",
    "",
    "/nothing",
    "/tools/",
    "/resolve/",
    "/v2/tools",
    "/grants/x/y",
    "/exposures/no-uuid",
    "/import/x",
    "/é",
]


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("path", UNKNOWN)
def test_unknown_address__problem_with_and_without_debug(
    settings: object, curator: Api, path: str, debug: bool
) -> None:
    settings.DEBUG = debug  # type: ignore[attr-defined]  # the fixture of pytest-django
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        problem = read_problem(curator.call(method, path), 404)
        assert problem["code"] == "not_found"


def test_unknown_address__with_the_checks_against_forged_forms__404_and_not_403(curator: Api) -> None:
    api = Api(curator.key, Client(enforce_csrf_checks=True))
    read_problem(api.post("/nothing", {}), 404)
    assert api.post("/tools", {"name": "a"}).status_code == 201


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/tools"),
        ("PUT", "/tools"),
        ("POST", "/tools/a"),
        ("GET", "/import"),
        ("POST", "/export"),
        ("PATCH", "/grants"),
        ("GET", "/resolve"),
        ("POST", "/exposures"),
        ("TRACE", "/tools"),
        ("BREW", "/tools"),
    ],
)
def test_method__not_there__405_with_allow(maple: Tenant, make_api: MakeApi, method: str, path: str) -> None:
    api = make_api(maple, "resolve", "execute", "curate", "audit", "manage")
    answer = api.call(method, path)
    read_problem(answer, 405)
    assert answer["Allow"]


@pytest.mark.parametrize("path", ["/tools", "/tools/a", "/nothing", "/export"])
def test_every_answer__has_a_request_id_and_is_not_cached(curator: Api, path: str) -> None:
    answer = curator.get(path)
    assert answer["X-Request-ID"]
    assert answer["Cache-Control"] == "no-store"
    assert curator.get(path, x_request_id="mine-1")["X-Request-ID"] == "mine-1"


def test_host_that_is_not_ours__problem(curator: Api) -> None:
    answer = curator.get("/tools", host="evil example")
    read_problem(answer, 400)


def test_head_and_options__answered(curator: Api) -> None:
    curator.put("/tools/a", {})
    head = curator.call("HEAD", "/tools/a")
    assert (head.status_code, head.content) == (200, b"")
    assert head["ETag"] == curator.get("/tools/a")["ETag"]
    assert curator.call("OPTIONS", "/tools").status_code == 200
