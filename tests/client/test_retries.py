"""When a call is sent again, how long the client waits before, and when it never is."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from toolcatalog.client import (
    Conflict,
    InvalidRequest,
    RetryPolicy,
    ToolCatalogClient,
    ToolCatalogConnectionError,
    ToolCatalogTimeout,
    ToolFailed,
    TooManyRequests,
    Unavailable,
    UnreadableAnswer,
)
from toolcatalog.client.exchange import Dispatcher, Failure, Outcome, Reply, Send, Step, Wait
from toolcatalog.client.requests import Call

from .answers import answer_resolve, calls_body, chat_calls
from .conftest import IMPATIENT, SECRET
from .servers import Answer, Behaviour, Dribble, HangUp, Server, problem

BUSY = {"content-type": "application/problem+json", "retry-after": "7"}
BUSY_BODY = b'{"code": "overloaded", "detail": "busy"}'
RESOLVE = Call("POST", "/api/v1/resolve", b"{}")


class Clock:
    """A clock that moves when the client waits."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def play(call: Call, *outcomes: Outcome, policy: RetryPolicy | None = None, timeout: float = 60) -> list[Step]:
    """The steps of a call whose attempts come out like this. The last outcome is repeated."""
    clock = Clock()
    dispatcher = Dispatcher(policy or RetryPolicy(), timeout, timeout, clock, chance=lambda: 0.0)
    exchange = dispatcher.dispatch(call)
    steps: list[Step] = []
    rest = list(outcomes)
    outcome: Outcome = None
    try:
        while True:
            step = exchange.send(outcome)
            steps.append(step)
            if isinstance(step, Wait):
                clock.now += step.seconds
                outcome = None
            else:
                outcome = rest.pop(0) if len(rest) > 1 else rest[0]
    except StopIteration:
        return steps
    except Exception as error:
        steps.append(error)  # type: ignore[arg-type]  # the end of the story
        return steps


def waits(steps: list[Step]) -> list[float]:
    return [step.seconds for step in steps if isinstance(step, Wait)]


def sends(steps: list[Step]) -> list[Send]:
    return [step for step in steps if isinstance(step, Send)]


def test_wait__retry_after_in_seconds__is_at_least_as_long() -> None:
    steps = play(RESOLVE, Reply(503, BUSY_BODY, BUSY), Reply(200, b"{}"))
    assert waits(steps) == [pytest.approx(7 + 0.1)]


def test_wait__retry_after_as_a_date__is_until_then() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    steps = play(RESOLVE, Reply(429, b"", {"retry-after": date}), Reply(200, b"{}"))
    assert waits(steps)[0] > 20


@pytest.mark.parametrize("words", ["", "soon", "-3", "1e9", "٣"])
def test_wait__retry_after_that_means_nothing__is_ignored(words: str) -> None:
    steps = play(RESOLVE, Reply(503, BUSY_BODY, {**BUSY, "retry-after": words}), Reply(200, b"{}"))
    assert waits(steps) == [pytest.approx(0.1)]


def test_wait__each_further_attempt__doubles_up_to_the_longest() -> None:
    policy = RetryPolicy(retries=5, first_wait=1, longest_wait=6)
    assert waits(play(RESOLVE, Failure("gone", reached=False), policy=policy)) == [0.5, 1, 2, 3, 3]


def test_wait__chance__spreads_it_between_half_and_all() -> None:
    policy = RetryPolicy(first_wait=1)
    assert [policy.choose_wait(0, None, chance) for chance in (lambda: 0.0, lambda: 0.5, lambda: 1.0)] == [0.5, 0.75, 1]


def test_time__retry_after_beyond_the_timeout__ends_at_once() -> None:
    steps = play(RESOLVE, Reply(503, BUSY_BODY, BUSY), timeout=5)
    assert waits(steps) == []
    assert isinstance(steps[-1], Unavailable)
    assert steps[-1].retry_after == 7


def test_time__later_attempts__get_what_is_left() -> None:
    steps = play(RESOLVE, Reply(503, BUSY_BODY, BUSY), Reply(200, b"{}"), timeout=10)
    assert [step.timeout for step in sends(steps)] == [10, pytest.approx(10 - 7.1)]


def test_time__answer_that_dribbles_in__is_cut(server: Server) -> None:
    server.script(Dribble())
    with ToolCatalogClient(server.url, SECRET, timeout=0.2, retries=0) as client, pytest.raises(ToolCatalogTimeout):
        client.resolve(prompt="hello")


def test_retries__each_attempt__has_its_own_request_id() -> None:
    steps = play(RESOLVE, Failure("gone", reached=False))
    ids = [step.headers["X-Request-ID"] for step in sends(steps)]
    assert len(set(ids)) == 4
    assert isinstance(steps[-1], ToolCatalogConnectionError)
    assert steps[-1].request_id == ids[-1]


def test_resolve__server_is_flaky__is_answered(server: Server, client: ToolCatalogClient) -> None:
    behaviours: list[Behaviour] = [
        problem(503, "database_unavailable", Retry_After="0"),
        HangUp(),
        Answer(502, b"<html>", "text/html"),
    ]
    server.respond = lambda request: behaviours.pop(0) if behaviours else answer_resolve(request)
    assert client.resolve(prompt="hello").tool_names == ("get_order",)
    assert len(server.received) == 4


