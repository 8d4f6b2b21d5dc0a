"""A tenant with tools of every kind of execution, and callbacks that behave as tests want, installed as a package."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.callbacks.conftest import Installer, installer
from tests.support import make_tenant, make_tool, make_tools, take_time
from toolcatalog.execution import running
from toolcatalog.models import Tenant

from .agents import Agent, Auditor

__all__ = ["installer"]

CODE = """
import datetime, os, sys, threading, time, uuid
from decimal import Decimal

RUNS = []
GATE = threading.Event()
STARTED = threading.Event()

@tool
def price(weight: int, days: int | None = None, currency: str = "CNY") -> dict:
    "What a parcel costs."
    RUNS.append((weight, days))
    return {"yuan": weight * 3, "days": days}

@tool
def about(context: CallContext) -> dict:
    "Says who calls."
    return {"tenant": context.tenant, "account": context.account_id, "conversation": context.conversation_id,
            "model": context.model, "plan": context.attributes.get("plan"), "request": context.request_id}

@tool
def echo(value: object = None) -> object:
    "Answers what it is given."
    RUNS.append(value)
    return value

@tool
def nothing() -> str:
    "Takes nothing."
    RUNS.append(None)
    return "done"

@tool
def fails(text: str = "") -> str:
    "Raises."
    RUNS.append(text)
    raise KeyError("tool not found: " + text)

@tool
def complains() -> str:
    "Raises words for the model."
    raise ToolError("The scales are broken.")

@tool(timeout_seconds=0.3)
def hangs() -> str:
    "Hangs."
    RUNS.append(None)
    GATE.wait(20)
    return "late"

@tool
def waits() -> str:
    "Waits for the test."
    RUNS.append(None)
    STARTED.set()
    GATE.wait(20)
    return "waited"

@tool
def naps(seconds: float = 0.0, name: str = "") -> str:
    "Takes a nap."
    time.sleep(seconds)
    return name

@tool
def exits() -> str:
    "Ends the thread."
    sys.exit(3)

@tool(process=True)
def dies() -> str:
    "Ends the process."
    os._exit(3)

@tool
def recurses() -> str:
    "Never comes back."
    return recurses()

@tool
def big(characters: int) -> str:
    "Answers much."
    return "x" * characters

@tool
def rich() -> dict:
    "Answers what JSON lacks."
    return {"day": datetime.date(2026, 3, 1), "sum": Decimal("1.50"), "id": uuid.UUID(int=7)}

@tool
def opaque() -> object:
    "Answers what cannot be written."
    return object()
"""
FUNCTIONS = (
    "price", "about", "echo", "nothing", "fails", "complains", "hangs", "waits", "naps", "exits", "dies", "recurses",
    "big", "rich", "opaque",
)  # fmt: skip
PRICE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "weight": {"type": "integer", "minimum": 1, "description": "Kilograms"},
        "days": {"type": "integer"},
        "currency": {"type": "string", "enum": ["CNY", "EUR"]},
    },
    "required": ["weight"],
    "additionalProperties": False,
}
ORDER = {
    "type": "object",
    "properties": {"orderNo": {"type": "string"}, "城市": {"type": "string"}},
    "required": ["orderNo"],
}


@pytest.fixture(autouse=True)
def unhurried(request: pytest.FixtureRequest) -> None:
    """A test is one transaction with many requests in it: it may take longer than one request may."""
    if "db" in request.fixturenames and "transactional_db" not in request.fixturenames:
        request.getfixturevalue("db")
        take_time()


@pytest.fixture
def callbacks(installer: Installer) -> ModuleType:
    """The module of the installed callbacks: `RUNS` has what ran, `GATE` lets those go that wait."""
    module = installer.load(installer.install(CODE, {f"post.{name}": name for name in FUNCTIONS}))
    running._pool.cache_clear()
    return module


@pytest.fixture
def tenant(db: None, callbacks: ModuleType) -> Tenant:
    return make_catalog()


def make_catalog(slug: str | None = None) -> Tenant:
    """A tenant with a tool for each callback, and tools that its callers run. Nothing is resident: all is found."""
    tenant = make_tenant(slug)
    tools = [callback_tool(name) for name in FUNCTIONS if name != "price"]
    tools.append(callback_tool("price", "What it costs to send a parcel", parameters=PRICE, category="freight"))
    order = {"parameters": ORDER, "category": "orders", "tags": ("order",)}
    tools.append({"name": "get_order", "description": "Status of an order", **order})
    make_tools(tenant, tools)  # in one edit: most tests begin with it
    return tenant


def callback_tool(name: str, description: str = "", **fields: Any) -> dict[str, Any]:
    """The fields of a tool that runs the callback of its name."""
    here = {"execution": "callback", "callback": f"post.{name}"}
    return {"name": name, "description": description or f"Callback {name} of the post", **here, **fields}


def make_callback_tool(owner: Tenant | None, name: str, description: str = "", **fields: Any) -> None:
    """A tool that runs the callback of its name."""
    make_tool(owner, **callback_tool(name, description, **fields))


@pytest.fixture
def agent(tenant: Tenant) -> Agent:
    return Agent(tenant)


@pytest.fixture
def auditor(tenant: Tenant) -> Auditor:
    return Auditor(tenant)
