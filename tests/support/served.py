"""The product as it is served in production: gunicorn with its configuration, one process beside the tests, on their
database.

    with Served(folder) as served:
        served.url, served.port
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from urllib.request import urlopen

from django.db import connections

from .ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
MODULE = "served_on_the_database_of_tests"
PROGRAM = """
import os
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
from django.db import connections
for alias in ("default", "owner"):
    connections[alias].settings_dict["NAME"] = os.environ["DATABASE_OF_TESTS"]
"""


class Served:
    """A process that serves the API. `folder` holds packages that are installed in it too.

    Needs a test that commits.
    """

    def __init__(self, folder: Path, *, threads: int = 8) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "project.settings",
            "DATABASE_OF_TESTS": str(connections["default"].settings_dict["NAME"]),
            "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
            "BIND": f"127.0.0.1:{self.port}",
            "WEB_CONCURRENCY": "1",
            "WEB_THREADS": str(threads),
        }
        (folder / f"{MODULE}.py").write_text(PROGRAM)
        command = [sys.executable, "-m", "gunicorn", "-c", "project/gunicorn.py", "--log-level", "critical"]
        self._process = subprocess.Popen(
            [*command, f"{MODULE}:application"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )

    def __enter__(self) -> Served:
        deadline = time.monotonic() + PATIENCE
        while True:
            assert self._process.poll() is None, "the server ended"
            try:
                with urlopen(f"{self.url}/livez", timeout=5):
                    return self
            except OSError:
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None
