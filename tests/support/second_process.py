"""Another process of the product beside the tests, with compiled catalogs of its own, on the same database.

    with SecondProcess() as other:
        other.resolve(tenant, message="hello")["tool_names"]

It answers one request a line, JSON in and out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from django.db import close_old_connections, connections

from toolcatalog.models import Tenant

from .asking import resolve, search, sent

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, django
django.setup()
from tests.support.second_process import serve
serve(sys.argv[1])
"""


class SecondProcess:
    """A process that resolves and searches when it is asked to. Needs a test that commits."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(connections["default"].settings_dict["NAME"])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings"},
        )

    def __enter__(self) -> SecondProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def resolve(self, tenant_id: int, **fields: Any) -> dict[str, Any]:
        """The answer of resolve there: `tool_names`, `tools`, `system_prompt`, `digest`, `revision`."""
        return self._ask({"what": "resolve", "tenant_id": tenant_id, "fields": fields})

    def search(self, tenant_id: int, query: str, **fields: Any) -> dict[str, Any]:
        """The answer of search there: `names`."""
        return self._ask({"what": "search", "tenant_id": tenant_id, "query": query, "fields": fields})

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(question) + "\n")
        stdin.flush()
        line = stdout.readline()
        assert line, "the second process ended"
        answer: dict[str, Any] = json.loads(line)
        return answer


def serve(database: str) -> None:
    """Answer what comes in, from this database, until nothing comes any more."""
    for alias in ("default", "owner"):
        connections[alias].settings_dict["NAME"] = database
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(json.loads(line))) + "\n")
        sys.stdout.flush()
    connections.close_all()


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    tenant = Tenant(pk=question["tenant_id"])
    try:
        if question["what"] == "search":
            return {"names": search(tenant, question["query"], **question["fields"]).names}
        answer = resolve(tenant, **question["fields"])
        return {
            "tool_names": answer.tool_names,
            "tools": sent(answer),
            "system_prompt": answer.system_prompt,
            "digest": answer.snapshot.digest,
            "revision": answer.snapshot.catalog_revision,
        }
    finally:
        close_old_connections()
