"""Callbacks in threads of the server: whatever one does, it becomes an answer, and the others keep working."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from tests.support.waiting import wait_until
from toolcatalog.callbacks import CallbackResult, CallContext, hung_calls, run_after_each_call, run_callback
from toolcatalog.callbacks.errors import CallNotRun, CallTimedOut
from toolcatalog.callbacks.invoking import OK, Outcome
from toolcatalog.callbacks.metrics import HungCalls
from toolcatalog.callbacks.threads import ThreadLimits, ThreadRunner

from .conftest import Installer

CONTEXT = CallContext(tenant="acme", account_id="a-1", attributes={"plan": {"name": "gold"}, "list": [1]})
SECRET = "hunter2-secret"

CODE = """
import asyncio
import sys
import threading

waiting = threading.Event()
release = threading.Event()

@tool
def greet(name: str, context: CallContext) -> dict[str, object]:
    return {"hello": name, "tenant": context.tenant, "plan": context.attributes["plan"]["name"]}

@tool(timeout_seconds=30)
def hang() -> str:
    waiting.set()
    release.wait(60)
    return "late"

@tool(timeout_seconds=0.2)
async def hang_async() -> str:
    await asyncio.sleep(60)
    return "late"

@tool
async def add_async(left: int, right: int) -> int:
    await asyncio.sleep(0)
    return left + right

@tool
def fail(how: str) -> object:
    def again() -> None:
        again()
    if how == "exit":
        sys.exit("hunter2-secret")
    if how == "interrupt":
        raise KeyboardInterrupt("hunter2-secret")
    if how == "recursion":
        again()
    if how == "lookup":
        raise LookupError("hunter2-secret")
    if how == "import":
        import no_such_module_hunter2_secret
    if how == "timeout":
        raise TimeoutError("hunter2-secret")
    if how == "generator_exit":
        raise GeneratorExit("hunter2-secret")
    if how == "base":
        raise BaseException("hunter2-secret")
    if how == "unencodable":
        return object()
    return how

@tool
def explain() -> str:
    raise ToolError("There is no order 17. Ask for the number \\ud800 again.")

@tool
def large(size: int) -> str:
    return "x" * size

@tool
def change(items: list[int], context: CallContext) -> str:
    items.append(9)
    context.attributes["list"] = []
    return "changed"

@tool
def count_rows() -> int:
    from django.db import connection
    with connection.cursor() as cursor:
        cursor.execute("SELECT 7")
        return cursor.fetchone()[0]

@tool
def whole_day(day: "__import__('datetime').date") -> str:
    return day.isoformat()
