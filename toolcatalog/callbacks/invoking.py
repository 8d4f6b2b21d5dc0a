"""One call of a callback, in whatever thread or process it runs: nothing that it does leaves here but an outcome."""

from __future__ import annotations

from dataclasses import dataclass

from toolcatalog.contract.json import JsonObject

from .context import CallContext
from .definition import Callback
from .errors import ArgumentsRefused, CallTimedOut, CannotEncode, ToolError
from .results import clean_text, encode_result

OK = "ok"
ERROR = "error"
TIMEOUT = "timeout"
FAILED = "The tool failed."
MAX_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call. `body` is the result's JSON; `text` is for the model, `detail` for the log only.

    `code` says what went wrong: `arguments`, `tool_error`, `failed`, `cannot_encode`, `crashed`, `timeout`, `busy`,
    `stuck` or `no_callback`. `detail` names the kind of exception and its place: never a message, which may hold
    arguments or secrets.
    """

    status: str
    code: str = ""
    text: str = ""
    detail: str = ""
    body: bytes = b"null"
    size_bytes: int = 0
    truncated: bool = False


def invoke(
    callback: Callback, arguments: JsonObject, context: CallContext, *, seconds: float, limit_bytes: int
) -> Outcome:
    """Call the function and encode its result. Never raises, whatever the function does."""
    try:
        value = callback.call(arguments, context, seconds)
        encoded = encode_result(value, limit_bytes)
    except (ToolError, ArgumentsRefused) as error:
        return Outcome(ERROR, error.code, clean_text(error.detail)[:MAX_TEXT])
    except CallTimedOut:
        return late(seconds)
    except CannotEncode as error:
        return Outcome(ERROR, error.code, FAILED, error.detail)
    except BaseException as error:  # the callback border: sys.exit() in a tool is a failure like any other
        return Outcome(ERROR, "failed", FAILED, describe_error(error))
    return Outcome(OK, body=encoded.body, size_bytes=encoded.size_bytes, truncated=encoded.truncated)


def late(seconds: float) -> Outcome:
    """The outcome of a call that was given up."""
    return Outcome(TIMEOUT, "timeout", f"The tool did not answer within {seconds:g} seconds.")


def describe_error(error: BaseException) -> str:
    """The kind of exception and where it was raised, without its message."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    kind = type(error).__name__
    return kind if trace is None else f"{kind} at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
