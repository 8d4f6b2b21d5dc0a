"""What comes of running a tool elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolcatalog.contract.json import JsonValue

MAX_RESULT_BYTES = 1024 * 1024
"""What is read of one answer at most."""


class RunStatus(StrEnum):
    """How a run ended. `error`: the tool said so, or it could not be reached."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class RunResult:
    """A tool's answer as a JSON value. Where `status` is not `ok`, `value` says what went wrong, for the model to read.

    `sent` is False where the tool surely did not run: the call may be repeated.
    """

    status: RunStatus
    value: JsonValue
    sent: bool = True

    @classmethod
    def failed(cls, sentence: str, *, sent: bool = True) -> RunResult:
        """An error of the way to the tool."""
        return cls(RunStatus.ERROR, {"error": sentence}, sent)

    @classmethod
    def late(cls, seconds: float) -> RunResult:
        """No answer in time; whether the tool ran is not known."""
        return cls(RunStatus.TIMEOUT, {"error": f"The tool did not answer within {seconds:g} seconds."})
