"""MCP servers that others wrote: each is listed, and a tool of each is called (`make test-servers` installs them)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from tests.support.ports import free_port
from tests.support.waiting import wait_until
from toolcatalog.models import Tool
from toolcatalog.sources import RunResult, RunStatus, read_mcp_tools, run_mcp_tool
from toolcatalog.sources.background import LOOP

from .conftest import installed

pytestmark = pytest.mark.slow
PYTHON = "venv/bin/mcp-server-"
NODE = "node_modules/.bin/mcp-server-"


@pytest.fixture(autouse=True)
def closed_sessions() -> Iterator[None]:
    yield
    LOOP.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "note.txt").write_text("包裹 is on its way")
    return tmp_path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git = shutil.which("git")
    assert git
    (tmp_path / "a.txt").write_text("one\n")
    who = ["-c", "user.name=tests", "-c", "user.email=tests@example.com"]
    for arguments in (["init", "-q"], ["add", "a.txt"], [*who, "commit", "-q", "-m", "first of all"]):
        subprocess.run([git, *arguments], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def register(settings: Settings, program: str, *arguments: str, **fields: Any) -> str:
    name = program.rpartition("mcp-server-")[2]
    entry = {"command": str(installed(program)), "args": list(arguments), "connect_seconds": 120, **fields}
    settings.MCP_SERVERS = {name: entry}
    return name


def call(server: str, tool: str, arguments: dict[str, Any]) -> RunResult:
    answer = run_mcp_tool(server, tool, arguments, timeout_seconds=120)
    assert answer.status is RunStatus.OK, answer.value
    return answer


def names_of(server: str) -> set[str]:
    listing = read_mcp_tools(server)
    assert listing.is_complete
    assert not [tool.errors for tool in listing.tools if tool.errors]
    return {tool.name for tool in listing.tools}


def test_server_time__structured_answer(settings: Settings) -> None:
    server = register(settings, f"{PYTHON}time")
    assert {"get_current_time", "convert_time"} <= names_of(server)
    value: Any = call(server, "get_current_time", {"timezone": "Asia/Shanghai"}).value
    assert value["timezone"] == "Asia/Shanghai"
    wrong = run_mcp_tool(server, "get_current_time", {"timezone": "Mars"})
    assert wrong.status is RunStatus.ERROR


def test_server_git__reads_a_repository(settings: Settings, repository: Path) -> None:
    server = register(settings, f"{PYTHON}git", "--repository", str(repository))
    assert {"git_log", "git_status"} <= names_of(server)
    assert "first of all" in str(call(server, "git_log", {"repo_path": str(repository)}).value)


def test_server_fetch__listed_and_its_refusal_is_an_error(settings: Settings) -> None:
    server = register(settings, f"{PYTHON}fetch")
    assert names_of(server) == {"fetch"}
    answer = run_mcp_tool(server, "fetch", {"url": "http://127.0.0.1:9/"}, timeout_seconds=30)
    assert answer.status is RunStatus.ERROR
    assert isinstance(answer.value, dict)


def test_server_everything__texts_pictures_and_resources(settings: Settings) -> None:
    server = register(settings, f"{NODE}everything")
    assert {"echo", "get-tiny-image", "get-structured-content"} <= names_of(server)
    assert call(server, "echo", {"message": "物流"}).value == "Echo: 物流"
    picture: Any = call(server, "get-tiny-image", {}).value
    assert {"type": "image", "mime_type": "image/png"}.items() <= picture[1].items()
    assert "data" not in picture[1]
    structured: Any = call(server, "get-structured-content", {"location": "New York"}).value
    assert set(structured) == {"temperature", "conditions", "humidity"}
    links: Any = call(server, "get-resource-links", {"count": 2}).value
    assert [link["type"] for link in links[1:]] == ["resource_link"] * 2


def test_server_filesystem__output_schema_and_text(settings: Settings, folder: Path) -> None:
    server = register(settings, f"{NODE}filesystem", str(folder))
    tools = {tool.name: tool for tool in read_mcp_tools(server).tools}
    assert tools["read_text_file"].output_schema is not None
    assert tools["read_text_file"].annotations["readOnlyHint"] is True
    value: Any = call(server, "read_text_file", {"path": str(folder / "note.txt")}).value
    assert value == {"content": "包裹 is on its way"}
    outside = run_mcp_tool(server, "read_text_file", {"path": "/etc/hostname"})
    assert outside.status is RunStatus.ERROR


def test_server_memory__keeps_its_state_over_calls(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_FILE_PATH", str(tmp_path / "memory.jsonl"))
    server = register(settings, f"{NODE}memory", environment=["MEMORY_FILE_PATH"])
    assert {"create_entities", "read_graph"} <= names_of(server)
    entity = {"name": "AF20260001", "entityType": "parcel", "observations": ["left Shanghai"]}
    call(server, "create_entities", {"entities": [entity]})
    graph: Any = call(server, "read_graph", {}).value
    assert [each["name"] for each in graph["entities"]] == ["AF20260001"]


def test_server_thinking__long_description_kept(settings: Settings) -> None:
    server = register(settings, f"{NODE}sequential-thinking")
    (tool,) = read_mcp_tools(server).tools
    assert len(tool.description) > 1000
    thought = {"thought": "first", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}
    value: Any = call(server, tool.name, thought).value
    assert value["thoughtNumber"] == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("program", "arguments", "least"),
    [
        (f"{PYTHON}time", (), 2),
        (f"{PYTHON}git", (), 10),
        (f"{PYTHON}fetch", (), 1),
        (f"{NODE}everything", (), 10),
        (f"{NODE}filesystem", ("/tmp",), 10),
        (f"{NODE}memory", (), 9),
        (f"{NODE}sequential-thinking", (), 1),
    ],
)
def test_servers_of_others__imported_by_the_command__every_tool_taken(
    settings: Settings, program: str, arguments: tuple[str, ...], least: int
) -> None:
    server = register(settings, program, *arguments)
    out = StringIO()
    call_command("import_mcp", server, "--shared", stdout=out)
    listed = {tool.name: tool for tool in read_mcp_tools(server).tools}
    kept = {tool.name: tool for tool in Tool.objects.filter(source__slug=server)}
    assert len(kept) >= least
    assert set(kept) == set(listed)
    assert " 0 invalid" in out.getvalue()
    for name, tool in kept.items():
        assert tool.execution == "mcp"
        assert tool.annotations == listed[name].annotations
        assert (tool.output_schema is None) == (listed[name].output_schema is None)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def start_http() -> Iterator[Callable[[int], subprocess.Popen[bytes]]]:
    """Starts the server "everything" on a port, over streamable HTTP."""
    started: list[subprocess.Popen[bytes]] = []

    def start(port: int) -> subprocess.Popen[bytes]:
        program = installed(f"{NODE}everything")
        process = subprocess.Popen(
            [str(program), "streamableHttp"],
            env={**os.environ, "PORT": str(port)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        started.append(process)
        wait_until(lambda: is_listening(port))
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_server_over_http__restarted__connected_again(
    settings: Settings, start_http: Callable[[int], subprocess.Popen[bytes]]
) -> None:
    port = free_port()
    first = start_http(port)
    settings.MCP_SERVERS = {"web": {"url": f"http://127.0.0.1:{port}/mcp", "connect_seconds": 20}}
    assert "echo" in names_of("web")
    assert call("web", "echo", {"message": "one"}).value == "Echo: one"
    first.kill()
    first.wait()
    away = run_mcp_tool("web", "echo", {"message": "two"}, timeout_seconds=30)
    assert away.status is RunStatus.ERROR
    start_http(port)
    assert call("web", "echo", {"message": "three"}).value == "Echo: three"
