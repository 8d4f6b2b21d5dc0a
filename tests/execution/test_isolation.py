"""T27: whatever a plug-in does, in a real server: others are served meanwhile, and are told nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.callbacks.conftest import Installer
from tests.support import make_profile, make_tenant
from toolcatalog.models import Call, Tenant

from .agents import Agent, Auditor, says_calls
from .conftest import make_callback_tool
from .worker import Worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SECRET = "SECRET-4711"
GIGABYTE = 1_000_000_000
FEWEST_ROUNDS = 5
CODE = f"""
import os, sys, time

@tool(timeout_seconds=0.5)
def sleeps() -> str:
    "Sleeps in a thread."
    time.sleep(60)
    return "late"

@tool(timeout_seconds=0.5, process=True)
def sleeps_apart() -> str:
    "Sleeps in a process of its own."
    time.sleep(60)
    return "late"

@tool
def exits() -> str:
    "Asks the interpreter to end."
    sys.exit("{SECRET}")

@tool(process=True)
def exits_apart() -> str:
    "Ends its process."
    os._exit(1)

@tool
def recurses() -> str:
    "Calls itself without end."
    return recurses()

@tool(timeout_seconds=2, process=True)
def recurses_apart() -> str:
    "The same without Python's limit."
    sys.setrecursionlimit(10**9)
    return recurses()

@tool(process=True)
def floods() -> str:
    "Answers a gigabyte."
    return "x" * {GIGABYTE}

@tool(timeout_seconds=60)
def floods_here() -> str:
    "The same in a thread."
    return "x" * {GIGABYTE}

@tool
def leaks() -> str:
    "Raises a secret."
    raise RuntimeError("{SECRET}")

@tool
def works(value: int = 0) -> int:
    "Answers."
    return value
"""
WORST = ("sleeps", "sleeps_apart", "exits", "exits_apart", "recurses", "recurses_apart", "floods", "leaks")


class Other:
    """Somebody else, who goes on with requests until told to end, and for some rounds at least."""

    def __init__(self, worker: Worker, tenant: Tenant) -> None:
        self.worker = worker
        self.key = Agent(tenant).key.secret
        self.over = Event()

    def go_on(self) -> list[tuple[int, Any]]:
        """Resolve, and call a tool of one's own: status and result of each round."""
        rounds: list[tuple[int, Any]] = []
        while not self.over.is_set() or len(rounds) < FEWEST_ROUNDS:
            status, answer = self.worker.post("/resolve", self.key, {"prompt": "hello"})
            assert status == 200, answer
            message = says_calls(("call-1", "works", {"value": len(rounds)}))
            body = {"message": message, "snapshot_id": answer["snapshot"]["id"]}
            status, answer = self.worker.post("/tool-calls", self.key, body)
            rounds.append((status, answer["results"][0]["result"]))
        return rounds


def make_owner(names: list[str]) -> Tenant:
    """A tenant with these tools, always there."""
    tenant = make_tenant()
    for name in names:
        make_callback_tool(tenant, name)
    make_profile(tenant, resident_tools=tuple(names))
    return tenant


@pytest.fixture
def worker(installer: Installer, tmp_path: Path) -> Iterator[Worker]:
    installer.install(CODE, {f"post.{name}": name for name in (*WORST, "floods_here", "works")})
    with Worker(tmp_path) as worker:
        yield worker


def rel_T27_plugin_that_does_the_worst__others_are_served_meanwhile_and_told_nothing(worker: Worker) -> None:
    owner = make_owner([*WORST, "floods_here", "works"])
    agent, other = Agent(owner), Other(worker, make_owner(["works"]))
    status, answer = worker.post("/resolve", agent.key.secret, {"prompt": "hello"})
    assert status == 200

    def call(name: str, number: int) -> tuple[str, Any]:
        message = says_calls((f"{name}-{number}", name, {}))
        body = {"message": message, "snapshot_id": answer["snapshot"]["id"]}
        status, told = worker.post("/tool-calls", agent.key.secret, body)
        assert status == 200, told
        return name, told["results"][0]

    with ThreadPoolExecutor(6) as pool:
        rounds = pool.submit(other.go_on)
        calls = [pool.submit(call, name, number) for number in range(4) for name in WORST]
        flood = pool.submit(call, "floods_here", 0)
        reports = [done.result() for done in calls]
        other.over.set()
        served = rounds.result()
    assert {report["status"] for name, report in reports} == {"error", "timeout"}
    assert {report["status"] for name, report in reports if "sleeps" not in name and "recurses" not in name} == {
        "error"
    }
    assert flood.result()[1]["result"]["size_bytes"] == GIGABYTE + 2
    assert served == [(200, number) for number in range(len(served))]
    assert worker.is_up
    assert call("works", 0)[1]["status"] == "ok"
    assert SECRET not in str(reports)
    assert SECRET not in worker.log.read_text()
    assert SECRET not in str(list(Call.objects.values()))
    assert len(Auditor(owner).calls("?page_size=100")) == len(reports) + 2
