"""What tests of resolution share: packages of others, installed for one test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import make_profile, make_tenant, take_time
from toolcatalog.callbacks import registered_callbacks
from toolcatalog.models import Tenant
from toolcatalog.search import registry as search_registry

Install = Callable[[str, str, str], None]
"""`install(group, name, code)`: a package that offers `Plugin`, made by the code, under that name."""


@pytest.fixture(autouse=True)
def unhurried(request: pytest.FixtureRequest) -> None:
    """A test is one transaction with many requests in it: it may take longer than one request may."""
    if "db" in request.fixturenames:
        request.getfixturevalue("db")
        take_time()


@pytest.fixture
def tenant(db: None) -> Tenant:
    """A tenant with an empty default profile."""
    return make_tenant()


@pytest.fixture
def quiet(tenant: Tenant) -> Tenant:
    """A tenant whose model cannot search."""
    make_profile(tenant, search={"enabled": False})
    return tenant


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs packages with entry points, as pip would, for the time of the test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    installed: list[str] = []

    def install_one(group: str, name: str, code: str) -> None:
        module = f"plugin_of_tests_{len(installed)}"
        installed.append(module)
        (tmp_path / f"{module}.py").write_text(code)
        metadata = tmp_path / f"{module}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}:Plugin\n")
        _forget_entry_points()

    yield install_one
    monkeypatch.undo()
    for module in installed:
        sys.modules.pop(module, None)
    _forget_entry_points()


def _forget_entry_points() -> None:
    registered_callbacks.cache_clear()
    search_registry.provider_registry.cache_clear()
