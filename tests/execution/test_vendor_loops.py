"""The loops of the pages about vendors, run with the vendors' own SDKs: search, call, search, call, answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.client.models import RefusedRequest, Say
from tests.client.servers import run_server
from tests.support import make_group, make_profile, make_tool, says
from toolcatalog.models import Exposure

from .agents import Agent, Auditor
from .conftest import make_catalog
from .pages import PAGES, blocks_of, run_blocks
from .vendors import (
    Chat,
    Converse,
    GenerateContent,
    Interactions,
    Messages,
    Responses,
    Search,
    Use,
    Vendor,
    read_found,
    respond_with,
)

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "It was shipped; a parcel costs 12 yuan."
PROMPT = "Only speak of orders of this account."
STORY: tuple[Any, ...] = (
    Search("status of an order"),
    Use({"orderNo": "AF20260001"}),
    Search("cost of a parcel"),
    Use({"weight": 4}),
    Say(ANSWER),
)
PATHS: dict[type[Vendor], str] = {
    Chat: "/chat/completions",
    Responses: "/responses",
    Messages: "/v1/messages",
    GenerateContent: ":generateContent",
    Interactions: "/interactions",
    Converse: "/converse",
}
PAGE_OF: dict[type[Vendor], str] = {
    Chat: "openai_chat.md",
    Responses: "openai_responses.md",
    Messages: "anthropic.md",
    GenerateContent: "gemini.md",
    Interactions: "gemini.md",
    Converse: "bedrock.md",
}
ADDRESSES = (
    "OPENAI_BASE_URL",
    "ANTHROPIC_BASE_URL",
    "GOOGLE_GEMINI_BASE_URL",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
)
"""Where the vendors' SDKs look for the address of their vendor."""
LOOPS = [
    (kind, disclosure)
    for kind in (Chat, Responses, Messages, GenerateContent, Converse)
    for disclosure in ("inline", "meta")
] + [(Responses, "native"), (Messages, "native"), (Interactions, "native")]


@pytest.fixture
def agent(callbacks: ModuleType, live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """An agent whose tenant has a catalog, and the environment that the pages ask for."""
    tenant = make_catalog()
    make_profile(tenant, resident_tools=("nothing",))
    make_group(tenant, "orders", (), says("order"), system_prompt=PROMPT)
    agent = Agent(tenant)
    environment = {
        "URL": live_server.url,
        "API_KEY": agent.key.secret,
        "OPENAI_API_KEY": "k",
        "ANTHROPIC_API_KEY": "k",
        "GEMINI_API_KEY": "k",
        "AWS_ACCESS_KEY_ID": "k",
        "AWS_SECRET_ACCESS_KEY": "k",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return agent


@contextmanager
def serving(*vendors: Vendor, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The vendors where their SDKs look for them."""
    with run_server(respond_with({PATHS[type(vendor)]: vendor for vendor in vendors})) as server:
        for name in ADDRESSES:
            monkeypatch.setenv(name, server.url)
        yield


class Page:
    """The program of a page, without the questions that it asks."""

    def __init__(self, page: str) -> None:
        self._blocks = [re.sub(r"^print\(.*\n", "", block, flags=re.MULTILINE) for block in blocks_of(page)]

    def answer(self, question: str, disclosure: str) -> str:
        """What the model answers in the end."""
        names: dict[str, Any] = {"__name__": "page"}
        for block in self._blocks:
            exec(block, names)
        if disclosure == "native" and "answer_natively" in names:
            return str(names["answer_natively"](question))
        return str(names["answer_question"](question, disclosure))


@pytest.mark.parametrize(("kind", "disclosure"), LOOPS, ids=lambda value: getattr(value, "__name__", value))
def fmt_loop__search_call_search_call_answer__goes_to_its_end(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, kind: type[Vendor], disclosure: str
) -> None:
    vendor = kind(STORY)
    with serving(vendor, monkeypatch=monkeypatch):
        assert Page(PAGE_OF[kind]).answer("Where is my order?", disclosure) == ANSWER
    order, price = [result for result in vendor.results(vendor.requests[-1]) if not read_found(result)]
    assert "shipped" in str(order)
    assert "12" in str(price)
    assert all(PROMPT in json.dumps(request) for request in vendor.requests)
    if disclosure != "inline":
        assert len({json.dumps(request.get("tools", request.get("toolConfig"))) for request in vendor.requests}) == 1
    (row,) = Auditor(agent.tenant).calls()
    assert (row["name"], row["outcome"], row["reasons"]) == ("price", "ok", ["SEARCH_HIT"])
    rows = Exposure.objects.filter(tenant_id=agent.tenant.pk).order_by("id")
    kinds = ["resolve", "search", "resolve", "resolve", "search", "resolve", "resolve"]
    assert list(rows.values_list("kind", "account")) == [(kind, "user-1001") for kind in kinds]


@pytest.mark.parametrize("kind", PAGE_OF, ids=lambda value: value.__name__)
def test_page__call_that_the_caller_has_no_function_for__is_answered_and_the_loop_goes_on(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, kind: type[Vendor]
) -> None:
    make_tool(agent.tenant, "list_ships", "Lists all ships in the harbour.", execution="client")
    story: tuple[Any, ...] = (Search("ships in the harbour"), Use({}), Say(ANSWER))
    vendor = kind(story)
    disclosure = "native" if kind is Interactions else "inline"
    with serving(vendor, monkeypatch=monkeypatch):
        assert Page(PAGE_OF[kind]).answer("Which ships are there?", disclosure) == ANSWER
    (told,) = [result for result in vendor.results(vendor.requests[-1]) if not read_found(result)]
    assert "does not work here" in str(told)


@pytest.mark.parametrize(
    "file", sorted({*PAGES.glob("*.md")} - {PAGES / "mcp.md", PAGES / "README.md"}), ids=lambda file: file.stem
)
def test_page__pasted_whole__runs(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    with serving(*(kind((*STORY, *STORY)) for kind in PATHS), monkeypatch=monkeypatch):
        run_blocks(file.name)
    told = capsys.readouterr().out.splitlines()
    assert told
    assert set(told) == {ANSWER}


def test_vendors__refuse_what_the_vendors_would() -> None:
    """The judges of these tests judge."""
    search = {"name": "toolSearch", "description": "s", "input_schema": {"type": "object", "properties": {}}}
    found = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "tool_reference", "tool_name": "price"}]}
    asked = {"type": "tool_use", "id": "a", "name": "toolSearch", "input": {}}
    talk = [{"role": "user", "content": "x"}, {"role": "assistant", "content": [asked]}]
    whole = {"max_tokens": 1, "messages": [*talk, {"role": "user", "content": [found]}]}
    price = {**search, "name": "price", "defer_loading": True}
    Messages(STORY).answer({**whole, "tools": [search, price]})
    for fault, tools in {
        "unresolved": [search],
        "unique": [search, price, price],
        "defer_loading=false": [price],
        "refused": [search, {**price, "name": "a.b"}, price],
    }.items():
        with pytest.raises(RefusedRequest, match=fault):
            Messages(STORY).answer({**whole, "tools": tools})
    with pytest.raises(RefusedRequest, match="answered"):
        Messages(STORY).answer({"max_tokens": 1, "messages": talk, "tools": [search]})
