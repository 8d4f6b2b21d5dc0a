"""Tools of MCP servers and of HTTP APIs, from the import to a call through the catalog."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.core.management import call_command
from mcp import Client, StdioServerParameters
from pytest_django import Settings

from tests.api.conftest import Api
from tests.sources.conftest import HttpServer, Recorder, allowed_server, http_server, installed
from tests.support import make_key, make_profile, make_tenant
from toolcatalog.conf import read_settings
from toolcatalog.models import Tenant, Tool
from toolcatalog.sources.background import LOOP

from .agents import Agent, Auditor, says_calls, side_by_side
from .conftest import make_catalog
from .pages import blocks_of

__all__ = ["allowed_server", "http_server"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SERVER = Path(__file__).with_name("mcp_server.py")
PARCELS: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://parcels.example.com/v1"}],
    "paths": {
        "/parcels/{id}": {
            "get": {
                "operationId": "trackParcel",
                "summary": "Where a parcel is",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"name": "lang", "in": "query", "schema": {"type": "string", "enum": ["en", "zh"]}},
                ],
            }
        }
    },
}


@pytest.fixture(autouse=True)
def closed_sessions() -> Iterator[None]:
    """No session with a server outlives its test."""
    yield
    LOOP.close()


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant("acme-sources")


@pytest.fixture
def agent(tenant: Tenant) -> Agent:
    return Agent(tenant)


def import_and_publish(tenant: Tenant, command: str, *arguments: str) -> None:
    """Import a source, and publish what it brought as a curator does."""
    call_command(command, *arguments, "--tenant", tenant.slug, stdout=StringIO())
    curator = Api(make_key(tenant, "curate").secret)
    for tool in Tool.objects.filter(owner=tenant):
        assert curator.patch(f"/tools/{tool.name}", {"status": "published"}).status_code == 200


def find_and_call(agent: Agent, query: str, name: str, arguments: Any) -> dict[str, Any]:
    """The report on a call of a tool that a search brought, as in a conversation."""
    asked = says_calls(("s", "toolSearch", {"query": query}))
    messages = [{"role": "user", "content": "hello"}, asked, *agent.run_calls(asked)["messages"]]
    resolved = agent.resolve(messages=messages, format="openai_chat")
    assert name in resolved["tool_names"]
    return agent.run(name, arguments, snapshot_id=resolved["snapshot"]["id"])


def register_server(settings: Settings) -> None:
    entry = {"command": sys.executable, "args": [str(SERVER)], "connect_seconds": 30}
    settings.MCP_SERVERS = {"parcels": entry}


def b_X_mcp_tool__imported_published_found_and_called(tenant: Tenant, agent: Agent, settings: Settings) -> None:
    register_server(settings)
    import_and_publish(tenant, "import_mcp", "parcels")
    report = find_and_call(agent, "where is my parcel", "track_parcel", {"number": "CF1"})
    assert (report["status"], report["result"]) == ("ok", {"number": "CF1", "place": "Hangzhou", "details": False})
    wrong = find_and_call(agent, "where is my parcel", "track_parcel", {"number": 5})
    assert (wrong["status"], "arguments.number" in wrong["result"]) == ("error", True)
    lost = find_and_call(agent, "lose a parcel", "lose_parcel", {"number": "CF2"})
    assert lost["status"] == "error"
    assert lost["result"] == "Error executing tool lose_parcel"
    rows = [(row["name"], row["outcome"], row["code"]) for row in Auditor(tenant).calls()]
    assert rows == [
        ("track_parcel", "ok", ""),
        ("track_parcel", "error", "invalid_arguments"),
        ("lose_parcel", "error", "tool_failed"),
    ]


def b_X5_mcp_server_that_hangs_or_ends__is_an_error_and_the_next_call_runs(
    tenant: Tenant, agent: Agent, settings: Settings
) -> None:
    register_server(settings)
    import_and_publish(tenant, "import_mcp", "parcels")
    make_profile(tenant, execute_gate=False)
    assert agent.execute("track_parcel", {"number": "CF1"})["status"] == "ok"
    settings.TOOLCATALOG = {"execute_timeout_seconds": 1}
    read_settings.cache_clear()
    try:
        assert agent.send_execute("nap", {"seconds": 30}).status_code == 504
    finally:
        del settings.TOOLCATALOG
        read_settings.cache_clear()
    assert agent.send_execute("end").status_code == 502
    assert agent.execute("track_parcel", {"number": "CF1"})["status"] == "ok"


def rel_F4_many_calls_at_once__no_connection_to_the_database_is_kept(
    tenant: Tenant, agent: Agent, settings: Settings
) -> None:
    register_server(settings)
    import_and_publish(tenant, "import_mcp", "parcels")
    make_profile(tenant, execute_gate=False)
    calls = [(f"c-{number}", "track_parcel", {"number": str(number)}) for number in range(12)]
    answers = side_by_side([partial(agent.send_calls, says_calls(*calls))] * 6)
    assert [answer.status_code for answer in answers] == [200] * 6
    reports = [report for answer in answers for report in answer.json()["results"]]
    assert [report["status"] for report in reports] == ["ok"] * 72
    assert [report["result"]["number"] for report in reports[:12]] == [str(number) for number in range(12)]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder under version control, with one file."""
    (tmp_path / "note.txt").write_text("包裹 is on its way")
    who = ["-c", "user.name=tests", "-c", "user.email=tests@example.com"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "first of all"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


@pytest.mark.parametrize(
    ("program", "query", "name", "arguments", "status", "read"),
    [
        (
            "venv/bin/mcp-server-time",
            "current time",
            "get_current_time",
            {"timezone": "UTC"},
            "ok",
            '"timezone": "UTC"',
        ),
        ("venv/bin/mcp-server-git", "git commit logs", "git_log", {"repo_path": "{folder}"}, "ok", "first of all"),
        ("venv/bin/mcp-server-fetch", "fetch a URL", "fetch", {"url": "http://127.0.0.1:9/"}, "error", ""),
        (
            "node_modules/.bin/mcp-server-filesystem",
            "read the contents of a text file",
            "read_text_file",
            {"path": "{folder}/note.txt"},
            "ok",
            "包裹 is on its way",
        ),
        ("node_modules/.bin/mcp-server-everything", "echo", "echo", {"message": "物流"}, "ok", "Echo: 物流"),
        ("node_modules/.bin/mcp-server-memory", "read the knowledge graph", "read_graph", {}, "ok", "entities"),
    ],
    ids=lambda value: value.rpartition("-")[2] if isinstance(value, str) and "mcp-server" in value else "",
)
def b_X_mcp_server_of_others__imported_published_found_and_called(
    tenant: Tenant,
    agent: Agent,
    settings: Settings,
    repository: Path,
    program: str,
    query: str,
    name: str,
    arguments: dict[str, str],
    status: str,
    read: str,
) -> None:
    allowed = {"git": ["--repository", str(repository)], "filesystem": [str(repository)]}
    source = program.rpartition("-")[2]
    entry = {"command": str(installed(program)), "args": allowed.get(source, []), "connect_seconds": 30}
    settings.MCP_SERVERS = {source: entry}
    import_and_publish(tenant, "import_mcp", source)
    given = {key: value.format(folder=repository) for key, value in arguments.items()}
    report = find_and_call(agent, query, name, given)
    assert report["status"] == status
    assert read in json.dumps(report["result"], ensure_ascii=False)
    (row,) = Auditor(tenant).calls()
    assert (row["name"], row["outcome"], row["reasons"]) == (name, status, ["SEARCH_HIT"])


def b_X_http_operation__imported_published_found_and_called(
    tenant: Tenant, agent: Agent, settings: Settings, allowed_server: HttpServer, tmp_path: Path
) -> None:
    def answer(handler: Recorder) -> None:
        handler.reply(200, json.dumps({"place": "杭州"}).encode(), Content_Type="application/json")

    allowed_server.answer = answer
    settings.HTTP_SOURCES = {"parcels": {"base_url": f"{allowed_server.origin}/v1"}}
    document = tmp_path / "parcels.json"
    document.write_text(json.dumps(PARCELS))
    import_and_publish(tenant, "import_openapi", str(document), "--name", "parcels")
    report = find_and_call(agent, "where a parcel is", "trackParcel", {"id": "CF 1", "lang": "zh"})
    assert (report["status"], report["result"]) == ("ok", {"place": "杭州"})
    assert [(method, path) for method, path, _, _ in allowed_server.requests] == [("GET", "/v1/parcels/CF%201?lang=zh")]
    escaped = find_and_call(agent, "where a parcel is", "trackParcel", {"id": "../../admin"})
    assert escaped["status"] == "error"
    assert len(allowed_server.requests) == 1
    allowed_server.answer = lambda handler: handler.reply(500, b"boom SECRET")
    assert find_and_call(agent, "where a parcel is", "trackParcel", {"id": "CF2"})["status"] == "error"
    settings.OUTBOUND_ALLOWED_ORIGINS = []
    refused = find_and_call(agent, "where a parcel is", "trackParcel", {"id": "CF3"})
    assert refused["status"] == "error"
    assert len(allowed_server.requests) == 2


def test_page_about_mcp__pasted_into_a_file__serves_a_client(
    callbacks: ModuleType, live_server: Any, tmp_path: Path
) -> None:
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("nothing",))
    (source,) = blocks_of("mcp.md")
    program = tmp_path / "catalog_mcp.py"
    program.write_text(source)
    environment = {**os.environ, "URL": live_server.url, "API_KEY": Agent(tenant).key.secret}
    server = StdioServerParameters(command=sys.executable, args=[str(program)], env=environment)

    async def talk() -> list[Any]:
        async with Client(server) as client:
            listed = await client.list_tools()
            found = await client.call_tool("search_tools", {"query": "cost of a parcel"})
            price = {"tool_name": "price", "tool_input": {"weight": 4}}
            ran = await client.call_tool("execute_dynamic_tool", price)
            await client.call_tool("search_tools", {"query": "status of an order"})
            order = {"tool_name": "get_order", "tool_input": {"orderNo": "A"}}
            own = await client.call_tool("execute_dynamic_tool", order)
            unknown = await client.call_tool("execute_dynamic_tool", {"tool_name": "ghost", "tool_input": {}})
            resident = await client.call_tool("nothing", {})
            return [listed, found, ran, own, unknown, resident]

    listed, found, ran, own, unknown, resident = asyncio.run(talk())
    assert [tool.name for tool in listed.tools] == ["nothing", "search_tools", "execute_dynamic_tool"]
    assert found.structured_content["tools"][0]["name"] == "price"
    assert ran.structured_content == {"yuan": 12, "days": None}
    assert json.loads(own.content[0].text)["status"] == "shipped"
    assert unknown.is_error
    assert resident.content[0].text == "done"
