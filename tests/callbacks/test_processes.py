"""Callbacks in processes of their own: they can be killed, and take nothing down with them."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import is_running, state_of, wait_until
from toolcatalog.callbacks import CallbackResult, CallContext, run_callback
from toolcatalog.callbacks.errors import CallNotRun
from toolcatalog.callbacks.processes import ProcessLimits, ProcessRunner

from .conftest import Installer

CONTEXT = CallContext(tenant="acme", account_id="a-1", attributes={"plan": {"name": "gold"}}, request_id="r-1")
SECRET = "hunter2-secret"

CODE = """
import asyncio
import ctypes
import os
import subprocess
import sys
import time
from decimal import Decimal

calls = 0
hoard = []

@tool(process=True, timeout_seconds=30)
def where(context: CallContext) -> dict[str, object]:
    global calls
    calls += 1
    plan = context.attributes["plan"]["name"]
    return {"pid": os.getpid(), "calls": calls, "plan": plan, "price": Decimal("1.50"), "request": context.request_id}

@tool(process=True, timeout_seconds=30)
async def add_async(left: int, right: int) -> int:
    await asyncio.sleep(0)
    return left + right

@tool(process=True, timeout_seconds=30)
def start_child() -> list[int]:
    return [os.getpid(), subprocess.Popen(["sleep", "60"]).pid]

@tool(process=True, timeout_seconds=1)
def sleep() -> str:
    time.sleep(60)
    return "late"

@tool(process=True, timeout_seconds=30)
def misbehave(how: str) -> object:
    print("this is printed")
    def again() -> None:
        again()
    if how == "sys.exit":
        sys.exit("hunter2-secret")
    if how == "os._exit":
        os._exit(0)
    if how == "segfault":
        ctypes.string_at(0)
    if how == "recursion":
        again()
    if how == "endless recursion":
        sys.setrecursionlimit(10**9)
        again()
    if how == "raise":
        raise ValueError("hunter2-secret")
    if how == "tool error":
        raise ToolError("Try another one.")
    if how == "1 GB":
        return "x" * 2**30
    if how == "200 MB":
        return "x" * 200_000_000
    if how == "unserialisable":
        return object()
    if how == "grow":
        hoard.append(bytearray(300 * 1024 * 1024))
    if how == "closes everything":
        os.closerange(0, 256)
    return "well"