def test_resolve__server_stays_away__raises_what_it_said_last(server: Server, client: ToolCatalogClient) -> None:
    server.script(problem(503, "database_unavailable", "The database does not answer.", Retry_After="0"))
    with pytest.raises(Unavailable) as caught:
        client.resolve(prompt="hello")
    assert len(server.received) == 4
    assert caught.value.code == "database_unavailable"


def test_resolve__nobody_listens__says_that_nothing_was_reached() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        with (
            ToolCatalogClient(url, SECRET, retries=IMPATIENT) as client,
            pytest.raises(ToolCatalogConnectionError) as e,
        ):
            client.resolve(prompt="hello")
    assert not e.value.reached


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(422, "invalid", InvalidRequest), (409, "not_exposed", Conflict), (500, "internal_error", Exception)],
)
def test_refusal__repeating_would_not_help__is_sent_once(
    server: Server, client: ToolCatalogClient, status: int, code: str, kind: type[Exception]
) -> None:
    server.script(problem(status, code))
    with pytest.raises(kind):
        client.execute("sum", {})
    assert len(server.received) == 1


def test_too_many_requests__stays__is_its_own_error(server: Server, client: ToolCatalogClient) -> None:
    server.script(problem(429, "too_many_requests", Retry_After="0"))
    with pytest.raises(TooManyRequests):
        client.resolve(prompt="hello")
    assert len(server.received) == 4


# A tool may have run


CALL = chat_calls(("call-1", "send_email", "{}"))
SNAPSHOT = "00000000-0000-7000-8000-000000000001"


def test_tool_calls__connection_lost_without_a_snapshot__are_never_repeated(
    server: Server, client: ToolCatalogClient
) -> None:
    server.script(HangUp())
    with pytest.raises(ToolCatalogConnectionError) as caught:
        client.run_tool_calls(CALL)
    assert len(server.received) == 1
    assert caught.value.reached


def test_tool_calls__connection_lost_and_a_call_has_no_id__are_never_repeated(
    server: Server, client: ToolCatalogClient
) -> None:
    server.script(HangUp())
    with pytest.raises(ToolCatalogConnectionError):
        client.run_tool_calls(chat_calls(("", "send_email", "{}")), snapshot_id=SNAPSHOT)
    assert len(server.received) == 1


def b_X10_tool_calls__connection_lost_with_snapshot_and_ids__are_repeated(
    server: Server, client: ToolCatalogClient
) -> None:
    server.script(HangUp(), Answer(body=calls_body()))
    client.run_tool_calls(CALL, snapshot_id=SNAPSHOT)
    first, second = server.received
    assert first.body == second.body


def b_X10_tool_calls__the_first_still_runs__waits_for_its_result(server: Server, client: ToolCatalogClient) -> None:
    server.script(HangUp(), problem(409, "call_running"), Answer(body=calls_body()))
    client.run_tool_calls(CALL, snapshot_id=SNAPSHOT)
    assert len(server.received) == 3


def test_tool_calls__catalog_says_that_nothing_ran__are_repeated_in_any_case(
    server: Server, client: ToolCatalogClient
) -> None:
    server.script(problem(503, "overloaded", Retry_After="0"), Answer(body=calls_body()))
    client.run_tool_calls(CALL)
    assert len(server.received) == 2


def test_tool_calls__a_proxy_says_that_it_is_away__are_not_repeated_without_a_snapshot(
    server: Server, client: ToolCatalogClient
) -> None:
    server.script(Answer(503, b"upstream", "text/plain"))
    with pytest.raises(UnreadableAnswer):
        client.run_tool_calls(CALL)
    assert len(server.received) == 1


def b_X10_execute__connection_lost__is_repeated_under_one_key(server: Server, client: ToolCatalogClient) -> None:
    done = {"status": "ok", "result": 3, "duration_ms": 1, "tool": {"name": "sum", "version": "1.0", "revision": 4}}
    server.script(HangUp(), HangUp(), Answer(body=done))
    assert client.execute("sum", {"a": 1}).result == 3
    keys = {request.headers["idempotency-key"] for request in server.received}
    assert (len(server.received), len(keys)) == (3, 1)


def test_execute__two_calls__have_keys_of_their_own(server: Server, client: ToolCatalogClient) -> None:
    done = {"status": "ok", "result": 3, "duration_ms": 1, "tool": {"name": "sum", "version": "1.0", "revision": 4}}
    server.script(Answer(body=done))
    client.execute("sum")
    client.execute("sum")
    client.execute("sum", idempotency_key="mine")
    keys = [request.headers["idempotency-key"] for request in server.received]
    assert len(set(keys)) == 3
    assert keys[-1] == "mine"


def test_execute__the_tool_failed__is_not_repeated(server: Server, client: ToolCatalogClient) -> None:
    server.script(problem(502, "tool_failed", "It broke."))
    with pytest.raises(ToolFailed):
        client.execute("sum")
    assert len(server.received) == 1
