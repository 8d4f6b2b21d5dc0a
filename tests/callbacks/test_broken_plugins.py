"""T27: a package that cannot be imported is shown to operators and curators wherever they look; the rest works."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connections

from tests.support import make_profile, make_tenant, make_tool, resolve
from toolcatalog.models import Tenant

ROOT = Path(__file__).parents[2]
GROUPS = {
    "toolcatalog.callbacks": "broken.price",
    "toolcatalog.context_enrichers": "broken_enricher",
    "toolcatalog.matchers": "broken_matcher",
    "toolcatalog.search_providers": "broken_provider",
}
PROGRAM = """
import json, sys, django
django.setup()
from django.db import connections
for alias in ("default", "owner"):
    connections[alias].settings_dict["NAME"] = sys.argv[1]
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.test import Client
from tests.support import caller_of, make_resolve_request
from toolcatalog import resolution
from toolcatalog.models import Tenant

browser = Client(SERVER_NAME="127.0.0.1")
browser.force_login(User.objects.get(username="ada"))
answer = resolution.resolve(make_resolve_request("hello"), caller_of(Tenant.objects.get()))
told = {
    "checks": [f"{warning.id} {warning.msg}" for warning in run_checks()],
    "ready": browser.get("/readyz").json(),
    "page": browser.get("/admin/").content.decode(),
    "tools": list(answer.tool_names),
}
print(json.dumps(told))
"""


def install_broken(folder: Path) -> None:
    """A package that raises when it is imported, with something to offer of each kind."""
    (folder / "broken_package.py").write_text("raise RuntimeError('hunter2')\n")
    metadata = folder / "broken_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-package\nVersion: 1.0\n")
    points = [f"[{group}]\n{name} = broken_package:Thing\n" for group, name in GROUPS.items()]
    (metadata / "entry_points.txt").write_text("\n".join(points))


@pytest.fixture
def tenant(transactional_db: None, django_user_model: type) -> Tenant:
    tenant = make_tenant("acme")
    make_tool(tenant, "clock", "The time")
    make_profile(tenant, resident_tools=("clock",))
    assert "clock" in resolve(tenant, "hello").tool_names
    django_user_model.objects.create_superuser("ada")  # type: ignore[attr-defined]  # Django's own user
    return tenant


def rel_T27_package_that_cannot_be_imported__is_shown_everywhere_and_stops_nothing(
    tenant: Tenant, tmp_path: Path
) -> None:
    install_broken(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(connections["default"].settings_dict["NAME"])],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert "clock" in told["tools"]
    assert told["ready"]["ready"] is True
    for place in ("\n".join(told["checks"]), "\n".join(told["ready"]["plugins"]), told["page"]):
        assert [name for name in GROUPS.values() if name not in place] == []
    assert {warning[:16] for warning in told["checks"]} >= {f"toolcatalog.W00{n}" for n in (1, 3, 4)}
