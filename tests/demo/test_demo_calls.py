"""Tools of the demo really run: with the calls that the demo prints, and those of the README."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from django.test.utils import override_settings

from tests.support import search
from toolcatalog.callbacks import callback_problems
from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.demo.loading import PLUGIN, load_demo, make_access
from toolcatalog.management.commands.demo import as_env, describe
from toolcatalog.models import Tenant, Tool

README = Path(__file__).parents[2] / "README.md"
CURL = re.compile(r"""curl -s (\S+) -H (["'])Authorization: (.+?)\2 -H '[^']*' +-d '([^']*)'""")
PRICE = {"yuan": 10, "charged_kg": 3, "is_bulky": False}


def read_curls(text: str) -> list[tuple[str, str, str]]:
    """(URL, authorization, body) of each `curl` in a text."""
    found = CURL.findall(text.replace("\\\n", ""))
    return [(url, authorization, body) for url, _, authorization, body in found]


def send(url: str, authorization: str, body: str) -> Any:
    """What the server answers."""
    headers = {"Authorization": authorization, "Content-Type": "application/json"}
    answer = httpx2.post(url, content=body.encode(), headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def access(transactional_db: None) -> dict[str, str]:
    load_demo()
    return as_env(make_access())


def check(curls: list[tuple[str, str, str]]) -> None:
    """The first resolves; the last calls a tool that runs."""
    answers = [send(*curl) for curl in curls]
    assert len(answers) == 3
    assert "get_order" in answers[0]["tool_names"]
    assert "parcel_price" in answers[1]["names"]
    (result,) = answers[2]["results"]
    assert (result["status"], result["result"]) == ("ok", PRICE)
    assert json.loads(answers[2]["messages"][0]["content"]) == PRICE


def test_demo__what_it_prints__pasted__finds_and_runs_a_tool(access: dict[str, str], live_server: Any) -> None:
    with override_settings(DATA_DIR=Path(".data")):  # for what is printed only: a database is there too
        printed = describe(live_server.url, f"{live_server.url}/mcp", access)
    check(read_curls(printed))


def test_readme__its_curls__pasted__find_and_run_a_tool(access: dict[str, str], live_server: Any) -> None:
    text = README.read_text(encoding="utf-8")
    filled = text.replace("$URL", live_server.url).replace("$API_KEY", access["API_KEY"])
    check(read_curls(filled))


@pytest.mark.django_db
def test_demo__loaded__has_the_plugins_functions_as_published_tools_without_problems() -> None:
    load_demo()
    tools = Tool.objects.filter(owner=None, callback__startswith=PLUGIN)
    assert {tool.callback for tool in tools} >= {"fenghe.convert_amount", "fenghe.parcel_price", "fenghe.plan_stops"}
    assert {tool.status for tool in tools} == {ToolStatus.PUBLISHED}
    assert not callback_problems()
    load_demo()
    assert Tool.objects.filter(owner=None, callback__startswith=PLUGIN).count() == len(tools)


@pytest.mark.django_db
def test_demo__tenants__find_the_callbacks_that_they_were_granted() -> None:
    load_demo()
    mart, freight, labs = (Tenant.objects.get(slug=slug) for slug in ("maple-mart", "crane-freight", "sprout-labs"))
    assert "plan_stops" in search(freight, "plan_stops").names
    assert "parcel_price" in search(mart, "寄快递的运费").names
    assert "pickup_slots" not in search(freight, "pickup_slots").names
    assert "plan_stops" not in search(labs, "plan_stops").names
