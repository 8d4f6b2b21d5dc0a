"""Starting, finding and stopping the server process.

The server inherits the descriptor of a locked file (`server.lock`), and so do all processes that it forks. As long as
one of them lives the lock is held: also by what is left of a server whose main process was killed. Nobody else holds
it for longer than a start takes.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from project.embedded.account import Account
from project.embedded.binaries import Binaries
from project.embedded.errors import EmbeddedDatabaseError
from project.embedded.folders import SOCKET_NAME, StateFolder
from project.embedded.locks import is_locked, open_lock, try_lock, wait_until

START_SECONDS = 120.0  # recovery after a crash is part of a start
STOP_SECONDS = 60.0
_LEFTOVER_SECONDS = 15.0
_LARGEST_LOG = 10_000_000  # bytes
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}

_children: list[subprocess.Popen[bytes]] = []  # kept, so that Python reaps them


@dataclass(frozen=True, slots=True)
class Host:
    """What it takes to run a server: its folder, the account, the programs, and the folder of its socket."""

    state: StateFolder
    account: Account
    binaries: Binaries
    sockets: Path


@dataclass(frozen=True, slots=True)
class PidFile:
    """What a running server writes about itself into its data folder."""

    pid: int
    socket_folder: Path
    ready: bool


def read_pid_file(cluster: Path) -> PidFile | None:
    """The server's own words; None if there are none, or only half of them yet."""
    try:
        lines = (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return None
    if not lines or not lines[0].strip().isdigit():
        return None
    folder = Path(lines[4]) if len(lines) > 4 else Path()
    return PidFile(pid=int(lines[0]), socket_folder=folder, ready=len(lines) > 7 and lines[7].strip() == "ready")


def is_running(state: StateFolder) -> bool:
    """Whether any process of the server lives."""
    return is_locked(state.server_lock)


def is_answering(cluster: Path) -> bool:
    """Whether the server says that it is ready and somebody listens at its socket."""
    said = read_pid_file(cluster)
    if said is None or not said.ready:
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(str(said.socket_folder / SOCKET_NAME))
        except OSError:
            return False
    return True


def start_server(host: Host, cluster: Path) -> None:
    """Start the server on this cluster and wait until it answers. The caller holds `start.lock`."""
    lock = open_lock(host.state.server_lock)
    try:
        if not wait_until(lambda: try_lock(lock, shared=False), seconds=_LEFTOVER_SECONDS):
            raise EmbeddedDatabaseError(
                f"Processes of a database server that was killed still hold {host.state.server_lock}: "
                "end them (they are called postgres) and try again."
            )
        _clear_leftovers(cluster, host.sockets)
        _launch(host, cluster, lock)
    finally:
        os.close(lock)


def _launch(host: Host, cluster: Path, lock: int) -> None:
    path = host.state.log
    if path.exists() and path.stat().st_size > _LARGEST_LOG:
        path.replace(path.with_suffix(".log.1"))
    command = [str(host.binaries.program("postgres")), "-D", str(cluster), *_options(host.sockets)]
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600), "ab") as log:
        begin = log.tell()
        process = host.account.spawn(command, environment=ENVIRONMENT, output=log, keep_open=(lock,), own_session=True)
    _children.append(process)
    ended_or_ready = wait_until(
        lambda: process.poll() is not None or is_answering(cluster),
        seconds=START_SECONDS,
    )
    if process.poll() is not None or not ended_or_ready:
        raise EmbeddedDatabaseError(
            f"PostgreSQL did not start ({_complaint(path, begin)}): see {path}, "
            "or set DATABASE_URL to use a server of your own."
        )


def _options(sockets: Path) -> list[str]:
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "unix_socket_permissions": "0700",
        "cluster_name": "toolcatalog",
        "timezone": "UTC",
        "log_checkpoints": "off",
        "backend_flush_after": "256kB",  # else a commit may wait for all that an import or VACUUM has left unwritten
    }
    return [argument for name, value in settings.items() for argument in ("-c", f"{name}={value}")]


def _complaint(log: Path, begin: int) -> str:
    with log.open("rb") as stream:
        stream.seek(begin)
        lines = stream.read().decode(errors="replace").splitlines()
    serious = [line for line in lines if "FATAL" in line or "PANIC" in line]
    return (serious or lines or ["no word in its log"])[-1].strip()


def _clear_leftovers(cluster: Path, sockets: Path) -> None:
    """Remove what a dead server left. `server.lock` was free: no server that we started lives on this cluster.

    PostgreSQL clears its own files, except where another process has got the dead server's process id by now.
    """
    said = read_pid_file(cluster)
    if said is not None and _exists(said.pid):
        if _works_in(said.pid, cluster):
            raise EmbeddedDatabaseError(
                f"A PostgreSQL server that was started by other means (process {said.pid}) uses {cluster}: "
                "stop it and try again."
            )
        (cluster / "postmaster.pid").unlink(missing_ok=True)
    for name in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
        (sockets / name).unlink(missing_ok=True)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _works_in(pid: int, cluster: Path) -> bool:
    """Whether this process is a server on this cluster: it works inside, or was told so on its command line."""
    process = Path("/proc") / str(pid)
    try:
        return (process / "cwd").samefile(cluster)
    except OSError:
        pass
    try:
        return os.fsencode(cluster) in (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def stop_server(state: StateFolder, cluster: Path) -> bool:
    """Stop the server: clients are cut off, data is written. False if none ran. The caller holds `start.lock`."""
    if not is_running(state):
        return False
    for how, seconds in ((signal.SIGINT, STOP_SECONDS), (signal.SIGQUIT, _LEFTOVER_SECONDS)):
        said = read_pid_file(cluster)
        if said is not None:
            with suppress(ProcessLookupError):
                os.kill(said.pid, how)
        if wait_until(lambda: not is_running(state), seconds=seconds):
            return True
    raise EmbeddedDatabaseError(
        f"The database server does not stop: end the processes called postgres that use {cluster}."
    )
