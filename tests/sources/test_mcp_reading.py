"""Listing the tools of MCP servers that do not behave."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.sources import SourceUnreachable, read_mcp_tools

Register = Callable[..., str]


def test_pages__several__all_tools_in_order(register_fake: Register) -> None:
    listing = read_mcp_tools(register_fake("pages"))
    assert [tool.name for tool in listing.tools] == [
        f"tool_{page}_{number}" for page in range(4) for number in range(3)
    ]
    assert listing.is_complete
    assert not listing.warnings


def case_I08_a_cursor_that_repeats_stops_the_listing_without_duplicates(register_fake: Register) -> None:
    listing = read_mcp_tools(register_fake("repeats"))
    assert [tool.name for tool in listing.tools] == ["one", "two"]
    assert not listing.is_complete
    assert "same page mark twice" in listing.warnings[0]


def case_I05_invalid_items_are_listed_with_their_place_and_the_others_read(register_fake: Register) -> None:
    listing = read_mcp_tools(register_fake("broken"))
    good = [tool for tool in listing.tools if not tool.errors]
    bad = {tool.path: tool for tool in listing.tools if tool.errors}
    assert len(good) == 7
    assert set(bad) == {"tools[7]", "tools[8]", "tools[9]"}
    assert bad["tools[7]"].errors[0].path == "inputSchema"
    assert bad["tools[8]"].errors[0].code == "root_not_object"
    assert bad["tools[9]"].errors[0].code == "not_an_object"


def case_J13_output_schema_and_annotations_are_kept(register_fake: Register) -> None:
    forecast = read_mcp_tools(register_fake("rich")).tools[0]
    assert forecast.output_schema == {"type": "object", "properties": {"degrees": {"type": "number"}}}
    assert forecast.annotations == {"title": "Forecast", "readOnlyHint": True, "openWorldHint": False}
    assert forecast.title == "Forecast"


def case_J16_tools_without_arguments_have_an_empty_object(register_fake: Register) -> None:
    tools = read_mcp_tools(register_fake("rich")).tools[1:]
    assert [tool.parameters for tool in tools] == [{"type": "object", "properties": {}}] * 3


def test_listing__nothing_listed__empty_and_complete(register_fake: Register) -> None:
    listing = read_mcp_tools(register_fake("nothing"))
    assert listing.tools == ()
    assert listing.is_complete


@pytest.fixture
def deaf_server() -> Iterator[str]:
    """Takes connections, and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"


def case_I10_a_server_that_does_not_answer_is_told_after_a_short_time(settings: Settings, deaf_server: str) -> None:
    settings.MCP_SERVERS = {"deaf": {"url": deaf_server, "connect_seconds": 0.5}}
    with pytest.raises(SourceUnreachable, match=r"“deaf” did not answer in 0\.5 seconds"):
        read_mcp_tools("deaf")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"command": "no-such-program"}, "No such file or directory"),
        (
            {"command": "sh", "args": ["-c", "cat > /dev/null"], "connect_seconds": 0.5},
            "did not answer in 0.5 seconds",
        ),
        (
            {"command": "sh", "args": ["-c", "echo no licence >&2; exit 1"]},
            "closed the connection. It wrote: no licence",
        ),
        ({"url": "http://127.0.0.1:1/mcp"}, "cannot be reached"),
        ({"url": "http://127.0.0.1:1/mcp", "headers_from": {"Authorization": "NOT_SET_ANYWHERE"}}, "NOT_SET_ANYWHERE"),
    ],
)
def case_I10_what_is_wrong_with_a_server_is_said(settings: Settings, entry: dict[str, Any], said: str) -> None:
    settings.MCP_SERVERS = {"odd": entry}
    with pytest.raises(SourceUnreachable, match=said):
        read_mcp_tools("odd")


def case_I10_a_listing_that_stalls_is_given_up(register_fake: Register) -> None:
    with pytest.raises(SourceUnreachable, match=r"did not list its tools in 0\.3 seconds"):
        read_mcp_tools(register_fake("stalls"), seconds=0.3)


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({}, "MCP_SERVERS.odd"),
        ({"command": "a", "url": "https://b"}, "MCP_SERVERS.odd"),
        ({"command": 5}, "MCP_SERVERS.odd.command"),
        ({"command": "a", "args": "b"}, "MCP_SERVERS.odd.args"),
        ({"command": "a", "shell": True}, "MCP_SERVERS.odd.shell"),
        ({"url": "https://a", "headers_from": ["b"]}, "MCP_SERVERS.odd.headers_from"),
        ({"url": "https://a", "connect_seconds": 0}, "MCP_SERVERS.odd.connect_seconds"),
    ],
)
def test_registry__entry_written_wrongly__says_where(settings: Settings, entry: Any, path: str) -> None:
    settings.MCP_SERVERS = {"odd": entry}
    with pytest.raises(InvalidInput) as refused:
        read_mcp_tools("odd")
    assert path in [error.path for error in refused.value.errors]


def rel_T28_only_servers_of_the_settings_are_started(settings: Settings, tmp_path: Path) -> None:
    settings.MCP_SERVERS = {"time": {"command": "true"}}
    for name in (f"touch {tmp_path}/ran", "sh", "/bin/sh", "", "TIME"):
        with pytest.raises(InvalidInput, match="MCP_SERVERS has no"):
            read_mcp_tools(name)
    assert not list(tmp_path.iterdir())
