"""Database fixtures for all tests.

Tests run as in production: the alias `default` is the application's role, without the right to change tables or to
truncate them. The test database is made, and emptied after tests that commit, through the alias `owner`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.test import TransactionTestCase
from django.test.utils import setup_databases, teardown_databases
from hypothesis import HealthCheck
from hypothesis import settings as property_settings
from pytest_django import DjangoDbBlocker

from project.embedded import make_data_folder
from project.embedded.locks import open_lock, try_lock
from toolcatalog.matchers.registry import installed_plugins

_UNMANAGED_TABLES = (
    "toolcatalog_exposure",
    "toolcatalog_exposure_content",
    "toolcatalog_call",
    "toolcatalog_call_end",
)
_COMMITTING_FIXTURES = {"transactional_db", "live_server"}
_DATABASE_FIXTURES = {"db", "django_db_setup", *_COMMITTING_FIXTURES}
_FIRST_WITH_TRANSACTION_TIMEOUT = 170_000
_PATIENT_SECONDS = 20  # tests judge what happens, not how fast a busy machine does it


def pytest_configure() -> None:
    """Judge nothing by time: neither the examples of property tests, nor the plug-ins that are installed here.

    With CI in the environment the examples are the same each time; without it they are others in each run.
    """
    property_settings.register_profile(
        "patient",
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow],
    )
    property_settings.load_profile("patient")
    installed_plugins()._seconds = _PATIENT_SECONDS
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the usual one is slow on purpose


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark what uses the database before tests are chosen; then put long files first."""
    _mark_users_of_the_database(items)
    yield
    _put_long_files_first(items)


def _mark_users_of_the_database(items: list[pytest.Item]) -> None:
    """Mark tests that use the test database, so that another server can be tried with them alone (`-m database`).

    Those that commit get the alias `owner` too: Django empties tables only through aliases that a test names.
    """
    for item in items:
        marker = item.get_closest_marker("django_db")
        fixtures = set(getattr(item, "fixturenames", ()))
        of_django = isinstance(item, pytest.Function) and issubclass(item.cls or object, TransactionTestCase)
        if marker or of_django or fixtures & _DATABASE_FIXTURES:
            item.add_marker(pytest.mark.database)
        options = dict(marker.kwargs) if marker else {}
        commits = options.get("transaction") or _COMMITTING_FIXTURES & fixtures
        if commits and "databases" not in options:
            options = {**options, "transaction": True, "databases": ["default", "owner"]}
            item.add_marker(pytest.mark.django_db(**options), append=False)


def _put_long_files_first(items: list[pytest.Item]) -> None:
    """Workers take whole files in this order: a long one at the end would keep one of them busy alone."""
    sizes = Counter(item.path for item in items)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, -sizes[item.path], item.path))


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    django_db_keepdb: bool,
    django_db_createdb: bool,
    django_db_modify_db_settings: None,
) -> Iterator[None]:
    """Make the test database through `owner`, whichever aliases the chosen tests name, and remove it at the end."""
    verbosity = request.config.option.verbose
    claim = _claim_test_database()
    with django_db_blocker.unblock():
        _close_pool()
        made = setup_databases(
            verbosity=verbosity,
            interactive=False,
            keepdb=django_db_keepdb and not django_db_createdb,
            serialized_aliases=[],
        )
        _be_patient()
    yield
    with django_db_blocker.unblock():
        _end_other_sessions()
        connections.close_all()
        _close_pool()
        if not django_db_keepdb:
            teardown_databases(made, verbosity=verbosity)
    os.close(claim)


@pytest.fixture(autouse=True)
def _forget_exposures(request: pytest.FixtureRequest) -> Iterator[None]:
    """Empty the audit after a test that commits: Django's flush passes over tables that it does not manage."""
    yield
    marker = request.node.get_closest_marker("django_db")
    if marker is not None and marker.kwargs.get("transaction"):
        blocker = request.getfixturevalue("django_db_blocker")
        with blocker.unblock(), connections["owner"].cursor() as cursor:
            cursor.execute(f"TRUNCATE {', '.join(_UNMANAGED_TABLES)}")


def _end_other_sessions() -> None:
    """End what tests left open, in threads and other processes: the database could not be removed otherwise."""
    for alias in ("default", "owner"):
        with connections[alias].cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
            )


def _claim_test_database() -> int:
    """Take the usual test database, or one of our own while another run has it. Answers the claim's descriptor."""
    claim = open_lock(make_data_folder(settings.DATA_DIR) / "tests.lock")
    if not try_lock(claim, shared=False):
        database = connections["owner"].settings_dict
        database["TEST"]["NAME"] = f"test_{database['NAME']}_{os.getpid()}"
    return claim


def _close_pool() -> None:
    """Close the pool of `default`: it holds connections to the database that the alias named until now."""
    application = connections["default"]
    assert isinstance(application, DatabaseWrapper)
    application.close_pool()


def _be_patient() -> None:
    """Lift the time budgets of both roles, here and in the processes that tests start, which inherit the environment.

    A test may be one long transaction, and the machine may stop for seconds anywhere in it.
    """
    _close_pool()
    limits = {
        "statement_timeout": "60s",
        "lock_timeout": "60s",
        "idle_in_transaction_session_timeout": "0",
        "synchronous_commit": "off",  # nothing that tests commit has to outlive the server
    }
    owner = connections["owner"]
    assert isinstance(owner, DatabaseWrapper)
    if owner.pg_version >= _FIRST_WITH_TRANSACTION_TIMEOUT:
        limits["transaction_timeout"] = "0"
    os.environ["PGOPTIONS"] = " ".join(f"-c {name}={value}" for name, value in limits.items())
    os.environ["DATABASE_POOL_TIMEOUT"] = os.environ["DATABASE_CONNECT_TIMEOUT"] = str(_PATIENT_SECONDS)
    for alias in ("default", "owner"):
        connections[alias].close()
        options = connections[alias].settings_dict["OPTIONS"]
        options["connect_timeout"] = _PATIENT_SECONDS
        if options.get("pool"):
            options["pool"]["timeout"] = _PATIENT_SECONDS
