"""Which callbacks there are: known without importing, loaded when needed, and what is broken is told and left out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks

from toolcatalog.callbacks import CallContext, callback_problems, can_run, registered_callbacks, run_callback
from toolcatalog.conf import read_settings
from toolcatalog.contract.catalog import Execution

from .conftest import Installer, forget_callbacks

CONTEXT = CallContext(tenant="acme")
GOOD = """
@tool
def ping() -> str:
    return "pong"
"""
BROKEN = "raise RuntimeError('password=hunter2')"
EXITS = "raise SystemExit('no')"
UNUSABLE = """
def plain() -> str:
    return "not decorated"

@tool
def untyped(city):
    return city

number = 5
"""


def test_names__of_installed_packages__are_known_without_importing_them(installer: Installer) -> None:
    module = installer.install(BROKEN, {"r.broken": "ping"})
    assert "r.broken" in registered_callbacks()
    assert module not in sys.modules


def test_callback__first_needed__is_imported_then_and_only_once(installer: Installer) -> None:
    module = installer.install(GOOD, {"r.ping": "ping"})
    assert run_callback("r.ping", {}, CONTEXT).value == "pong"
    assert module in sys.modules
    assert registered_callbacks().find("r.ping") is registered_callbacks().find("r.ping")


def b_T13_callback_known_to_be_broken__cannot_run(installer: Installer) -> None:
    installer.install(BROKEN, {"r.broken": "ping"})
    installer.install(GOOD, {"r.ping": "ping"})

    result = run_callback("r.broken", {}, CONTEXT)

    assert (result.status, result.code, result.error_text) == (
        "error",
        "no_callback",
        "The tool is not available here.",
    )
    assert not can_run(Execution.CALLBACK, "r.broken")
    assert can_run(Execution.CALLBACK, "r.ping")
    assert "r.broken" not in set(registered_callbacks())


def b_T13_client_tools__need_no_callback(installer: Installer) -> None:
    assert can_run(Execution.CLIENT, "")
    assert not can_run(Execution.CALLBACK, "r.nowhere")


def rel_T27_plugins_that_cannot_be_used__are_told_one_by_one__and_stop_nothing(installer: Installer) -> None:
    installer.install(BROKEN, {"r.broken": "ping"})
    installer.install(EXITS, {"r.exits": "ping"})
    installer.install(
        UNUSABLE,
        {"r.plain": "plain", "r.untyped": "untyped", "r.number": "number", "r.missing": "nothing",
         "r.no_module": "no_such_module:ping"},
    )  # fmt: skip
    installer.install(GOOD, {"r.ping": "ping"})

    problems = {problem.split("”")[0].split("“")[1]: problem for problem in callback_problems()}

    names = {"r.broken", "r.exits", "r.plain", "r.untyped", "r.number", "r.missing", "r.no_module"}
    assert names <= set(problems)
    assert "RuntimeError" in problems["r.broken"]
    assert "SystemExit" in problems["r.exits"]
    assert "@tool" in problems["r.plain"]
    assert "no type" in problems["r.untyped"]
    assert "hunter2" not in str(problems)
    assert run_callback("r.ping", {}, CONTEXT).value == "pong"
    warnings = [warning for warning in run_checks() if warning.id == "toolcatalog.W001"]
    assert {name for name in names for warning in warnings if f"“{name}”" in warning.msg} == names


def test_name_that_two_packages_offer__is_used_from_neither(installer: Installer) -> None:
    installer.install(GOOD, {"r.ping": "ping", "r.mine": "ping"})
    installer.install(GOOD, {"r.ping": "ping"})
    assert run_callback("r.ping", {}, CONTEXT).code == "no_callback"
    assert run_callback("r.mine", {}, CONTEXT).value == "pong"
    assert any("two packages" in problem for problem in callback_problems())


def rel_T27_allow_list__names_what_may_run__the_rest_is_as_if_not_installed(
    installer: Installer, settings: Any
) -> None:
    installer.install(GOOD, {"r.ping": "ping", "r.other": "ping"})
    installer.install(BROKEN, {"r.broken": "ping"})
    settings.TOOLCATALOG = {"callbacks_allowed": ("r.ping",)}
    forget_callbacks()

    assert set(registered_callbacks()) == {"r.ping"}
    assert run_callback("r.ping", {}, CONTEXT).value == "pong"
    assert run_callback("r.other", {}, CONTEXT).code == "no_callback"
    assert callback_problems() == ()
    assert read_settings().callbacks_allowed == ("r.ping",)


@pytest.mark.parametrize(
    "name",
    [
        "os:system",
        "os.system",
        "subprocess:run",
        "package_of_tests_0:ping",
        "package_of_tests_0.ping",
        "../x",
        "",
        "\x00",
    ],
)
def rel_T28_path_instead_of_a_name__runs_nothing_and_imports_nothing(installer: Installer, name: str) -> None:
    module = installer.install(GOOD, {"r.ping": "ping"})
    assert run_callback(name, {}, CONTEXT).code == "no_callback"
    assert not can_run(Execution.CALLBACK, name)
    assert module not in sys.modules


def rel_T27_broken_plugin__does_not_stop_a_process_from_starting(installer: Installer, tmp_path: Path) -> None:
    installer.install(EXITS, {"r.exits": "ping"})
    root = Path(__file__).parents[2]
    checked = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert "toolcatalog.W001" in checked.stderr
    assert "r.exits" in checked.stderr


def test_worker_program__imports_no_django_application(installer: Installer) -> None:
    code = "import sys, toolcatalog.callbacks.worker; print([n for n in sys.modules if n.startswith('django.db')])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