"""
NAMES = ("greet", "hang", "hang_async", "add_async", "fail", "explain", "large", "change", "count_rows", "whole_day")


@pytest.fixture
def module(installer: Installer) -> Iterator[Any]:
    module = installer.load(installer.install(CODE, {f"t.{name}": name for name in NAMES}))
    yield module
    module.release.set()


def run(name: str, arguments: dict[str, Any] | None = None, **options: Any) -> CallbackResult:
    return run_callback(f"t.{name}", arguments or {}, CONTEXT, **options)


def test_call__with_arguments_and_context__answers_json(module: Any) -> None:
    result = run("greet", {"name": "Ada"})
    assert (result.status, result.code, result.error_text) == ("ok", "", "")
    assert result.value == {"hello": "Ada", "tenant": "acme", "plan": "gold"}


def test_async_function__is_run_to_its_end(module: Any) -> None:
    assert run("add_async", {"left": 1, "right": 2}).value == 3


@pytest.mark.parametrize(
    "how", ["exit", "interrupt", "recursion", "lookup", "import", "timeout", "generator_exit", "base", "unencodable"]
)
def rel_T27_whatever_a_callback_raises__is_an_error_without_its_message__others_go_on(
    module: Any, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        result = run("fail", {"how": how})

    assert (result.status, result.error_text, result.value) == ("error", "The tool failed.", None)
    assert result.code in {"failed", "cannot_encode"}
    assert SECRET not in str(result)
    assert SECRET not in caplog.text, "neither arguments nor messages are logged"
    assert "t.fail" in caplog.text
    assert run("greet", {"name": "Ada"}).status == "ok"


@pytest.mark.parametrize("how", ["lookup", "import"])
def b_X4_error_inside_a_callback__is_never_told_as_not_found(module: Any, how: str) -> None:
    assert run("fail", {"how": how}).code == "failed"
    assert run("nowhere").code == "no_callback"


def b_X4_where_a_callback_failed__is_in_the_log__kind_and_place(module: Any, caplog: pytest.LogCaptureFixture) -> None:
    run("fail", {"how": "lookup"})
    assert f"LookupError at {module.__file__}:" in caplog.text


def test_tool_error__raised__is_told_to_the_model_in_its_own_words(module: Any) -> None:
    result = run("explain")
    assert (result.status, result.code) == ("error", "tool_error")
    assert result.error_text == "There is no order 17. Ask for the number \ufffd again."


@pytest.mark.parametrize("arguments", [{}, {"day": "yesterday"}, {"day": "2026-01-01", "more": 1}])
def test_arguments_that_the_types_refuse__are_named_to_the_model(module: Any, arguments: dict[str, Any]) -> None:
    result = run("whole_day", arguments)
    assert (result.status, result.code) == ("error", "arguments")
    assert ("more" if "more" in arguments else "day") in result.error_text


def test_arguments_and_context__changed_by_a_callback__stay_as_they_were_outside(module: Any) -> None:
    items = [1]
    result = run("change", {"items": items})
    assert (result.status, items, CONTEXT.attributes["list"]) == ("error", [1], [1])


def b_X5_result_over_the_cap__is_cut_with_a_mark(module: Any) -> None:
    result = run("large", {"size": 10_000}, result_limit_bytes=1_000)
    value: Any = result.value
    assert (result.status, result.truncated, result.size_bytes) == ("ok", True, 10_002)
    assert (value["truncated"], value["size_bytes"], value["limit_bytes"]) == (True, 10_002, 1_000)


def b_X5_hanging_callback__is_given_up_and_counted__others_go_on(module: Any) -> None:
    result = run("hang", timeout_seconds=0.2)

    assert (result.status, result.code) == ("timeout", "timeout")
    assert result.error_text == "The tool did not answer within 0.2 seconds."
    assert hung_calls() == {"t.hang": 1}
    samples = next(HungCalls().collect()).samples
    assert [(sample.labels["callback"], sample.value) for sample in samples] == [("t.hang", 1)]
    assert run("greet", {"name": "Ada"}).status == "ok"


def b_X5_hanging_coroutine__is_cancelled__and_no_thread_is_lost(module: Any) -> None:
    assert run("hang_async").status == "timeout"
    wait_until(lambda: not hung_calls())


def b_X5_time_limit__of_the_caller__counts_where_it_is_shorter(module: Any) -> None:
    module.hang.toolcatalog_callback.definition  # noqa: B018  # read before the clock starts
    assert run("hang", timeout_seconds=0.05).error_text == "The tool did not answer within 0.05 seconds."


def rel_T27_tool_that_hangs_again_and_again__is_refused__until_its_calls_come_back(module: Any) -> None:
    for _ in range(4):
        assert run("hang", timeout_seconds=0.2).status == "timeout"
    refused = run("hang")

    assert (refused.status, refused.code) == ("error", "stuck")
    assert hung_calls() == {"t.hang": 4}
    assert run("greet", {"name": "Ada"}).status == "ok"
    module.release.set()
    wait_until(lambda: not hung_calls())
    assert run("hang").value == "late"


def rel_T27_process_that_ends__does_not_wait_for_what_hangs(module: Any) -> None:
    run("hang", timeout_seconds=0.2)
    hanging = [thread for thread in threading.enumerate() if thread.name == "callback-t.hang"]
    assert [thread.daemon for thread in hanging] == [True]


@pytest.mark.django_db
def test_callback_that_uses_the_database__gives_its_connection_back(module: Any) -> None:
    closed: list[str] = []
    run_after_each_call(lambda: closed.append(threading.current_thread().name))
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")

    assert run("greet", {"name": "Ada"}).status == "ok"

    wait_until(lambda: closed == ["callback-t.greet"])
    assert connection.connection is not None, "the caller keeps its own"


def work_of(gate: threading.Event) -> Outcome:
    gate.wait(30)
    return Outcome(OK)


def test_more_calls_of_one_tool_than_it_may_have__wait__and_others_find_room() -> None:
    runner, gate = ThreadRunner(ThreadLimits(running=4, running_of_one=2)), threading.Event()
    with ThreadPoolExecutor(8) as callers:
        slow = [callers.submit(runner.run, "slow", lambda: work_of(gate), 30) for _ in range(4)]
        wait_until(lambda: runner._running["slow"] == 2)
        assert runner.run("quick", lambda: Outcome(OK), 30).status == OK
        with pytest.raises(CallNotRun) as refused:
            runner.run("slow", lambda: Outcome(OK), 0.05)
        gate.set()
        assert [call.result().status for call in slow] == [OK] * 4
    assert refused.value.code == "busy"


def test_more_calls_than_the_process_may_have__the_next_is_busy() -> None:
    runner, gate = ThreadRunner(ThreadLimits(running=2, running_of_one=2)), threading.Event()
    begun = threading.Barrier(3)

    def work() -> Outcome:
        begun.wait(30)
        return work_of(gate)

    with ThreadPoolExecutor(2) as callers:
        slow = [callers.submit(runner.run, f"slow-{number}", work, 30) for number in range(2)]
        begun.wait(30)
        with pytest.raises(CallNotRun):
            runner.run("other", lambda: Outcome(OK), 0.05)
        gate.set()
        assert [call.result().status for call in slow] == [OK] * 2


def test_calls_left_behind__make_room_for_running_ones() -> None:
    runner, gate = ThreadRunner(ThreadLimits(running=1, running_of_one=1)), threading.Event()
    with pytest.raises(CallTimedOut):
        runner.run("slow", lambda: work_of(gate), 0.05)
    assert runner.run("other", lambda: Outcome(OK), 30).status == OK
    gate.set()
