"""What bodies say beside what is asked: other tenants, keys that mean nothing, what cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from toolcatalog.models import Tenant, Tool

from .conftest import Api, MakeApi, codes_of, read_problem

BODIES: dict[str, dict[str, Any]] = {
    "/resolve": {"prompt": "x"},
    "/search": {"query": "x"},
    "/tool-calls": {"message": {"role": "assistant", "content": "x"}},
    "/tools/clock/availability": {"prompt": "x"},
}


@pytest.fixture
def agent(maple: Tenant, make_api: MakeApi) -> Api:
    make_api(maple, "curate").put("/tools/clock", {"description": "Tells the time."})
    return make_api(maple, "resolve", "execute")


@pytest.mark.parametrize("path", [*BODIES, "/tools/clock/execute"])
@pytest.mark.parametrize("key", ["tenant", "tenant_id"])
@pytest.mark.parametrize("named", ["crane", "", 5, []])
def rel_T1_another_tenant_in_the_body__forbidden(agent: Api, path: str, key: str, named: object) -> None:
    body = BODIES.get(path, {})
    for asked in ({**body, key: named}, {**body, "context": {key: named}}):
        assert read_problem(agent.post(path, asked), 403)["code"] == "other_tenant"


@pytest.mark.parametrize("path", BODIES)
def test_tenant_in_the_body__the_keys_own__accepted(agent: Api, path: str) -> None:
    answer = agent.post(path, {**BODIES[path], "tenant": "maple", "context": {"tenant": "maple"}})
    assert answer.status_code == 200, answer.content
    assert answer.json()["notices"] == []


def rel_T1_another_tenant_in_an_object__forbidden(curator: Api) -> None:
    for key in ("tenant", "tenant_id"):
        assert read_problem(curator.post("/tools", {"name": "x", key: "crane"}), 403)["code"] == "other_tenant"
        assert codes_of(curator.post("/tools", {"name": "x", key: "maple"})) == {key: "unknown_field"}
    assert not Tool.objects.exists()


@pytest.mark.parametrize("path", BODIES)
def test_key_that_means_nothing__is_noticed_with_its_place(agent: Api, path: str) -> None:
    answer = agent.post(path, {**BODIES[path], "mesages": [], "context": {"acount_id": "u"}})
    assert answer.status_code == 200, answer.content
    notices = [(notice["code"], notice["name"]) for notice in answer.json()["notices"]]
    assert notices == [("unknown_field", "context.acount_id"), ("unknown_field", "mesages")]


@pytest.mark.parametrize(
    ("body", "path", "part"),
    [
        ({"prompt": "x", "disclosure": "meat"}, "disclosure", "inline, native, meta"),
        ({"prompt": "x", "return": ["tool"]}, "return[0]", "request, tools"),
        ({"prompt": "x", "exposure_policy": 5}, "exposure_policy", "latest_turn"),
        ({"prompt": "x", "groups": "a"}, "groups", "JSON list"),
        ({"prompt": "x", "versions": []}, "versions", "JSON object"),
        ({"prompt": "x", "context": []}, "context", "JSON object"),
    ],
)
def test_wrong_kind_of_value__the_error_says_what_would_do(
    agent: Api, body: dict[str, Any], path: str, part: str
) -> None:
    (error,) = read_problem(agent.post("/resolve", body), 422)["errors"]
    assert error["path"] == path
    assert part in error["message"]


def test_blank_profile__is_no_profile(agent: Api) -> None:
    problem = read_problem(agent.post("/resolve", {"prompt": "x", "profile": ""}), 422)
    assert "no profile “”" in problem["detail"]


def rel_T24_what_cannot_be_stored__400_with_its_path(agent: Api) -> None:
    answer = agent.post("/resolve", {"prompt": "x", "context": {"attributes": {"a": ["b", "c\x00"]}}})
    assert codes_of(answer, 400) == {"context.attributes.a[1]": "unstorable"}
    assert codes_of(agent.send("POST", "/resolve", '{"prompt": '), 400) == {"": "unreadable"}
