"""Every example, started as a reader would start it: against a served catalog and a served model.

The catalog is the demo's. The model is scripted, listens on the loopback interface, speaks the vendor's wire format,
and refuses what the vendor would refuse.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from toolcatalog.demo.loading import load_demo, make_access
from toolcatalog.models import Exposure

from .models import AnthropicModel, ChatModel, Model, Say, call
from .servers import run_server

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTION = "Where does my teapot stay?"
ANSWER = "Your teapot is on its way to sunny 杭州."
STORY = (
    call("toolSearch", query="order status", maxResults=1),
    call("get_order", orderNo="AF20260001"),
    call("toolSearch", query="查询城市天气", maxResults=1),
    call("getWeather", city="杭州"),
    Say(ANSWER),
)
CASES: list[tuple[str, type[Model]]] = [
    ("openai_loop.py", ChatModel),
    ("anthropic_loop.py", AnthropicModel),
    ("langgraph_agent.py", ChatModel),
    ("pydantic_ai_agent.py", ChatModel),
]


@pytest.fixture
def api_key(live_server: LiveServer) -> str:
    """A key of the demo's first tenant."""
    load_demo()
    return make_access().keys["API_KEY"]


@pytest.mark.slow
@pytest.mark.parametrize(("example", "kind"), CASES, ids=[case[0] for case in CASES])
def test_example__with_a_scripted_model__searches_calls_and_answers(
    live_server: LiveServer, api_key: str, example: str, kind: type[Model]
) -> None:
    model = kind(STORY)
    before = count_exposures()
    with run_server(model.respond) as vendor:
        done = subprocess.run(
            [sys.executable, str(EXAMPLES / example), QUESTION],
            env=make_environment(live_server.url, api_key, vendor.url),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        paths = set(vendor.paths)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ANSWER
    assert len(paths) == 1
    check_requests(model)
    assert count_exposures() - before == {"resolve": 5, "search": 2}


def count_exposures() -> Counter[str]:
    """How many there are of each kind. They outlive the tests that made them: nobody may delete them."""
    return Counter(Exposure.objects.values_list("kind", flat=True))


def check_requests(model: Model) -> None:
    """What the model was shown in each round, and what it read in the last."""
    found = [set(names) - set(model.tool_names[0]) for names in model.tool_names]
    assert found == [set(), {"get_order"}, {"get_order"}, {"getWeather"}, {"getWeather"}]
    searched, order, searched_again, weather = model.results(model.requests[-1])
    assert (searched, searched_again) == (["get_order"], ["getWeather"])
    assert (order["orderNo"], order["status"]) == ("AF20260001", "shipped")
    assert weather == "Sunny in 杭州, 21 degrees."


def make_environment(catalog: str, api_key: str, vendor: str) -> dict[str, str]:
    """The variables that an example reads."""
    return {
        **os.environ,
        "PYTHONPATH": str(EXAMPLES.parent),
        "PYTHONIOENCODING": "utf-8",
        "URL": catalog,
        "API_KEY": api_key,
        "OPENAI_BASE_URL": f"{vendor}/v1",
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": vendor,
        "ANTHROPIC_API_KEY": "none",
        "NO_PROXY": "127.0.0.1,localhost",
    }
