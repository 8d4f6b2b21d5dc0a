"""Where the embedded database keeps its things, and who may go there.

The data folder (`.data/` in the clone, or `DATA_DIR`) is the caller's: passwords and the secret key are in it. The
state folder holds the cluster, the log, the locks and the socket; it is the data folder itself wherever the server's
account can reach it. Where it cannot (root's clone under a private home), it is a folder of our own elsewhere, and
the choice is written down in the data folder. No folder that was there before us is ever opened for others.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from project.embedded.account import Account
from project.embedded.errors import EmbeddedDatabaseError

logger = logging.getLogger(__name__)

SOCKET_NAME = ".s.PGSQL.5432"
PROJECT_FOLDER = Path(__file__).resolve().parent.parent.parent
FALLBACK_PARENTS = (Path("/var/lib"), Path("/var/tmp"), Path(tempfile.gettempdir()))  # noqa: S108 - our own folder in it

_LOCATION = "postgres.location"
_LONGEST_SOCKET_PATH = 103 if sys.platform == "darwin" else 107  # bytes that fit into the kernel's address
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./+-]+")


@dataclass(frozen=True, slots=True)
class StateFolder:
    """The files of one embedded database."""

    path: Path

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own data folder; it is there only once it is complete."""
        return self.path / "postgres"

    @property
    def log(self) -> Path:
        """What the server said."""
        return self.path / "postgres.log"

    @property
    def users_lock(self) -> Path:
        """Shared by every process that uses the server."""
        return self.path / "users.lock"

    @property
    def start_lock(self) -> Path:
        """Held while the server is being started or stopped."""
        return self.path / "start.lock"

    @property
    def server_lock(self) -> Path:
        """Held by the server itself, as long as one of its processes lives."""
        return self.path / "server.lock"


def default_data_folder() -> Path:
    """The folder named by the environment's `DATA_DIR`, else `.data` beside `manage.py`."""
    return Path(os.environ.get("DATA_DIR") or PROJECT_FOLDER / ".data").expanduser().resolve()


def make_data_folder(folder: Path) -> Path:
    """Make the data folder if it is not there; `EmbeddedDatabaseError` if nothing can be written in it.

    It is private. Root's may be passed through (not listed), since the server's account has its folder inside.
    """
    try:
        folder.mkdir(parents=True, mode=0o711 if os.geteuid() == 0 else 0o700, exist_ok=True)
    except OSError as error:
        raise _not_writable(folder, error.strerror) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _not_writable(folder, None)
    return folder


def _not_writable(folder: Path, reason: str | None) -> EmbeddedDatabaseError:
    because = f" ({reason})" if reason else ""
    return EmbeddedDatabaseError(
        f"The data folder {folder} is not writable{because}: give this user the right to write there, "
        "set DATA_DIR to another folder, or set DATABASE_URL to use a server of your own."
    )


def recorded_state_folder(data_folder: Path) -> Path:
    """The state folder chosen earlier; the data folder itself if no other was chosen."""
    try:
        return Path((data_folder / _LOCATION).read_text(encoding="utf-8").strip())
    except (FileNotFoundError, PermissionError):
        return data_folder


def choose_state_folder(data_folder: Path, account: Account, parents: Sequence[Path]) -> StateFolder:
    """The state folder for a database that is not there yet; the choice is written down and said in one line."""
    recorded = recorded_state_folder(data_folder)
    if recorded.is_dir() and _can_host(recorded, account):
        return StateFolder(recorded)
    folder = _make_fallback(data_folder, account, parents)
    (data_folder / _LOCATION).write_text(f"{folder}\n", encoding="utf-8")
    logger.warning("The account %s cannot reach %s: the database is kept in %s.", account.name, data_folder, folder)
    return StateFolder(folder)


def _can_host(folder: Path, account: Account) -> bool:
    """Whether a folder made in this one and given to the account can be reached by it."""
    if not account.dropped:
        return True
    trial = Path(tempfile.mkdtemp(prefix="trial-", dir=folder))
    try:
        account.give(trial, mode=0o700)
        return account.can_write_in(trial)
    except OSError:
        return False
    finally:
        trial.rmdir()


def _make_fallback(data_folder: Path, account: Account, parents: Sequence[Path]) -> Path:
    for parent in parents:
        try:
            folder = Path(tempfile.mkdtemp(prefix=f"toolcatalog-{_short_hash(data_folder)}-", dir=parent))
        except OSError:
            continue
        folder.chmod(0o711)
        if _can_host(folder, account):
            return folder
        shutil.rmtree(folder)
    raise EmbeddedDatabaseError(
        f"The account {account.name}, which runs the server for root, reaches neither {data_folder} nor "
        f"{', '.join(map(str, parents))}: set DATA_DIR to a folder that others may pass through."
    )


def socket_folder(state: StateFolder, account: Account) -> Path:
    """A folder (mode 0700, the account's) whose socket path is short enough; the same one at every call."""
    name = f"toolcatalog-{_short_hash(state.path)}"
    temporary = [Path(tempfile.gettempdir()) / name, Path("/tmp") / name, Path("/var/tmp") / name]  # noqa: S108 - checked
    for folder in [state.path / "run", *temporary]:
        if _fits_a_socket(folder) and _is_private(folder, account) and account.can_write_in(folder):
            return folder
    raise EmbeddedDatabaseError(
        f"No folder was found for the database's socket (a path of at most {_LONGEST_SOCKET_PATH} bytes that the "
        f"account {account.name} can reach): set TMPDIR or DATA_DIR to a folder with a short name."
    )


def _fits_a_socket(folder: Path) -> bool:
    path = str(folder / SOCKET_NAME)
    return len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH and _PLAIN_PATH.fullmatch(path) is not None


def _is_private(folder: Path, account: Account) -> bool:
    """Make the folder, or accept one that is already there only if it is the account's alone."""
    try:
        folder.mkdir(mode=0o700)
        account.give(folder, mode=0o700)
    except FileExistsError:
        pass
    except OSError:
        return False
    found = folder.lstat()
    return found.st_mode == 0o040700 and found.st_uid == account.uid


def _short_hash(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
