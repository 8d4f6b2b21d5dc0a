"""Case X08: callers that go away in the middle of a request. The service goes on as if nothing had been."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.support.database import count_busy_connections
from tests.support.served import Served
from toolcatalog.models import Call, CallEnd, Exposure

from .agents import Agent
from .conftest import make_catalog

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TIMES = 100
PATIENCE = 120.0
RESET = struct.pack("ii", 1, 0)


@pytest.fixture
def agent(transactional_db: None, callbacks: ModuleType) -> Agent:
    return Agent(make_catalog())


@pytest.fixture
def served(agent: Agent, tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path) as process:
        yield process


def ask(served: Served, agent: Agent, path: str, body: Any) -> Any:
    headers = {"Authorization": f"Bearer {agent.key.secret}", "Content-Type": "application/json"}
    with urlopen(Request(f"{served.url}/api/v1{path}", json.dumps(body).encode(), headers), timeout=PATIENCE) as answer:
        return json.load(answer)


def go_away(served: Served, agent: Agent, path: str, body: Any, *, number: int) -> None:
    """Send a request and hang up, in one of the ways that clients do: before the body is whole, right after it, or
    while the answer is made; with a farewell or without.
    """
    sent = json.dumps(body).encode()
    head = (
        f"POST /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {agent.key.secret}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as line:
        if number % 2:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        line.sendall(head.encode() + (sent[:-1] if number % 4 == 3 else sent))
        time.sleep(0.005 * (number % 5))


def hang_up_often(served: Served, agent: Agent, path: str, body: Any) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: go_away(served, agent, path, body, number=number), range(TIMES)))


def wait_until_quiet(served: Served) -> None:
    """Wait until every call that was begun has its end on record, and no connection stands in a transaction."""
    deadline = time.monotonic() + PATIENCE
    while count_open_work():
        assert time.monotonic() < deadline, count_open_work()
        assert served.is_running
        time.sleep(0.1)


def count_open_work() -> int:
    return count_busy_connections() + Call.objects.count() - CallEnd.objects.count()


def case_X08_disconnects_during_search_and_execute__service_unaffected(served: Served, agent: Agent) -> None:
    snapshot = agent.snapshot(active_tools=["naps", "price"])
    nap = {"arguments": {"seconds": 0.05}, "snapshot_id": snapshot}
    before = ask(served, agent, "/search", {"query": "cost of a parcel"})
    hang_up_often(served, agent, "/search", {"query": "cost of a parcel", "session_id": "s"})
    hang_up_often(served, agent, "/tools/naps/execute", nap)
    wait_until_quiet(served)

    assert ask(served, agent, "/search", {"query": "cost of a parcel"}) == before
    with ThreadPoolExecutor(8) as pool:
        body = {"arguments": {"weight": 2}, "snapshot_id": snapshot}
        done = list(pool.map(lambda _: ask(served, agent, "/tools/price/execute", body), range(24)))
    assert {one["result"]["yuan"] for one in done} == {6}
    assert ask(served, agent, "/resolve", {"prompt": "hello", "session_id": "s"})["active_tools"]

    # What arrived whole was done and is on record, though nobody waited for the answer; what did not, was not.
    whole = TIMES * 3 // 4
    assert 1 < Exposure.objects.filter(kind="search").count() <= whole + 2
    naps = Call.objects.filter(name="naps").values_list("id", flat=True)
    assert 0 < len(naps) <= whole
    assert set(CallEnd.objects.filter(id__in=naps).values_list("outcome", flat=True)) == {"ok"}
