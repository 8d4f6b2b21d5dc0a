"""The last answer again, in the form of every vendor, from a real catalog that is then away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from django.core.wsgi import get_wsgi_application

from tests.callbacks.conftest import Installer
from toolcatalog.client import ToolCatalogClient, ToolCatalogConnectionError

from .catalogs import CALLBACKS, CODE, make_catalog
from .conftest import keep_connections
from .conversations import ALL_WRITERS, WRITERS, Turn, Writer

HERE = {"account_id": "user-1001", "conversation_id": "c-1"}
NATIVE = {"anthropic", "openai_responses"}
FORMS = [
    *((writer, disclosure) for writer in WRITERS for disclosure in ("inline", "meta")),
    *((writer, "native") for writer in ALL_WRITERS if writer.is_native or writer.format in NATIVE),
]
"""Gemini's native form has messages of its own."""


class Switch(httpx2.BaseTransport):
    """A way to the catalog that can be cut."""

    def __init__(self) -> None:
        self.inner = httpx2.WSGITransport(app=get_wsgi_application())
        self.is_away = False

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.is_away:
            raise httpx2.ConnectError("nobody listens")
        return self.inner.handle_request(request)


@pytest.fixture
def way(db: None, installer: Installer) -> Iterator[tuple[Switch, ToolCatalogClient]]:
    installer.install(CODE, CALLBACKS)
    _, secret = make_catalog()
    switch = Switch()
    with keep_connections(), ToolCatalogClient("http://testserver", secret, transport=switch, retries=0) as client:
        yield switch, client


def fields_of(writer: Writer, disclosure: str, text: str) -> dict[str, Any]:
    messages = writer.write([Turn("user", text)])
    return {"messages": messages, "format": writer.format, "disclosure": disclosure, "context": HERE}


@pytest.mark.parametrize("system_prompt", [None, "You help."])
@pytest.mark.parametrize(("writer", "disclosure"), FORMS, ids=str)
def test_reuse__catalog_is_away__is_what_it_would_have_answered(
    way: tuple[Switch, ToolCatalogClient], writer: Writer, disclosure: str, system_prompt: str | None
) -> None:
    switch, client = way
    first = client.resolve(**fields_of(writer, disclosure, "订单?"), system_prompt=system_prompt)
    expected = client.resolve(**fields_of(writer, disclosure, "my order?"), system_prompt=system_prompt)
    switch.is_away = True
    again = client.resolve(**fields_of(writer, disclosure, "my order?"), system_prompt=system_prompt)
    assert (first.stale, expected.stale, again.stale) == (False, False, True)
    assert again.request == expected.request
    with pytest.raises(ToolCatalogConnectionError):
        client.resolve(**{**fields_of(writer, disclosure, "my order?"), "context": {**HERE, "model": "other"}})
