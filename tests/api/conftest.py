"""Two tenants, and callers with keys of every kind."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import quote

import pytest
from django.test import Client

from toolcatalog.curation import create_api_key, create_tenant
from toolcatalog.models import Tenant

BASE = "/api/v1"


@dataclass
class Api:
    """A caller with a key. Answers are Django's test responses."""

    key: str | None
    client: Client = field(default_factory=Client)

    def send(
        self, method: str, path: str, raw: bytes | str = b"", content_type: str = "application/json", **headers: str
    ) -> Any:
        """Send a body as it is. Headers are written as keywords: `if_match` for If-Match."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key is not None:
            sent.setdefault("authorization", f"Bearer {self.key}")
        return self.client.generic(method, f"{BASE}{path}", raw, content_type, headers=sent)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a body as JSON."""
        return self.send(method, path, b"" if body is None else json.dumps(body), **headers)

    def get(self, path: str, **headers: str) -> Any:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.call("POST", path, body, **headers)

    def put(self, path: str, body: Any, **headers: str) -> Any:
        return self.call("PUT", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.call("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.call("DELETE", path, **headers)

    def names(self, path: str, key: str = "name") -> list[str]:
        """The names in a list of one page."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.content
        return [row[key] for row in answer.json()["results"]]


class MakeApi(Protocol):
    """Makes a caller of a tenant with a key of these scopes."""

    def __call__(self, tenant: Tenant, *scopes: str) -> Api: ...


@pytest.fixture
def maple(db: None) -> Tenant:
    return create_tenant("maple", "Maple")


@pytest.fixture
def crane(db: None) -> Tenant:
    return create_tenant("crane", "Crane")


@pytest.fixture
def make_api() -> MakeApi:
    """A caller of a tenant with these scopes."""

    def make(tenant: Tenant, *scopes: str) -> Api:
        return Api(create_api_key(tenant, scopes, name="test").secret)

    return make


@pytest.fixture
def curator(maple: Tenant, make_api: MakeApi) -> Api:
    return make_api(maple, "curate")


@pytest.fixture
def stranger(crane: Tenant, make_api: MakeApi) -> Api:
    """The curator of another tenant."""
    return make_api(crane, "curate")


@pytest.fixture
def manager(crane: Tenant, make_api: MakeApi) -> Api:
    """The catalog manager, with a key of the other tenant."""
    return make_api(crane, "manage")


def codes_of(answer: Any, status: int = 422) -> dict[str, str]:
    """Path to code of every finding in a problem."""
    problem = read_problem(answer, status)
    return {error["path"]: error["code"] for error in problem["errors"]}


def read_problem(answer: Any, status: int) -> dict[str, Any]:
    """The problem of this status, checked for what every problem holds."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = json.loads(answer.content)
    assert problem["status"] == status
    assert problem["request_id"] == answer["X-Request-ID"]
    assert answer["Cache-Control"] == "no-store"
    assert problem["title"]
    assert problem["code"]
    return problem


def quoted(name: str) -> str:
    """A name as part of an address."""
    return quote(name, safe="")
