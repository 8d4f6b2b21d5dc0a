"""Conversations go on through a restart of the catalog's database."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from project.embedded import EmbeddedServer
from tests.project.launching import remove_folder
from tests.support.ports import free_port
from toolcatalog.client import (
    AgentStatus,
    Context,
    RetryPolicy,
    ToolCatalogClient,
    run_agent,
)

from .models import ChatModel, Say, call

ROOT = Path(__file__).parents[2]
CONTEXT = Context(account_id="user-1001", conversation_id="restart")
PATIENT = RetryPolicy(retries=20, first_wait=0.5, longest_wait=2)


@dataclass
class Served:
    """A demo that is served by a process of its own, on a database of its own."""

    url: str
    key: str
    database: EmbeddedServer

    def stop_database(self) -> None:
        """Stop the database. The server starts it anew when it misses it."""
        self.database.stop()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    folder = Path(tempfile.mkdtemp(prefix="toolcatalog-test-"))
    folder.chmod(0o755)
    data = folder / "data"
    port, said = free_port(), folder / "said"
    # Its own database, with the patience for it that it has in production.
    outside = {name: value for name, value in os.environ.items() if "DATABASE_" not in name}
    with said.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(port)],
            env={**outside, "DATA_DIR": str(data), "WEB_CONCURRENCY": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_served(process, url, said)
        lines = dict(line.split("=", 1) for line in (data / "demo.env").read_text().splitlines())
        yield Served(url, lines["API_KEY"].strip("'"), EmbeddedServer(data))
    finally:
        process.terminate()
        process.wait(60)
        EmbeddedServer(data).stop()
        remove_folder(folder)


def wait_until_served(process: subprocess.Popen[bytes], url: str, said: Path) -> None:
    """Wait until the server is ready. Fails with what it said if it ends before."""
    while process.poll() is None:
        try:
            if httpx2.get(f"{url}/readyz").status_code == 200:
                return
        except httpx2.TransportError:
            pass
        threading.Event().wait(0.2)
    raise AssertionError(said.read_text())


class Watching(httpx2.HTTPTransport):
    """A transport that writes down what came back."""

    def __init__(self) -> None:
        super().__init__()
        self.statuses: list[int] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        response = super().handle_request(request)
        self.statuses.append(response.status_code)
        return response


class Meddler(ChatModel):
    """A model during whose rounds things happen."""

    def __init__(self, script: Any, **happenings: Any) -> None:
        super().__init__(script)
        self.happenings = happenings

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        said = super().answer(request)
        self.happenings.get(f"round_{len(self.requests)}", lambda: None)()
        return said


@pytest.mark.slow
def test_conversation__database_restarts__is_gone_on_with(served: Served) -> None:
    model = Meddler(
        (
            call("toolSearch", query="查询城市天气", maxResults=1),
            call("getWeather", city="Paris"),
            Say("Sun."),
        ),
        round_1=served.stop_database,
        round_2=served.stop_database,
    )
    transport = Watching()
    with ToolCatalogClient(served.url, served.key, retries=PATIENT, timeout=60, transport=transport) as client:
        outcome = run_agent(
            client, model, [{"role": "user", "content": "q"}], tools={"getWeather": lambda **_: "sun"}, context=CONTEXT
        )
    assert outcome.status == AgentStatus.ANSWERED
    assert model.results(model.requests[-1]) == [["getWeather"], "sun"]
    assert not outcome.last_answer.stale
    assert 503 in transport.statuses


@pytest.mark.slow
def test_conversation__database_is_away__keeps_its_last_tools(served: Served) -> None:
    def stop_the_database(**_: Any) -> str:
        served.stop_database()
        return "noon"

    model = Meddler((call("current_time"), Say("Noon.")))
    with ToolCatalogClient(served.url, served.key, retries=0) as client:
        question = [{"role": "user", "content": "What time is it?"}]
        outcome = run_agent(client, model, question, tools={"current_time": stop_the_database}, context=CONTEXT)
        assert (outcome.status, outcome.last_answer.stale) == (AgentStatus.ANSWERED, True)
        assert model.tool_names[0] == model.tool_names[1]
    with ToolCatalogClient(served.url, served.key, retries=PATIENT, timeout=60) as patient:
        assert not patient.resolve(messages=question, format="openai_chat", context=CONTEXT).stale
