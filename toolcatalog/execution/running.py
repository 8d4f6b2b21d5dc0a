"""Runs what this server runs: several calls side by side, within one deadline, none of them able to hurt another."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache

import structlog
from django.db import connections

from toolcatalog.conf import read_settings
from toolcatalog.contract.execution import ERROR, OK, TIMEOUT

from .answers import Answered, error_value
from .executors import FAILED, Ran, run_tool
from .judging import JudgedCall
from .situation import Situation

log = structlog.get_logger(__name__)
TOO_LATE = "The tool did not answer in time."


@cache
def _pool() -> ThreadPoolExecutor:
    """The threads that wait for tools. Executors keep their own time limits, so that none of these is lost."""
    return ThreadPoolExecutor(read_settings().execute_parallel, thread_name_prefix="tool-call")


def run_all(situation: Situation, calls: Sequence[JudgedCall]) -> list[Answered]:
    """Run the calls side by side; answers stand in the order of the calls.

    What has not answered at the deadline is a time-out: its end is not waited for.
    """
    begin = time.monotonic()
    futures = [_pool().submit(run_one, situation, call) for call in calls]
    wait(futures, timeout=read_settings().execute_deadline_seconds)
    elapsed = round((time.monotonic() - begin) * 1000)
    return [_collect(call, future, elapsed) for call, future in zip(calls, futures, strict=True)]


def _collect(call: JudgedCall, future: Future[Answered], elapsed: int) -> Answered:
    if future.done():
        return future.result()
    future.cancel()
    return Answered(call, TIMEOUT, error_value(call, TOO_LATE), "deadline", elapsed)


def run_one(situation: Situation, call: JudgedCall) -> Answered:
    """Run one call. Never raises: whatever the tool does becomes an answer, and never "not found" (X4)."""
    begin = time.monotonic()
    if call.tool is None:
        raise AssertionError(f"{call.name} was judged to run without a tool")
    try:
        ran = run_tool(call.tool, call.arguments, situation)
    except Exception as error:  # the callback border: an executor's own fault must not take the message down
        log.exception("executor_failed", tool=call.name, error=type(error).__name__)
        ran = Ran(ERROR, FAILED, "executor_failed")
    finally:
        connections.close_all()  # what an executor asked the database belongs to this thread, which goes on to live
    elapsed = round((time.monotonic() - begin) * 1000)
    if ran.status == OK:
        return Answered(call, OK, ran.value, "", elapsed)
    return Answered(call, ran.status, error_value(call, ran.value), ran.code or "tool_failed", elapsed)
