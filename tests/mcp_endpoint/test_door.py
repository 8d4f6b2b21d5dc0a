"""Who is let in, what is refused and how, and how the process ends."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.mcp_endpoint.clients import connect, run
from tests.mcp_endpoint.conftest import make_shop
from tests.mcp_endpoint.serving import Endpoint, run_endpoint
from tests.support import make_key
from tests.support.waiting import wait_until
from toolcatalog.models import ApiKey

GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}},
}
LISTING = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def send(url: str, secret: str | None, message: Any = GREETING, **headers: str) -> httpx2.Response:
    """One message as a client sends it."""
    sent = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    if secret is not None:
        sent["Authorization"] = f"Bearer {secret}"
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(url, json=message, headers=sent, timeout=30)


def test_key__wrong_missing_or_revoked__401_in_json(endpoint: Endpoint) -> None:
    _, secret = make_shop()
    for given in (None, "tc_wrong_secret", secret + "x"):
        refused = send(endpoint.mcp, given)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.json()["error"]["data"]["code"] == "not_authenticated"
        assert secret not in refused.text
    opened = send(endpoint.mcp, secret)
    assert opened.status_code == 200
    ApiKey.objects.all().delete()
    again = send(endpoint.mcp, secret, LISTING, mcp_session_id=opened.headers["mcp-session-id"])
    assert again.status_code == 401


def test_address__unknown_profile_or_path__404_in_json(endpoint: Endpoint) -> None:
    tenant, secret = make_shop()
    unknown = send(f"{endpoint.mcp}/nobody", secret)
    assert unknown.status_code == 404
    assert "nobody" in unknown.json()["error"]["message"]
    auditor = make_key(tenant, "audit").secret
    assert send(endpoint.mcp, auditor).status_code == 403
    assert send(f"{endpoint.url}/elsewhere", secret).status_code == 404


def test_session__closed_foreign_or_of_another_profile__404(endpoint: Endpoint) -> None:
    tenant, secret = make_shop()
    _, stranger = make_shop()
    second_key = make_key(tenant, "resolve").secret
    session = send(endpoint.mcp, secret).headers["mcp-session-id"]
    assert send(endpoint.mcp, stranger, LISTING, mcp_session_id=session).status_code == 404
    assert send(endpoint.mcp, second_key, LISTING, mcp_session_id=session).status_code == 404
    assert send(endpoint.mcp, secret, LISTING, mcp_session_id="unknown").status_code == 404
    headers = {"Authorization": f"Bearer {secret}", "Mcp-Session-Id": session}
    assert httpx2.delete(endpoint.mcp, headers=headers).status_code == 200
    assert send(endpoint.mcp, secret, LISTING, mcp_session_id=session).status_code == 404


@pytest.mark.parametrize(
    ("header", "value", "status"), [("Host", "evil.example", 421), ("Origin", "http://evil.example", 403)]
)
def rel_T13_dns_rebinding__foreign_name_or_page__is_refused(
    endpoint: Endpoint, header: str, value: str, status: int
) -> None:
    _, secret = make_shop()
    refused = send(endpoint.mcp, secret, **{header: value})
    assert refused.status_code == status
    assert "MCP_ALLOWED" in refused.json()["error"]["message"]


def test_version__without_sessions__client_of_the_sdk_shakes_hands_instead(endpoint: Endpoint) -> None:
    _, secret = make_shop()
    refused = send(endpoint.mcp, secret, LISTING, mcp_protocol_version="2026-07-28")
    assert refused.status_code == 400
    assert "2025-11-25" in refused.json()["error"]["data"]["supported"]

    async def work() -> Any:
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(endpoint.mcp, http_client=http)) as client,
        ):
            return [tool.name for tool in (await client.list_tools()).tools]

    assert run(work) == ["pickup_slots", "toolSearch"]


def test_sessions__more_than_a_key_may_have__429_until_one_ends(transactional_db: None) -> None:
    _, secret = make_shop()
    with run_endpoint({"MCP_SESSIONS_PER_KEY": "2"}) as endpoint:
        first = send(endpoint.mcp, secret).headers["mcp-session-id"]
        assert send(endpoint.mcp, secret).status_code == 200
        assert send(endpoint.mcp, secret).status_code == 429
        headers = {"Authorization": f"Bearer {secret}", "Mcp-Session-Id": first}
        assert httpx2.delete(endpoint.mcp, headers=headers).status_code == 200
        assert send(endpoint.mcp, secret).status_code == 200


def test_sessions__idle_for_too_long__end_and_make_room(transactional_db: None) -> None:
    _, secret = make_shop()
    with run_endpoint({"MCP_SESSION_IDLE_SECONDS": "1", "MCP_SESSIONS_PER_KEY": "1"}) as endpoint:
        session = send(endpoint.mcp, secret).headers["mcp-session-id"]
        wait_until(lambda: send(endpoint.mcp, secret).status_code == 200)
        assert send(endpoint.mcp, secret, LISTING, mcp_session_id=session).status_code == 404


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_process__told_to_end_with_an_open_stream__ends_cleanly(transactional_db: None, number: signal.Signals) -> None:
    _, secret = make_shop()
    with run_endpoint() as endpoint:

        async def work() -> Any:
            async with connect(endpoint.mcp, secret) as client:
                await client.names()
                await asyncio.to_thread(endpoint.stop, number)

        with suppress(httpx2.HTTPError, OSError):
            run(work)
        assert endpoint.process.returncode in (0, -number)
