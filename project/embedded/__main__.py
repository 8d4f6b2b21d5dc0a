"""`python -m project.embedded status|stop|psql`: look at the embedded database, stop it, talk to it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from project.embedded import (
    APPLICATION,
    DATABASE,
    OWNER,
    SUPERUSER,
    EmbeddedDatabaseError,
    EmbeddedServer,
    default_data_folder,
    server_of,
)

_STOPPED = 3  # the exit status by which service managers know a service that does not run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit status."""
    chosen = _parser().parse_args(arguments)
    folder = Path(chosen.data_dir).resolve() if chosen.data_dir else default_data_folder()
    server = server_of(folder)
    try:
        return _run(chosen, server)
    except EmbeddedDatabaseError as error:
        _say(str(error), to_error=True)
    except PermissionError as error:
        _say(f"{error.filename} belongs to another account: run as that account, or set DATA_DIR.", to_error=True)
    return 1


def _run(chosen: argparse.Namespace, server: EmbeddedServer) -> int:
    if chosen.command == "psql":
        return server.run_psql(chosen.role, chosen.database, chosen.arguments)
    if chosen.command == "stop":
        return _stop(server)
    if chosen.command == "watch":
        server.stop_when_unused()
        return 0
    return _show_status(server)


def _stop(server: EmbeddedServer) -> int:
    in_use = server.status().in_use
    _say("Stopped." if server.stop() else "No server runs.")
    if in_use:
        _say("Other processes use the database: they start it again when they need it.")
    return 0


def _show_status(server: EmbeddedServer) -> int:
    status = server.status()
    if status.pid is None:
        _say(f"No server runs. Data: {status.cluster}{'' if status.cluster.exists() else ' (not made yet)'}")
        return _STOPPED
    _say(f"Running as process {status.pid}. Data: {status.cluster}. Socket: {status.sockets}")
    return 0


def _say(text: str, *, to_error: bool = False) -> None:
    (sys.stderr if to_error else sys.stdout).write(f"{text}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m project.embedded", description="The embedded database.")
    parser.add_argument("--data-dir", help="the data folder (DATA_DIR, or .data in the project, if not given)")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{status,stop,psql}")
    commands.add_parser("status", help="say whether a server runs, and where its data is")
    commands.add_parser("stop", help="stop the server")
    commands.add_parser("watch")  # started with the server: stops it when nobody uses it any more
    psql = commands.add_parser("psql", help="open PostgreSQL's own terminal")
    psql.add_argument("--role", default=OWNER, choices=[OWNER, APPLICATION, SUPERUSER])
    psql.add_argument("--database", default=DATABASE)
    psql.add_argument("arguments", nargs="*", help="given to psql as they are (after --)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
