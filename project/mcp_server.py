"""Serves the MCP endpoint, in a process of its own: `python -m project.mcp_server --host 127.0.0.1 --port 8001`."""

from __future__ import annotations

import argparse
import logging
import os
import threading
import time

import django
import uvicorn

LAST_ANSWERS_SECONDS = 5
"""How long calls that are under way may go on when the server is told to end."""
LOOK_EVERY_SECONDS = 0.5


def main() -> None:
    """Serve until a signal comes."""
    parser = argparse.ArgumentParser(description="Serves the MCP endpoint.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--with-parent", action="store_true", help="end when the process that started this one ends")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    django.setup()
    logging.getLogger("mcp").setLevel(logging.WARNING)  # it writes the ids of sessions
    from toolcatalog.mcp_endpoint import make_application  # noqa: PLC0415 (it needs the models, which are there only now)

    config = uvicorn.Config(
        make_application(),
        host=options.host,
        port=options.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=LAST_ANSWERS_SECONDS,
        server_header=False,
    )
    server = uvicorn.Server(config)
    if options.with_parent:
        threading.Thread(target=_end_with_parent, args=(server, os.getppid()), daemon=True).start()
    server.run()


def _end_with_parent(server: uvicorn.Server, parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY_SECONDS)
    server.should_exit = True


if __name__ == "__main__":
    main()
