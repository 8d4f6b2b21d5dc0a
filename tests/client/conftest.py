"""Servers to talk to, and clients that talk to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest
from django.core import signals
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections

from tests.callbacks.conftest import Installer, installer
from toolcatalog.client import RetryPolicy, ToolCatalogClient

from .catalogs import CALLBACKS, CODE, make_catalog
from .servers import Server, run_server

__all__ = ["installer"]

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


@pytest.fixture
def catalog(db: None, installer: Installer) -> Iterator[ToolCatalogClient]:
    """A client of a real catalog in this process, without a network between them."""
    installer.install(CODE, CALLBACKS)
    _, secret = make_catalog()
    transport = httpx2.WSGITransport(app=get_wsgi_application())
    with keep_connections(), ToolCatalogClient("http://testserver", secret, transport=transport, retries=0) as made:
        yield made


@contextmanager
def keep_connections() -> Iterator[None]:
    """Let the end of a request leave the database's connection open: the test's transaction lives in it."""
    signals.request_started.disconnect(close_old_connections)
    signals.request_finished.disconnect(close_old_connections)
    yield
    signals.request_started.connect(close_old_connections)
    signals.request_finished.connect(close_old_connections)
