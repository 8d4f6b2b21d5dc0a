"""A real browser against a real server. Skipped without chromium, unless REQUIRE_BROWSER=1 says it must be there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page

from tests.support.database import count_busy_connections
from tests.support.waiting import wait_until

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
PATIENCE = 60_000  # milliseconds: tests judge what happens, not how fast a busy machine is
PASSWORD = "a-long-word-1"

# The browser's own loop runs in this thread, and Django would take our queries for asynchronous ones.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The installed chromium, in place of one that would have to be downloaded."""
    if not Path(CHROMIUM).exists():
        said = f"There is no browser at {CHROMIUM}: install chromium, or set CHROMIUM."
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(said)
        pytest.skip(said)
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A desk's screen, and English."""
    return {**browser_context_args, "viewport": {"width": 1400, "height": 900}, "locale": "en-US"}


@pytest.fixture
def faults() -> list[str]:
    """What the browser complained about: scripts that failed or were refused."""
    return []


@pytest.fixture
def curator(transactional_db: None) -> User:
    """A person with every right."""
    return User.objects.create_superuser("ada", password=PASSWORD, first_name="Ada", last_name="Curator")


@pytest.fixture
def stranger(context: BrowserContext, curator: User, faults: list[str]) -> Iterator[Page]:
    """A browser's page before anybody has logged in. A test fails if a script fails or is refused."""
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    for one in context.pages:
        one.close()
    wait_until(lambda: not count_busy_connections())  # requests that the page has left; the database is emptied next
    assert not faults, faults


@pytest.fixture
def page(stranger: Page, live_server: Any, curator: User) -> Page:
    """A page of the admin, where the curator has logged in."""
    session = Client()
    session.force_login(curator)
    cookie = {"name": "sessionid", "value": session.cookies["sessionid"].value, "url": live_server.url}
    stranger.context.add_cookies([cookie])  # type: ignore[list-item]  # a dictionary of this form
    stranger.goto(f"{live_server.url}/admin/")
    return stranger
