"""The commands that import from sources, down to the catalog's tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from tests.support.catalog import make_tenant
from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.models import Revision, Tenant, Tool, ToolSource
from toolcatalog.sources import run_http_tool, run_mcp_tool
from toolcatalog.sources.background import LOOP

from .conftest import HttpServer

pytestmark = pytest.mark.django_db

Register = Callable[..., str]

PARCELS: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://parcels.example.com/v1"}],
    "paths": {
        "/parcels/{id}": {
            "get": {
                "operationId": "trackParcel",
                "summary": "Where a parcel is",
                "tags": ["Parcels"],
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            },
            "delete": {"operationId": "drop parcel", "deprecated": True},
        },
        "/broken": {"get": {"operationId": "broken", "parameters": 5}},
    },
}


@pytest.fixture
def tenant() -> Tenant:
    return make_tenant("acme")


def run(command: str, *arguments: str) -> str:
    out = StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def tools_of(source: str) -> dict[str, Tool]:
    return {tool.name: tool for tool in Tool.objects.filter(source__slug=source)}


def publish(*tools: Tool) -> None:
    Tool.objects.filter(pk__in=[tool.pk for tool in tools]).update(status=ToolStatus.PUBLISHED)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "parcels.json"
    path.write_text(json.dumps(PARCELS))
    return path


# MCP servers


def test_import_mcp__server_of_the_settings__drafts_of_its_tools(register_fake: Register, tenant: Tenant) -> None:
    said = run("import_mcp", register_fake("rich"), "--tenant", "acme")
    tools = tools_of("fake-rich")
    assert "Done: 4 create" in said
    assert {tool.status for tool in tools.values()} == {ToolStatus.DRAFT}
    assert {(tool.owner, tool.execution) for tool in tools.values()} == {(tenant, "mcp")}
    source = ToolSource.objects.get(slug="fake-rich")
    assert (source.owner, source.kind) == (tenant, ToolSource.Kind.MCP)


def case_J13_hints_and_output_schema_reach_the_catalog(register_fake: Register) -> None:
    run("import_mcp", register_fake("rich"), "--shared")
    forecast = tools_of("fake-rich")["forecast"]
    assert forecast.annotations["readOnlyHint"] is True
    assert forecast.output_schema == {"type": "object", "properties": {"degrees": {"type": "number"}}}
    assert forecast.title == "Forecast"


def case_N05_bad_names_take_a_proposal_and_each_is_told(register_fake: Register) -> None:
    said = run("import_mcp", register_fake("names"), "--shared")
    names = set(tools_of("fake-names"))
    assert len(names) == 10
    assert "find_order" in names
    assert "“find order” cannot be a name; it is taken as “find_order”." in said
    assert f"“{'x' * 200}” cannot be a name" in said


def case_I05_invalid_items_of_a_server_spoil_nothing_else(register_fake: Register) -> None:
    said = run("import_mcp", register_fake("broken"), "--shared")
    assert "7 create" in said
    assert "3 invalid" in said
    assert "tools[9]" in said
    assert len(tools_of("fake-broken")) == 7


def case_I08_a_listing_without_an_end_changes_nothing_unless_told_so(register_fake: Register) -> None:
    server = register_fake("repeats")
    with pytest.raises(CommandError, match=r"same page mark twice.*Nothing was changed"):
        run("import_mcp", server, "--shared")
    assert not Tool.objects.exists()
    run("import_mcp", server, "--shared", "--allow-incomplete")
    assert set(tools_of(server)) == {"one", "two"}


def case_I10_nothing_is_half_saved_when_the_server_is_away(settings: Settings) -> None:
    settings.MCP_SERVERS = {"away": {"url": "http://127.0.0.1:1/mcp"}}
    with pytest.raises(CommandError, match="“away” cannot be reached"):
        run("import_mcp", "away", "--shared")
    with pytest.raises(CommandError, match="has no “nobody”"):
        run("import_mcp", "nobody", "--shared")
    assert not ToolSource.objects.exists()


def case_I11_a_server_that_suddenly_lists_nothing_keeps_its_tools(register_fake: Register) -> None:
    server = register_fake("empties")
    run("import_mcp", server, "--shared")
    with pytest.raises(CommandError, match=r"lists no tools\. Its tools were kept"):
        run("import_mcp", server, "--shared")
    assert all(tool.gone_at is None for tool in tools_of(server).values())
    run("import_mcp", server, "--shared", "--allow-empty")
    assert all(tool.gone_at is not None for tool in tools_of(server).values())


def case_V13_a_text_that_changes_after_the_first_call_waits_for_review(register_fake: Register) -> None:
    server = register_fake("changes")
    run("import_mcp", server, "--shared")
    weather, steady = tools_of(server)["weather"], tools_of(server)["steady"]
    publish(weather, steady)
    said = run("import_mcp", server, "--shared")
    assert "changed: description" in said
    assert "1 to be reviewed" in said
    weather.refresh_from_db()
    assert weather.description == "Looks up the weather"
    waiting = Revision.objects.filter(kind=Revision.Kind.TOOL, status=Revision.Status.PENDING)
    assert [revision.object_id for revision in waiting] == [weather.pk]


def test_import_mcp__tool_broken_later__listed_and_not_gone(register_fake: Register) -> None:
    server = register_fake("breaks_later")
    run("import_mcp", server, "--shared")
    said = run("import_mcp", server, "--shared")
    assert "1 invalid" in said
    assert "0 gone" in said
    assert tools_of(server)["two"].gone_at is None


def test_import_mcp__dry_run__keeps_nothing(register_fake: Register) -> None:
    said = run("import_mcp", register_fake("pages"), "--shared", "--dry-run")
    assert "Not done: 12 create" in said
    assert not Tool.objects.exists()
    assert not ToolSource.objects.exists()


def test_imported_mcp_tool__run_by_what_the_catalog_keeps(register_fake: Register) -> None:
    run("import_mcp", register_fake("calls"), "--shared")
    tool = tools_of("fake-calls")["echo"]
    assert tool.source is not None
    accepted: Any = tool.accepted_import
    answer = run_mcp_tool(tool.source.slug, accepted["name"], {"order": "AF20260001"})
    LOOP.close()
    assert json.loads(str(answer.value))["order"] == "AF20260001"


# OpenAPI documents


def test_import_openapi__file__drafts_and_how_to_run_them(document: Path, tenant: Tenant) -> None:
    said = run("import_openapi", str(document), "--name", "parcels", "--tenant", "acme")
    tools = tools_of("parcels")
    assert set(tools) == {"trackParcel", "drop_parcel"}
    assert tools["trackParcel"].execution == "http"
    assert [tag.title or tag.slug for tag in tools["trackParcel"].tags.all()] == ["Parcels"]
    assert tools["drop_parcel"].metadata == {"deprecated_by_source": True}
    assert "2 create" in said
    assert "1 invalid" in said
    assert 'HTTP_SOURCES: "parcels": {"base_url": "https://parcels.example.com/v1"}' in said


def test_import_openapi__again__nothing_to_do(document: Path) -> None:
    arguments = ("import_openapi", str(document), "--name", "parcels", "--shared")
    run(*arguments)
    assert "2 unchanged" in run(*arguments)


def test_import_openapi__path_changed_upstream__waits_for_review(document: Path) -> None:
    """Where a request goes is as much a part of the tool as what it says."""
    arguments = ("import_openapi", str(document), "--name", "parcels", "--shared")
    run(*arguments)
    publish(*tools_of("parcels").values())
    document.write_text(json.dumps(PARCELS).replace("/parcels/{id}", "/admin/{id}"))
    assert "2 to be reviewed" in run(*arguments)
    accepted: Any = tools_of("parcels")["trackParcel"].accepted_import
    assert accepted["origin"]["path"] == "/parcels/{id}"


@pytest.mark.parametrize("content", ["{", "swagger: '2.0'", "- 1"])
def test_import_openapi__no_document__said(tmp_path: Path, content: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(content)
    with pytest.raises(CommandError):
        run("import_openapi", str(path), "--name", "odd", "--shared")
    assert not ToolSource.objects.exists()


def test_import_openapi__no_file__said() -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run("import_openapi", "nowhere.json", "--name", "odd", "--shared")


def test_import_openapi__url__fetched_by_the_rules(http_server: HttpServer, settings: Settings) -> None:
    http_server.answer = lambda handler: handler.reply(200, json.dumps(PARCELS).encode())
    arguments = ("import_openapi", f"{http_server.origin}/openapi.json", "--name", "parcels", "--shared")
    with pytest.raises(CommandError, match="Only https"):
        run(*arguments)
    assert http_server.requests == []
    settings.OUTBOUND_ALLOWED_ORIGINS = [http_server.origin]
    assert "2 create" in run(*arguments)


def test_import__name_of_a_source_of_another_kind__refused(document: Path, register_fake: Register) -> None:
    run("import_mcp", register_fake("calls", "parcels"), "--shared")
    with pytest.raises(CommandError, match="another kind"):
        run("import_openapi", str(document), "--name", "parcels", "--shared")


def test_imported_operation__run_by_what_the_catalog_keeps(
    document: Path, allowed_server: HttpServer, settings: Settings
) -> None:
    settings.HTTP_SOURCES = {"parcels": {"base_url": f"{allowed_server.origin}/v1"}}
    said = run("import_openapi", str(document), "--name", "parcels", "--shared")
    assert "HTTP_SOURCES" not in said
    accepted: Any = tools_of("parcels")["trackParcel"].accepted_import
    assert run_http_tool("parcels", accepted["origin"], {"id": "AF 1"}).value == {"ok": True}
    assert allowed_server.requests[0][:2] == ("GET", "/v1/parcels/AF%201")
