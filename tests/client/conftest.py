"""Servers to talk to, and clients that talk to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from toolcatalog.client import RetryPolicy, ToolCatalogClient

from .servers import Server, run_server

SECRET = "tc_test_secret"
IMPATIENT = RetryPolicy(retries=3, first_wait=0.001, longest_wait=0.002)


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that answers what the test wants."""
    with run_server() as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[ToolCatalogClient]:
    """A client of that server, which does not wait long."""
    with ToolCatalogClient(server.url, SECRET, retries=IMPATIENT) as made:
        yield made
