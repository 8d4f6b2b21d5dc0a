"""One call of the API as a dialogue without I/O: what to send, how long to wait, when to give up.

An exchange is a generator. It yields `Send` and `Wait`, is sent what came of them, and returns its result. The two
clients differ only in how they do what is yielded.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeAlias, TypeVar

from .errors import ToolCatalogConnectionError, ToolCatalogError, ToolCatalogTimeout
from .problems import PROBLEM_TYPE, read_code, read_error
from .requests import Call

Result = TypeVar("Result")

BUSY_STATUSES = (429, 503)
"""The server did not take the request on."""
GATEWAY_STATUSES = (502, 503, 504)
"""What a proxy says when the server behind it is away."""
STILL_RUNNING = "call_running"


@dataclass(frozen=True, slots=True)
class Send:
    """Send this request, and wait for each step of it at most `timeout` seconds."""

    call: Call
    headers: Mapping[str, str]
    timeout: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for some seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer. Header names are in lower case."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_problem(self) -> bool:
        """Whether the catalog itself says what is wrong."""
        return self.headers.get("content-type", "").partition(";")[0].strip() == PROBLEM_TYPE


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer. `reached`: the request may have reached the server."""

    detail: str
    reached: bool
    timed_out: bool = False


Step: TypeAlias = Send | Wait
Outcome: TypeAlias = Reply | Failure | None
Exchange: TypeAlias = Generator[Step, Outcome, Result]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to try again, and how long to wait before.

    The first wait is around `first_wait` seconds, each further one twice as long, up to `longest_wait`; chance spreads
    them. What the server says in `Retry-After` is waited in any case.
    """

    retries: int = 3
    first_wait: float = 0.2
    longest_wait: float = 5.0

    def choose_wait(self, attempt: int, retry_after: float | None, chance: Callable[[], float]) -> float:
        """Seconds to wait after attempt number `attempt` (from 0). `chance` gives numbers from 0 to 1."""
        longest = min(self.longest_wait, self.first_wait * 2.0 ** min(attempt, 30))
        return (retry_after or 0.0) + longest * (0.5 + chance() / 2)


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Sends calls again where that is safe and may help, within a bounded time.

    `timeout` bounds all attempts of one call together, in seconds; `tool_timeout` those of calls that run tools.
    """

    policy: RetryPolicy
    timeout: float
    tool_timeout: float
    clock: Callable[[], float]
    chance: Callable[[], float] = random.random

    def dispatch(self, call: Call) -> Exchange[Reply]:
        """The answer to a call. Raises the error that the last attempt met."""
        deadline = self.clock() + (self.tool_timeout if call.runs_tools else self.timeout)
        attempt = 0
        while True:
            request_id = str(uuid.uuid4())
            outcome = yield Send(call, {"X-Request-ID": request_id}, max(deadline - self.clock(), 0.001))
            if isinstance(outcome, Reply) and outcome.status < 300:
                return outcome
            wait = self.policy.choose_wait(attempt, read_retry_after(outcome), self.chance)
            is_last = attempt >= self.policy.retries or self.clock() + wait >= deadline
            if is_last or not may_repeat(call, outcome):
                raise make_error(outcome, request_id)
            yield Wait(wait)
            attempt += 1


def may_repeat(call: Call, outcome: Outcome) -> bool:
    """Whether sending the call again is safe, and may help.

    Safe is what certainly ran nothing, or what the server recognises as a repeat.
    """
    if isinstance(outcome, Failure):
        return call.repeatable or not outcome.reached
    if not isinstance(outcome, Reply):
        return False
    if outcome.is_problem:
        return outcome.status in BUSY_STATUSES or (call.repeatable and read_code(outcome.body) == STILL_RUNNING)
    return outcome.status == 429 or (call.repeatable and outcome.status in GATEWAY_STATUSES)


def is_away(error: ToolCatalogError) -> bool:
    """Whether an error means that the catalog cannot be asked now: not that it refused, and not that it is wrong."""
    if isinstance(error, ToolCatalogConnectionError):
        return True
    return getattr(error, "status", None) in GATEWAY_STATUSES


def make_error(outcome: Outcome, request_id: str) -> ToolCatalogError:
    """The error for what came in place of a good answer."""
    if isinstance(outcome, Reply):
        return read_error(
            outcome.status,
            outcome.body if outcome.is_problem else b"",
            request_id=outcome.headers.get("x-request-id", request_id),
            retry_after=read_retry_after(outcome),
        )
    detail, reached, timed_out = "No answer.", True, False
    if isinstance(outcome, Failure):
        detail, reached, timed_out = outcome.detail, outcome.reached, outcome.timed_out
    kind = ToolCatalogTimeout if timed_out else ToolCatalogConnectionError
    return kind(detail, reached=reached, request_id=request_id)


def read_retry_after(outcome: Outcome) -> float | None:
    """The seconds that the server asks to wait, given as a number or as a date."""
    text = outcome.headers.get("retry-after", "").strip() if isinstance(outcome, Reply) else ""
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    now = datetime.now(UTC)
    return max((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now.timestamp(), 0.0)