"""
NAMES = ("where", "add_async", "start_child", "sleep", "misbehave")


@pytest.fixture(autouse=True)
def module(installer: Installer) -> str:
    return installer.install(CODE, {f"p.{name}": name for name in NAMES})


def run(name: str, arguments: dict[str, Any] | None = None, **options: Any) -> CallbackResult:
    return run_callback(f"p.{name}", arguments or {}, CONTEXT, **options)


def where() -> dict[str, Any]:
    value: Any = run("where").value
    return dict(value)


def test_call__in_a_process_of_its_own__has_arguments_and_context() -> None:
    first, second = where(), where()
    assert first["pid"] != os.getpid()
    assert (first["plan"], first["price"], first["request"]) == ("gold", "1.50", "r-1")
    assert (second["pid"], second["calls"]) == (first["pid"], 2), "the process is kept for the next call"
    assert run("add_async", {"left": 1, "right": 2}).value == 3


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("sys.exit", "failed"),
        ("os._exit", "crashed"),
        ("segfault", "crashed"),
        ("recursion", "failed"),
        ("raise", "failed"),
        ("1 GB", "failed"),
        ("unserialisable", "cannot_encode"),
        ("closes everything", "crashed"),
    ],
)
def rel_T27_callback_in_a_process__whatever_it_does__is_an_error_and_others_go_on(
    how: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        result = run("misbehave", {"how": how})

    assert (result.status, result.code, result.error_text) == ("error", code, "The tool failed.")
    assert SECRET not in str(result)
    assert SECRET not in caplog.text
    assert where()["plan"] == "gold"


def rel_T27_recursion_without_pythons_limit__ends_the_worker_at_most() -> None:
    # Whether memory, the stack or the time limit ends it depends on the version of Python.
    result = run("misbehave", {"how": "endless recursion"}, timeout_seconds=2)
    assert result.code in {"crashed", "failed", "timeout"}
    assert where()["plan"] == "gold"


def b_X5_callback_that_exits__in_process_mode__leaves_the_server_alone() -> None:
    assert run("misbehave", {"how": "os._exit"}).code == "crashed"
    assert run("misbehave", {"how": "well"}).value == "well"


def b_X5_callback_that_sleeps__in_process_mode__is_killed_with_what_it_started() -> None:
    pids: Any = run("start_child").value
    worker, child = pids
    assert is_running(child)
    result = run("sleep")

    assert (result.status, result.error_text) == ("timeout", "The tool did not answer within 1 seconds.")
    wait_until(lambda: not is_running(worker) and not is_running(child))
    assert where()["pid"] != worker


def b_X5_result_far_over_the_cap__is_cut_in_the_worker() -> None:
    result = run("misbehave", {"how": "200 MB"}, result_limit_bytes=500)
    value: Any = result.value
    assert (result.status, result.truncated, value["truncated"]) == ("ok", True, True)
    assert value["size_bytes"] == result.size_bytes == 200_000_002


def b_X4_tool_error__in_process_mode__is_told_in_its_own_words() -> None:
    result = run("misbehave", {"how": "tool error"})
    assert (result.code, result.error_text) == ("tool_error", "Try another one.")


def rel_T27_worker_that_grew__is_replaced() -> None:
    before = where()["pid"]
    assert run("misbehave", {"how": "grow"}).status == "ok"
    assert where()["pid"] != before


def rel_T27_worker_that_died_between_calls__is_replaced() -> None:
    before = where()["pid"]
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: not is_running(before))
    assert where()["pid"] != before


def rel_T27_worker_that_is_dying_when_it_gets_a_call__is_replaced() -> None:
    runner = ProcessRunner(ProcessLimits(1, 512 * 1024 * 1024))
    context = {"tenant": "acme", "attributes": {"plan": {"name": "gold"}}}
    request: dict[str, object] = {"callback": "p.where", "arguments": {}, "context": context}
    assert runner.run("p.where", request, 30, 10_000).status == "ok"
    [dying] = runner._idle
    os.kill(dying._process.pid, signal.SIGSTOP)  # it is there, and does not see that its channel is shut
    wait_until(lambda: state_of(dying._process.pid) == "T")
    dying._channel.shutdown(socket.SHUT_RDWR)
    assert dying.is_alive()

    assert runner.run("p.where", request, 30, 10_000).status == "ok"
    assert runner._idle != [dying]
    runner.close()


def rel_T27_worker__whose_server_died__ends_by_itself() -> None:
    runner = ProcessRunner(ProcessLimits(1, 512 * 1024 * 1024))
    context = {"tenant": "acme", "attributes": {"plan": {"name": "gold"}}}
    answered = runner.run("p.where", {"callback": "p.where", "arguments": {}, "context": context}, 30, 10_000)
    worker = runner._idle[0]
    worker._channel.close()  # as the kernel does for a process that is gone
    worker._process.wait(30)
    assert b"gold" in answered.body


def test_workers__are_bounded__and_one_tool_cannot_have_all() -> None:
    runner = ProcessRunner(ProcessLimits(2, 512 * 1024 * 1024))
    request: dict[str, object] = {
        "callback": "p.where",
        "arguments": {},
        "context": {"tenant": "acme", "attributes": {"plan": {"name": "gold"}}},
    }
    gate = threading.Event()

    def occupy() -> None:
        worker = runner._take("p.slow", 1e12)
        gate.wait(30)
        runner._give_back("p.slow", worker, keeps=True)

    with ThreadPoolExecutor(2) as callers:
        slow = callers.submit(occupy)
        wait_until(lambda: runner._busy["p.slow"] == 1)
        with pytest.raises(CallNotRun) as refused:
            runner.run("p.slow", request, 0.05, 1_000)
        other = runner.run("p.where", request, 30, 1_000)
        gate.set()
        slow.result()
    assert (refused.value.code, other.status) == ("busy", "ok")
    assert len(runner._idle) == 2
    runner.close()


def test_many_calls_at_once__are_all_answered() -> None:
    with ThreadPoolExecutor(8) as callers:
        results = list(callers.map(lambda number: run("add_async", {"left": number, "right": 1}), range(24)))
    assert [result.value for result in results] == [number + 1 for number in range(24)]


FORKING = """
import os, sys
from toolcatalog.callbacks import CallContext, run_callback
from toolcatalog.callbacks.running import process_runner

def where():
    return run_callback("p.where", {}, CallContext("acme", attributes={"plan": {"name": "gold"}})).value["pid"]

worker, runner = where(), process_runner()
child = os.fork()
if child == 0:
    sys.exit(0 if process_runner() is not runner else "the workers of the parent are used")
_, status = os.waitpid(child, 0)
sys.exit("the worker of the parent is gone" if status or where() != worker else 0)
"""


def test_forked_process__leaves_the_workers_to_its_parent(tmp_path: Path) -> None:
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", FORKING], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
