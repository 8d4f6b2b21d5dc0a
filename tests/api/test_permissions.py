"""Who may do what with whose objects: one table, tried out in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.lasting import db, whole_module
from toolcatalog.curation import create_api_key, create_tenant
from toolcatalog.models import ApiKey, Category, Grant, Tag, Tenant, Tool, ToolGroup

from .conftest import Api, MakeApi, codes_of, read_problem

__all__ = ["db", "whole_module"]

SCOPES = [*ApiKey.SCOPES, "curate+manage"]
OBJECTS = ("own", "theirs", "granted", "denied")
KINDS = ("tools", "categories", "tags", "tool-groups")
VERBS: dict[str, Callable[[Api, str, str], Any]] = {
    "get": lambda api, path, owner: api.get(f"{path}{owner}"),
    "put": lambda api, path, owner: api.put(f"{path}{owner}", {}),
    "patch": lambda api, path, owner: api.patch(f"{path}{owner}", {}),
    "delete": lambda api, path, owner: api.delete(f"{path}{owner}"),
}

# (object, the parameter owner=shared is sent) to the answers to get, put, patch and delete.
AS_CURATOR = {
    ("own", False): (200, 200, 200, 204),
    ("theirs", False): (404, 201, 404, 404),
    ("granted", False): (200, 403, 403, 403),
    ("denied", False): (404, 201, 404, 404),
    ("own", True): (404, 403, 403, 403),
    ("theirs", True): (404, 403, 403, 403),
    ("granted", True): (200, 403, 403, 403),
    ("denied", True): (404, 403, 403, 403),
}
AS_MANAGER = {
    ("own", False): (403, 403, 403, 403),
    ("theirs", False): (403, 403, 403, 403),
    ("granted", False): (403, 403, 403, 403),
    ("denied", False): (403, 403, 403, 403),
    ("own", True): (404, 201, 404, 404),
    ("theirs", True): (404, 201, 404, 404),
    ("granted", True): (200, 200, 200, 204),
    ("denied", True): (200, 200, 200, 204),
}
AS_BOTH = {key: (AS_MANAGER if key[1] else AS_CURATOR)[key] for key in AS_CURATOR}
AS_NOBODY = dict.fromkeys(AS_CURATOR, (403, 403, 403, 403))
TABLE = {"curate": AS_CURATOR, "manage": AS_MANAGER, "curate+manage": AS_BOTH}


@pytest.fixture(scope="module")
def maple(whole_module: None) -> Tenant:
    return create_tenant("maple", "Maple")


@pytest.fixture(scope="module")
def crane(whole_module: None) -> Tenant:
    return create_tenant("crane", "Crane")


@pytest.fixture(scope="module", autouse=True)
def objects(maple: Tenant, crane: Tenant) -> None:
    """One object of every kind in every position towards maple. Shared labels are had through tools that bear them."""

    def key(tenant: Tenant, scope: str) -> Api:
        return Api(create_api_key(tenant, [scope], name="test").secret)

    for owner, name, api, query in [
        ("maple", "own", key(maple, "curate"), ""),
        ("crane", "theirs", key(crane, "curate"), ""),
        ("", "granted", key(crane, "manage"), "?owner=shared"),
        ("", "denied", key(crane, "manage"), "?owner=shared"),
    ]:
        tool = {"name": name, "category": name, "tags": [name]}
        group = {"name": name, "for_all_tenants": name == "granted"}
        assert api.post(f"/tools{query}", tool).status_code == 201, owner
        assert api.post(f"/tool-groups{query}", group).status_code == 201, owner
    Grant.objects.create(tenant=maple, tool=Tool.objects.get(name="granted"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scopes", SCOPES)
def rel_T11_scope_and_verb_and_owner__as_in_the_table(maple: Tenant, make_api: MakeApi, scopes: str, kind: str) -> None:
    api = make_api(maple, *scopes.split("+"))
    for (name, shared), expected in TABLE.get(scopes, AS_NOBODY).items():
        for verb, status in zip(VERBS, expected, strict=True):
            before = snapshot()
            answer = VERBS[verb](api, f"/{kind}/{name}", "?owner=shared" if shared else "")
            assert answer.status_code == status, (scopes, kind, name, shared, verb, answer.content)
            if status >= 400:
                assert snapshot() == before
                read_problem(answer, status)
            if status == 201:
                api.delete(f"/{kind}/{name}{'?owner=shared' if shared else ''}")


def snapshot() -> list[Any]:
    """Everything that a refused write must leave as it is."""
    return [list(model.objects.order_by("pk").values()) for model in (Tool, Category, Tag, ToolGroup)]


@pytest.mark.parametrize("scopes", SCOPES)
def rel_T11_lists_creations_and_documents__by_scope(maple: Tenant, make_api: MakeApi, scopes: str) -> None:
    api = make_api(maple, *scopes.split("+"))
    curates, manages = "curate" in scopes, "manage" in scopes
    for kind in KINDS:
        if curates:
            assert sorted(api.names(f"/{kind}", key_of(kind))) == ["granted", "own"]
            assert api.names(f"/{kind}?owner=maple", key_of(kind)) == ["own"]
        else:
            read_problem(api.get(f"/{kind}"), 403)
        if manages or curates:
            seen = ["denied", "granted"] if manages else ["granted"]
            assert sorted(api.names(f"/{kind}?owner=shared", key_of(kind))) == seen
        assert api.post(f"/{kind}", {key_of(kind): "new"}).status_code == (201 if curates else 403)
        assert api.post(f"/{kind}?owner=shared", {key_of(kind): "new"}).status_code == (201 if manages else 403)
    assert api.get("/profiles").status_code == (200 if curates else 403)
    assert api.post("/profiles", {"slug": "x"}).status_code == (201 if curates else 403)
    assert api.get("/grants").status_code == (200 if manages else 403)
    assert api.get("/export").status_code == (200 if curates else 403)
    assert api.get("/export?owner=shared").status_code == (200 if manages else 403)
    assert api.post("/import", {"version": 1}).status_code == (200 if curates else 403)
    assert api.post("/import?owner=shared", {"version": 1}).status_code == (200 if manages else 403)


def key_of(kind: str) -> str:
    return "slug" if kind in {"categories", "tags"} else "name"


@pytest.mark.parametrize("kind", [*KINDS, "profiles"])
def case_P16_foreign_hidden_and_missing__one_answer(curator: Api, stranger: Api, kind: str) -> None:
    stranger.post("/profiles", {"slug": "theirs"})
    for verb in ("get", "patch", "delete"):
        answers = [VERBS[verb](curator, f"/{kind}/{name}", "") for name in ("theirs", "denied", "nothing-at-all")]
        bodies = [{**read_problem(answer, 404), "request_id": ""} for answer in answers]
        assert bodies[0] == bodies[1] == bodies[2]


def rel_T1_another_tenant_in_the_query_or_the_body__forbidden(curator: Api) -> None:
    for owner in ("crane", "nobody", "", "SHARED"):
        assert read_problem(curator.get(f"/tools?owner={owner}"), 403)["code"] == "other_tenant"
        assert read_problem(curator.put(f"/tools/x?owner={owner}", {}), 403)["code"] == "other_tenant"
    names: list[object] = ["crane", "shared", 5, [], {}, None]
    for named in names:
        assert read_problem(curator.post("/tools", {"name": "x", "owner": named}), 403)["code"] == "other_tenant"
    assert not Tool.objects.filter(name="x").exists()


def rel_T1_no_key__refused_everywhere(maple: Tenant) -> None:
    nobody = Api(None)
    for path in (
        "tools",
        "tools/own",
        "categories",
        "tags",
        "tool-groups",
        "profiles",
        "grants",
        "export",
        "exposures",
    ):
        assert read_problem(nobody.get(f"/{path}"), 401)["code"] == "not_authenticated"
        assert nobody.get(f"/{path}")["WWW-Authenticate"] == "Bearer"


def test_grants__decided_in_one_place__lists_show_what_requests_may_have(maple: Tenant, make_api: MakeApi) -> None:
    """The lists ask the compiled catalog: a deny by a tag is seen in the next request."""
    curator, manager = make_api(maple, "curate"), make_api(maple, "manage")
    assert curator.names("/tools") == ["granted", "own"]
    deny = manager.post("/grants", {"tenant": "maple", "tag": "granted", "effect": "deny"}).json()
    assert curator.names("/tools") == ["own"]
    read_problem(curator.get("/tools/granted"), 404)
    manager.delete(f"/grants/{deny['id']}")
    manager.patch("/tools/granted?owner=shared", {"status": "draft"})
    assert curator.names("/tools") == ["own"]
    manager.patch("/tools/granted?owner=shared", {"status": "disabled"})
    assert curator.names("/tools") == ["granted", "own"]


def test_replacement__a_shared_tool_that_was_not_granted__not_named(curator: Api, manager: Api) -> None:
    manager.post("/tools?owner=shared", {"name": "secret_new"})
    manager.post("/tools?owner=shared", {"name": "old", "replaced_by": "secret_new", "status": "deprecated"})
    manager.post("/grants", {"tenant": "maple", "tool": "old"})
    assert curator.get("/tools/old").json()["replaced_by"] is None
    assert manager.get("/tools/old?owner=shared").json()["replaced_by"] == "secret_new"


def test_tenant_called_shared__cannot_be(db: None) -> None:
    from toolcatalog.contract.errors import InvalidInput
    from toolcatalog.curation import create_tenant

    with pytest.raises(InvalidInput, match="shared"):
        create_tenant("shared")


def test_body_named_owner__own_slug__accepted(curator: Api) -> None:
    assert curator.post("/tools", {"name": "a", "owner": "maple"}).status_code == 201
    assert codes_of(curator.post("/tools", {"name": "b", "tenant": "maple"})) == {"tenant": "unknown_field"}


def case_P03_tool_that_was_not_granted__the_same_answer_at_every_door(
    maple: Tenant, make_api: MakeApi, manager: Api
) -> None:
    manager.post("/tools?owner=shared", {"name": "zebra_secret", "description": "zebra"})
    manager.post("/tool-groups?owner=shared", {"name": "g", "tools": ["zebra_secret"], "for_all_tenants": True})
    curator, agent = make_api(maple, "curate", "audit"), make_api(maple, "resolve", "execute")
    for path in ("/tools", "/tools?owner=shared", "/tool-groups", "/export", "/tools/popular", "/tools?group=g"):
        assert b"zebra_secret" not in curator.get(path).content, path
    read_problem(curator.get("/tools/zebra_secret"), 404)
    for path, body in [
        ("/resolve", {"prompt": "zebra", "active_tools": ["zebra_secret"]}),
        ("/search", {"query": "zebra"}),
        ("/search", {"query": "zebra_secret"}),
    ]:
        answer = agent.post(path, body)
        shown = {key: answer.json().get(key) for key in ("tools", "tool_names", "names", "results", "request")}
        assert "zebra_secret" not in str(shown), path
    assert agent.post("/tools/zebra_secret/availability", {"prompt": "x"}).json()["reason"] == "UNKNOWN"
    read_problem(agent.post("/tools/zebra_secret/execute", {"arguments": {}}), 404)
