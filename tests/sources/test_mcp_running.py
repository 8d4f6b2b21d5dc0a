"""Calling tools of MCP servers that end, hang and are busy."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests.support.waiting import state_of, wait_until
from toolcatalog.sources import RunStatus, run_mcp_tool
from toolcatalog.sources.background import LOOP
from toolcatalog.sources.mcp_running import CALLS_AT_ONCE

Register = Callable[..., str]


@pytest.fixture(autouse=True)
def closed_sessions() -> Iterator[None]:
    """No session outlives its test."""
    yield
    LOOP.close()


def pid_of(server: str) -> int:
    answer = run_mcp_tool(server, "echo", {})
    assert isinstance(answer.value, str)
    return int(json.loads(answer.value)["pid"])


def starts_of(tmp_path: Path, server: str) -> int:
    return int((tmp_path / f"starts-{server}").read_text())


def wait_until_gone(pid: int) -> None:
    """Until the process has ended and this one has taken note of it."""
    wait_until(lambda: state_of(pid) == "")


def test_session__many_calls__one_server_process(register_fake: Register, tmp_path: Path) -> None:
    server = register_fake("calls")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: run_mcp_tool(server, "echo", {"number": number}), range(40)))
    values = [json.loads(str(answer.value)) for answer in answers]
    assert [value["number"] for value in values] == list(range(40))
    assert len({value["pid"] for value in values}) == 1
    assert starts_of(tmp_path, server) == 1


def test_session__server_killed_between_calls__started_again(register_fake: Register, tmp_path: Path) -> None:
    server = register_fake("calls")
    first = pid_of(server)
    os.kill(first, signal.SIGKILL)
    wait_until_gone(first)
    # A call in the moment before the end is noticed was sent, so it is not sent again by itself.
    if run_mcp_tool(server, "echo", {}).status is not RunStatus.OK:
        assert starts_of(tmp_path, server) == 1
    assert pid_of(server) != first
    assert starts_of(tmp_path, server) == 2


def test_session__server_ends_in_the_call__error_and_not_called_again(register_fake: Register, tmp_path: Path) -> None:
    server = register_fake("calls")
    ended = run_mcp_tool(server, "die", {})
    assert ended.status is RunStatus.ERROR
    assert ended.sent
    assert starts_of(tmp_path, server) == 1
    assert run_mcp_tool(server, "echo", {}).status is RunStatus.OK


def b_X5_a_server_that_hangs_keeps_nobody_else_waiting(register_fake: Register) -> None:
    hanging, other = register_fake("calls", "hanging"), register_fake("calls", "other")
    hanging_pid, _ = pid_of(hanging), pid_of(other)
    ask = partial(run_mcp_tool, hanging, "sleep", {"seconds": 300})
    with ThreadPoolExecutor(CALLS_AT_ONCE * 2) as pool:
        stuck = [pool.submit(ask, timeout_seconds=300) for _ in range(CALLS_AT_ONCE)]
        late = [pool.submit(ask, timeout_seconds=0.3) for _ in range(CALLS_AT_ONCE)]
        try:
            answers = [run_mcp_tool(other, "echo", {"number": number}) for number in range(20)]
            assert {answer.status for answer in answers} == {RunStatus.OK}
            assert {call.result().status for call in late} == {RunStatus.TIMEOUT}
            assert not any(call.done() for call in stuck)
        finally:
            os.kill(hanging_pid, signal.SIGKILL)
        assert {call.result().status for call in stuck} == {RunStatus.ERROR}


def test_call__server_never_greets__late(settings: Settings) -> None:
    settings.MCP_SERVERS = {"silent": {"command": "sh", "args": ["-c", "cat > /dev/null"], "connect_seconds": 30}}
    answer = run_mcp_tool("silent", "anything", {}, timeout_seconds=0.3)
    assert answer.status is RunStatus.TIMEOUT


@pytest.mark.parametrize("entry", [{"command": "no-such-program"}, {"url": "http://127.0.0.1:1/mcp"}])
def test_call__server_not_there__error_that_tells_the_model_nothing_of_it(
    settings: Settings, entry: dict[str, Any]
) -> None:
    settings.MCP_SERVERS = {"away": entry}
    answer = run_mcp_tool("away", "anything", {}, timeout_seconds=10)
    assert answer.status is RunStatus.ERROR
    assert not answer.sent
    assert answer.value == {"error": "The server of this tool cannot be reached."}


def test_call__server_not_registered__error(settings: Settings) -> None:
    settings.MCP_SERVERS = {}
    answer = run_mcp_tool("nobody", "anything", {})
    assert (answer.status, answer.sent) == (RunStatus.ERROR, False)


def test_environment__only_named_variables__reach_the_server(
    register_fake: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEATHER_TOKEN", "for the server")
    monkeypatch.setenv("SECRET_KEY", "for nobody")
    server = register_fake("calls", environment=["WEATHER_TOKEN"])
    seen = json.loads(str(run_mcp_tool(server, "environment", {}).value))
    assert seen["WEATHER_TOKEN"] == "for the server"
    assert "SECRET_KEY" not in seen


def test_registry__entry_changed__next_call_uses_the_new_one(register_fake: Register, tmp_path: Path) -> None:
    server = register_fake("calls", "moved")
    first = pid_of(server)
    register_fake("calls", "moved", connect_seconds=15)
    assert pid_of(server) != first


def test_session__process_forked__server_of_its_own(register_fake: Register) -> None:
    server = register_fake("calls")
    parents = pid_of(server)
    fork = multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()

    def call_in_child() -> None:
        answers.put(pid_of(server))
        LOOP.close()

    child = fork.Process(target=call_in_child)
    child.start()
    child.join(120)
    assert child.exitcode == 0
    assert answers.get() != parents
    assert pid_of(server) == parents


def test_close__open_sessions__servers_end(register_fake: Register) -> None:
    pid = pid_of(register_fake("calls"))
    LOOP.close()
    wait_until_gone(pid)
