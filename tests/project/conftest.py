"""Data folders for the tests of the embedded database."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from project.embedded import EmbeddedServer
from project.embedded.folders import PROJECT_FOLDER
from tests.project.launching import link_programs, remove_folder


@pytest.fixture(scope="session")
def made_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with a database that nobody uses; to be copied, not used."""
    folder = _passable_folder()
    server = EmbeddedServer(folder / "made")
    server.start()
    server.release()
    server.stop()
    yield folder / "made"
    remove_folder(folder)


@pytest.fixture(scope="session")
def running_database(made_database: Path) -> Iterator[EmbeddedServer]:
    """A database in use, for tests that change nothing in it."""
    subprocess.run(["cp", "-a", made_database, made_database.parent / "running"], check=True)
    server = EmbeddedServer(made_database.parent / "running")
    server.start()
    yield server
    server.release()
    server.stop()  # the folder is deleted next, and a server that its last user left takes a moment to end


@pytest.fixture(scope="session")
def readable_code() -> Iterator[Path]:
    """A copy of our launcher and of PostgreSQL's programs that every account can read."""
    folder = _passable_folder()
    without_caches = shutil.ignore_patterns("__pycache__")  # other processes write there
    shutil.copytree(PROJECT_FOLDER / "project", folder / "project", ignore=without_caches)
    link_programs(folder)
    yield folder
    remove_folder(folder)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every account may pass through and look into."""
    folder = _passable_folder()
    yield folder
    for data_folder in folder.rglob("users.lock"):
        EmbeddedServer(data_folder.parent).stop()
    remove_folder(folder)


@pytest.fixture
def data_folder(place: Path, made_database: Path) -> Callable[[str], Path]:
    """Makes data folders of the given names, each with a database that nobody uses yet."""

    def make(name: str) -> Path:
        subprocess.run(["cp", "-a", made_database, place / name], check=True)
        return place / name

    return make


def _passable_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="toolcatalog-test-"))
    folder.chmod(0o755)
    return folder
