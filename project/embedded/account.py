"""The operating system account that the database server runs as.

PostgreSQL refuses to run as root. Root therefore hands the server to an existing unprivileged account; everybody else
runs it as themselves. No account is ever made.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from project.embedded.errors import EmbeddedDatabaseError

_PREFERRED_NAMES = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the server. `dropped` says that this is not the caller, but somebody with fewer rights."""

    name: str
    uid: int
    gid: int
    dropped: bool

    def spawn(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        output: int | IO[bytes],
        keep_open: Sequence[int] = (),
        own_session: bool = False,
    ) -> subprocess.Popen[bytes]:
        """Start a program as this account, in `/`, with nothing of the caller's environment but what is given.

        `own_session` keeps a terminal's Ctrl-C away from it. `EmbeddedDatabaseError` if rights cannot be dropped.
        """
        try:
            return subprocess.Popen(  # noqa: S603 - the programs are the wheel's own
                command,
                cwd="/",
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                user=self.uid if self.dropped else None,
                group=self.gid if self.dropped else None,
                extra_groups=[] if self.dropped else None,
                pass_fds=keep_open,
                start_new_session=own_session,
                umask=0o077,
            )
        except PermissionError as error:
            raise EmbeddedDatabaseError(
                f"{command[0]} cannot be run as the account {self.name} ({error.strerror}): "
                "run as a normal user, or set DATABASE_URL to use a server of your own."
            ) from error

    def run(self, command: Sequence[str], *, environment: Mapping[str, str]) -> tuple[int, str]:
        """Run a program to its end as this account: its exit status, and what it said."""
        with self.spawn(command, environment=environment, output=subprocess.PIPE) as process:
            said, _ = process.communicate()
        return process.returncode, said.decode(errors="replace").strip()

    def can_write_in(self, folder: Path) -> bool:
        """Whether this account reaches the folder through all its parents, and may make files in it."""
        if not self.dropped:
            return os.access(folder, os.W_OK | os.X_OK)
        status, _ = self.run(["/bin/sh", "-c", 'test -w "$1" && test -x "$1"', "sh", str(folder)], environment={})
        return status == 0

    def can_run(self, program: Path) -> bool:
        """Whether this account reaches and may run the program."""
        if not self.dropped:
            return os.access(program, os.X_OK)
        status, _ = self.run(["/bin/sh", "-c", 'test -r "$1" && test -x "$1"', "sh", str(program)], environment={})
        return status == 0

    def give(self, path: Path, *, mode: int) -> None:
        """Make this account the owner of a file or folder of ours, with this mode."""
        if self.dropped:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)
        path.chmod(mode)


def choose_account(cluster: Path) -> Account:
    """The account for this data folder: its owner where it exists; else, for root, the first usable one."""
    owner = cluster.stat().st_uid if cluster.exists() else None
    if os.geteuid() != 0:
        return _own_account(cluster, owner)
    entries = [_entry_of(owner)] if owner else [_entry_named(name) for name in _PREFERRED_NAMES]
    for entry in entries:
        if entry is not None and entry.pw_uid != 0:
            return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid, dropped=True)
    raise EmbeddedDatabaseError(
        "PostgreSQL does not run as root and this system has no account `postgres` or `nobody`: "
        "run as a normal user, or set DATABASE_URL to use a server of your own."
    )


def _own_account(cluster: Path, owner: int | None) -> Account:
    uid = os.geteuid()
    if owner is not None and owner != uid:
        raise EmbeddedDatabaseError(
            f"The data folder {cluster} belongs to another account (uid {owner}): "
            "run as that account, or set DATA_DIR to a folder of your own."
        )
    entry = _entry_of(uid)
    if entry is None:
        raise EmbeddedDatabaseError(
            f"Your user id {uid} has no name on this system, which PostgreSQL needs: "
            "add it to /etc/passwd, or set DATABASE_URL to use a server of your own."
        )
    return Account(name=entry.pw_name, uid=uid, gid=os.getegid(), dropped=False)


def _entry_of(uid: int) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        return None


def _entry_named(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None
