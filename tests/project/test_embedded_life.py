"""The embedded database's life: who starts it, who finds it, who stops it, and what it survives."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from project.embedded import OWNER, EmbeddedServer
from project.embedded.locks import open_lock, try_lock, wait_until
from project.embedded.process import is_answering, read_pid_file
from tests.project.launching import PATIENCE, UserProcess, connect, remove_folder

MakeFolder = Callable[[str], Path]
pytestmark = pytest.mark.slow


def _is_stopped(folder: Path) -> bool:
    return EmbeddedServer(folder).status().pid is None


def test_server__with_several_users__is_one_and_ends_with_the_last(data_folder: MakeFolder) -> None:
    folder = data_folder("clone")
    first = UserProcess(folder)
    pid = first.server()
    second = UserProcess(folder)
    assert second.server() == pid
    first.end()
    assert EmbeddedServer(folder).status().pid == pid
    second.end()
    assert _is_stopped(folder)
    assert not (folder / "postgres" / "postmaster.pid").exists()


def test_server__first_used_by_several_at_once__is_made_once(place: Path) -> None:
    users = [UserProcess(place / "clone") for _ in range(4)]
    assert len({user.server() for user in users}) == 1
    for user in users:
        user.end()
    assert _is_stopped(place / "clone")


def test_users__share_a_lock__which_the_watcher_has_alone_when_there_are_none(place: Path) -> None:
    server = EmbeddedServer(place)
    for shared in (True, False):  # a user, then the watcher in the moment before it stops the server
        holder = open_lock(place / "users.lock")
        assert try_lock(holder, shared=shared)
        assert server._has_users() == shared
        os.close(holder)
    assert not server._has_users()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_server__whose_last_user_is_killed__is_stopped(data_folder: MakeFolder, number: signal.Signals) -> None:
    folder = data_folder("clone")
    user = UserProcess(folder)
    user.server()
    user.end_by(number)
    assert wait_until(lambda: _is_stopped(folder), seconds=PATIENCE)


def test_server__at_the_users_interrupt__outlives_the_user(data_folder: MakeFolder) -> None:
    user = UserProcess(data_folder("clone"))
    pid = user.server()
    user.send(signal.SIGINT)
    assert user.server() == pid
    user.end()


def test_server__killed__is_started_again_with_all_that_was_committed(data_folder: MakeFolder) -> None:
    folder = data_folder("clone")
    server = EmbeddedServer(folder)
    before = connect(server, OWNER)
    before.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    killed = server.status().pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    assert wait_until(lambda: not is_answering(folder / "postgres"), seconds=PATIENCE)
    another = EmbeddedServer(folder)
    with connect(another, OWNER) as after:
        assert after.execute("SELECT answer FROM kept").fetchone() == (42,)
    assert server.status().pid != killed
    with pytest.raises(psycopg.OperationalError):
        before.execute("SELECT 1")
    with connect(server, OWNER) as after:
        assert after.execute("SELECT answer FROM kept").fetchone() == (42,)
    server.release()
    another.release()


def test_server__whose_process_id_now_belongs_to_another__is_started(data_folder: MakeFolder) -> None:
    folder = data_folder("clone")
    server = EmbeddedServer(folder)
    server.start()
    pid_file = folder / "postgres" / "postmaster.pid"
    words = pid_file.read_text(encoding="utf-8")
    said = read_pid_file(folder / "postgres")
    assert said is not None
    os.kill(said.pid, signal.SIGKILL)
    assert wait_until(lambda: _is_stopped(folder), seconds=PATIENCE)
    pid_file.write_text(words.replace(str(said.pid), str(os.getpid()), 1), encoding="utf-8")
    server.start()
    assert server.status().pid not in {said.pid, os.getpid(), None}
    server.release()


def test_servers__of_two_clones__run_side_by_side(data_folder: MakeFolder) -> None:
    servers = [EmbeddedServer(data_folder(name)) for name in ("one", "two")]
    for number, server in enumerate(servers):
        with connect(server, OWNER) as connection:
            connection.execute(f"CREATE TABLE mine AS SELECT {number} AS number")
    for number, server in enumerate(servers):
        with connect(server, OWNER) as connection:
            assert connection.execute("SELECT number FROM mine").fetchone() == (number,)
    assert servers[0].status().pid != servers[1].status().pid
    for server in servers:
        server.release()


def test_folder__copied_while_its_server_runs__gets_a_server_of_its_own(data_folder: MakeFolder, place: Path) -> None:
    original = EmbeddedServer(data_folder("one"))
    original.start()
    subprocess.run(["cp", "-a", place / "one", place / "two"], check=True)
    copy = EmbeddedServer(place / "two")
    copy.start()
    assert copy.status().pid not in {original.status().pid, None}
    copy.release()
    assert not _is_stopped(place / "one")
    original.release()


def test_folder__removed_while_it_is_used__is_made_anew(data_folder: MakeFolder) -> None:
    folder = data_folder("clone")
    server = EmbeddedServer(folder)
    server.start()
    first = server.status().pid
    remove_folder(folder)
    with connect(server, OWNER) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert server.status().in_use
    server.release()
    assert _is_stopped(folder)
    if first is not None:
        with suppress(ProcessLookupError):  # it may have missed its folder by now
            os.kill(first, signal.SIGQUIT)


def test_stop__while_somebody_uses_the_server__stops_it_and_the_user_finds_a_new_one(data_folder: MakeFolder) -> None:
    folder = data_folder("clone")
    server = EmbeddedServer(folder)
    server.start()
    before = server.status()
    assert before.in_use
    assert EmbeddedServer(folder).stop()
    assert _is_stopped(folder)
    assert not EmbeddedServer(folder).stop()
    server.start()
    assert server.status().pid not in {before.pid, None}
    server.release()
