"""Runs callbacks for the catalog: in threads of this process, or in worker processes, always within limits."""

from __future__ import annotations

import atexit
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from time import monotonic

import orjson

from toolcatalog.conf import read_settings
from toolcatalog.contract.json import JsonObject, JsonValue, freeze_json

from .context import CallContext
from .definition import Callback
from .errors import CallNotRun, CallTimedOut
from .invoking import ERROR, OK, Outcome, invoke, late
from .processes import ProcessLimits, ProcessRunner
from .registry import registered_callbacks
from .threads import ThreadRunner
from .worker import NOT_HERE

RESULT_LIMIT_BYTES = 200_000

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallbackResult:
    """What came of a call. `status` is ok, error or timeout; `value` is the result as JSON, None unless it is ok.

    `error_text` is for the model: the words of a ToolError, what is wrong with the arguments, or a sentence that says
    nothing of the cause. `code` is for programs: "" or one of `arguments`, `tool_error`, `failed`, `cannot_encode`,
    `crashed`, `timeout`, `busy`, `stuck`, `no_callback`. A result that was cut has `truncated`, and `value` says so.
    """

    status: str
    value: JsonValue = None
    error_text: str = ""
    duration_ms: int = 0
    code: str = ""
    truncated: bool = False
    size_bytes: int = 0


def run_callback(
    name: str,
    arguments: JsonObject,
    context: CallContext,
    *,
    timeout_seconds: float | None = None,
    result_limit_bytes: int = RESULT_LIMIT_BYTES,
) -> CallbackResult:
    """Call the registered callback of this name. Never raises for anything that the callback does.

    It may take as long as it says itself, and at most `timeout_seconds`. Where a worker process has to be started
    first, or a package to be imported, that comes on top.
    """
    callback = registered_callbacks().find(name)
    started = monotonic()
    if callback is None:
        outcome = Outcome(ERROR, "no_callback", NOT_HERE)
    else:
        own = callback.definition.timeout_seconds
        seconds = own if timeout_seconds is None else min(own, timeout_seconds)
        outcome = _run(name, callback, arguments, context, seconds=seconds, limit_bytes=result_limit_bytes)
    duration_ms = round((monotonic() - started) * 1000)
    _log(name, outcome, duration_ms)
    return CallbackResult(
        status=outcome.status,
        value=orjson.loads(outcome.body) if outcome.status == OK else None,
        error_text=outcome.text,
        duration_ms=duration_ms,
        code=outcome.code,
        truncated=outcome.truncated,
        size_bytes=outcome.size_bytes,
    )


def _run(
    name: str, callback: Callback, arguments: JsonObject, context: CallContext, *, seconds: float, limit_bytes: int
) -> Outcome:
    # A copy, so that the tool cannot change what the caller goes on with.
    copied: dict[str, JsonValue] = orjson.loads(orjson.dumps(arguments, default=_thaw))
    try:
        if callback.definition.process:
            request = {"callback": name, "arguments": copied, "context": _as_json(context)}
            return process_runner().run(name, request, seconds, limit_bytes)
        frozen = replace(context, attributes=freeze_json(context.attributes))
        work = partial(invoke, callback, copied, frozen, seconds=seconds, limit_bytes=limit_bytes)
        return thread_runner().run(name, work, seconds)
    except CallTimedOut:
        return late(seconds)
    except CallNotRun as refused:
        return Outcome(ERROR, refused.code, refused.detail)


def _as_json(context: CallContext) -> JsonValue:
    names = (field.name for field in fields(context))
    as_json: JsonValue = orjson.loads(orjson.dumps({name: getattr(context, name) for name in names}, default=_thaw))
    return as_json


def _thaw(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


def _log(name: str, outcome: Outcome, duration_ms: int) -> None:
    """What the operator has to know: kind and place of a failure, never arguments, results or messages."""
    if outcome.status != OK and outcome.code != "tool_error":
        logger.warning("callback %s: %s after %d ms. %s", name, outcome.code, duration_ms, outcome.detail)


def hung_calls() -> Mapping[str, int]:
    """How many calls of each callback hang in threads of this process at this moment."""
    return thread_runner().hung_calls()


def run_after_each_call(clean_up: Callable[[], None]) -> None:
    """Have `clean_up` run in the thread of each call after it, to give back what belongs to the thread."""
    thread_runner().after_call = clean_up


@cache
def thread_runner() -> ThreadRunner:
    """The threads of this process."""
    return ThreadRunner()


@cache
def process_runner() -> ProcessRunner:
    """The worker processes of this process: one for each CPU, at least two, at most as many as the setting says."""
    settings = read_settings()
    workers = min(settings.callback_processes, max(2, os.cpu_count() or 1))
    runner = ProcessRunner(ProcessLimits(workers, settings.callback_memory_mb * 1024 * 1024))
    atexit.register(runner.close)
    return runner


def _start_anew() -> None:
    """In a process that was forked: the workers are the parent's, and so were the threads."""
    if process_runner.cache_info().currsize:
        atexit.unregister(process_runner().close)
        process_runner().abandon()
    clean_up = thread_runner().after_call
    thread_runner.cache_clear()
    process_runner.cache_clear()
    thread_runner().after_call = clean_up


os.register_at_fork(after_in_child=_start_anew)
