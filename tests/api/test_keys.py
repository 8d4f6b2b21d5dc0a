"""Who comes in: keys, and what happens when judging them fails."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import DataError, OperationalError
from django.test import Client

from toolcatalog.api.authentication import ApiKeyAuthentication
from toolcatalog.curation import create_api_key, revoke_api_key
from toolcatalog.models import ApiKey, Tenant

from .conftest import Api, MakeApi, read_problem

ADDRESSES = ["/tools", "/tools/a", "/export", "/exposures", "/grants", "/profiles"]


@pytest.mark.parametrize(
    "header",
    [
        "Bearer '",
        "Bearer ' OR '1'='1' --",
        "Bearer tc_' OR 1=1_x",
        "Bearer \0",
        "Bearer tc_\0_x",
        "Bearer " + "x" * 10_240,
        "Bearer tc_" + "0" * 10_240 + "_x",
        "Bearer ключ",
        "Bearer 密钥_密钥_密钥",
        "Bearer \ud800",
        "Bearer tc__",
        "Bearer tc",
        "Bearer ____",
        "Bearer",
        "Bearer ",
        "",
        "Basic dGM6dGM=",
        "Token x",
        "bearer\tx",
        "Bearer x y",
        "Bearer %s",
        "Bearer {0.__class__}",
    ],
)
def rel_T9_odd_key__401(maple: Tenant, header: str) -> None:
    for address in ADDRESSES:
        # As a server hands it over: bytes of the header, read as Latin-1.
        written = header.encode("utf-8", "surrogatepass").decode("latin-1")
        answer = Client().get(f"/api/v1{address}", HTTP_AUTHORIZATION=written)
        assert read_problem(answer, 401)["code"] == "not_authenticated"
        assert answer["WWW-Authenticate"] == "Bearer"


def rel_T9_right_prefix_and_wrong_secret__401(maple: Tenant) -> None:
    made = create_api_key(maple, ["curate"], name="k")
    assert Api(made.secret).get("/tools").status_code == 200
    for wrong in (
        made.secret[:-1],
        f"{made.secret}x",
        made.secret.swapcase(),
        f"tc_{made.key.prefix}_",
        made.key.prefix,
    ):
        read_problem(Api(wrong).get("/tools"), 401)


def rel_T9_nothing_in_the_database__opens_a_door(maple: Tenant) -> None:
    made = create_api_key(maple, ["curate"], name="k")
    stored = ApiKey.objects.values().get()
    assert made.secret not in str(stored)
    for value in (stored["prefix"], bytes(stored["secret_sha256"]).hex()):
        read_problem(Api(f"tc_{made.key.prefix}_{value}").get("/tools"), 401)


def rel_T9_two_live_keys__rotation(maple: Tenant) -> None:
    old, new = (create_api_key(maple, ["curate"], name=name) for name in ("old", "new"))
    assert Api(old.secret).get("/tools").status_code == Api(new.secret).get("/tools").status_code == 200
    revoke_api_key(old.key)
    read_problem(Api(old.secret).get("/tools"), 401)
    assert Api(new.secret).get("/tools").status_code == 200


def rel_T9_expired_revoked_or_of_an_inactive_tenant__401_in_the_next_request(maple: Tenant) -> None:
    now = datetime.now(UTC)
    expired = create_api_key(maple, ["curate"], name="e", expires_at=now - timedelta(seconds=1))
    later = create_api_key(maple, ["curate"], name="l", expires_at=now + timedelta(hours=1))
    read_problem(Api(expired.secret).get("/tools"), 401)
    assert Api(later.secret).get("/tools").status_code == 200
    Tenant.objects.filter(pk=maple.pk).update(is_active=False)
    read_problem(Api(later.secret).get("/tools"), 401)
    Tenant.objects.filter(pk=maple.pk).update(is_active=True)
    ApiKey.objects.filter(pk=later.key.pk).update(revoked_at=now)
    read_problem(Api(later.secret).get("/tools"), 401)


def rel_T9_all_causes__one_wording(maple: Tenant) -> None:
    expired = create_api_key(maple, ["curate"], name="e", expires_at=datetime(2020, 1, 1, tzinfo=UTC))
    details = {read_problem(Api(key).get("/tools"), 401)["detail"] for key in (expired.secret, "tc_0_x", "nothing")}
    assert len(details) == 1


def rel_T9_use__noted(maple: Tenant) -> None:
    made = create_api_key(maple, ["curate"], name="k")
    Api(made.secret).get("/tools")
    assert ApiKey.objects.get().last_used_at is not None


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RuntimeError("boom"), 401),
        (AttributeError("boom"), 401),
        (KeyError("boom"), 401),
        (UnicodeDecodeError("utf-8", b"x", 0, 1, "boom"), 401),
        (DataError("boom"), 503),
        (OperationalError("gone"), 503),
    ],
)
@pytest.mark.parametrize("path", ["/tools", "/tools/a", "/export", "/exposures", "/resolve", "/search", "/import"])
def rel_T10_fault_inside_the_authenticator__nobody_comes_in(
    monkeypatch: pytest.MonkeyPatch, curator: Api, error: Exception, status: int, path: str
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(ApiKeyAuthentication, "authenticate", fail)
    method = "POST" if path in {"/resolve", "/search", "/import"} else "GET"
    problem = read_problem(curator.call(method, path, {"prompt": "x", "query": "x", "version": 1}), status)
    assert "boom" not in str(problem)


@pytest.fixture
def log_lines(settings: Any) -> Iterator[io.StringIO]:
    """What is written to the log, in the words of the server's own formatter."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    line = dict(settings.LOGGING["formatters"]["line"])
    handler.setFormatter(line.pop("()")(**line))
    logging.getLogger().addHandler(handler)
    yield lines
    logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize("error", [RuntimeError("boom"), None])
def case_A08_key__in_no_log_line(
    monkeypatch: pytest.MonkeyPatch, log_lines: io.StringIO, curator: Api, error: Exception | None
) -> None:
    secret = str(curator.key)
    if error is not None:
        monkeypatch.setattr("toolcatalog.callers.keys.note_use", Mock(side_effect=error))
    wrong = secret[:-8] + "00000000"
    for api in (curator, Api(wrong)):
        api.get("/tools")
        api.post("/tools", {"name": "x" * 200})
    logged = log_lines.getvalue()
    assert error is None or "authentication_failed" in logged
    for key in (secret, wrong):
        assert key not in logged
        assert key[-20:] not in logged


def rel_T10_authenticator_that_says_nothing__nobody_comes_in(monkeypatch: pytest.MonkeyPatch, curator: Api) -> None:
    monkeypatch.setattr(ApiKeyAuthentication, "authenticate", lambda *_: None)
    for path in ADDRESSES:
        assert curator.get(path).status_code in {401, 403}


def rel_T29_cookies_of_the_admin__do_not_count(admin_client: Client) -> None:
    for path in ADDRESSES:
        read_problem(admin_client.get(f"/api/v1{path}"), 401)


def test_key__of_one_tenant__never_sees_the_other(curator: Api, stranger: Api, make_api: MakeApi) -> None:
    curator.post("/tools", {"name": "marker"})
    assert b"marker" not in stranger.get("/tools").content
    assert b"marker" not in stranger.get("/export").content
    assert b"marker" not in stranger.get("/tools?search=marker").content.replace(b"search=marker", b"")
