"""The two aliases: who is connected where, and what each may do."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import DatabaseError, connection, connections


def _value(alias: str, sql: str) -> object:
    with connections[alias].cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]


@pytest.mark.django_db(databases=["default", "owner"])
def test_aliases__in_tests__are_two_roles_in_one_test_database() -> None:
    names = {alias: _value(alias, "SELECT current_database()") for alias in ("default", "owner")}
    assert names["default"] == names["owner"]
    assert str(names["default"]).startswith("test_")
    assert _value("default", "SELECT current_user") == connections["default"].settings_dict["USER"]
    assert _value("default", "SELECT current_user") != _value("owner", "SELECT current_user")


@pytest.mark.django_db
@pytest.mark.parametrize("attribute", ["rolsuper", "rolbypassrls", "rolcreaterole", "rolcreatedb"])
def rel_T30_application_role__has_no_power_of_its_own(attribute: str) -> None:
    assert _value("default", f"SELECT {attribute} FROM pg_roles WHERE rolname = current_user") is False


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE x (i int)", "TRUNCATE auth_group", "ALTER TABLE auth_group ADD x int", "DROP TABLE auth_group"],
)
def rel_T30_application_role__changing_tables__is_refused(statement: str) -> None:
    with pytest.raises(DatabaseError) as refused, connection.cursor() as cursor:
        cursor.execute(statement)
    assert getattr(refused.value.__cause__, "sqlstate", None) == "42501"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("statement_timeout", "500ms"),
        ("lock_timeout", "200ms"),
        ("idle_in_transaction_session_timeout", "5s"),
    ],
)
def test_time_budget__of_the_application_role__comes_with_the_role(setting: str, value: str) -> None:
    assert f"{setting}={value}" in _role_settings()


@pytest.mark.django_db
def test_time_budget__of_transactions__is_set_where_the_server_knows_it() -> None:
    if int(str(_value("default", "SHOW server_version_num"))) < 170000:
        pytest.skip("transaction_timeout exists from PostgreSQL 17 on")
    assert "transaction_timeout=5s" in _role_settings()


def _role_settings() -> list[str]:
    """What the server sets for every session of the application's role."""
    found = _value("default", "SELECT rolconfig FROM pg_roles WHERE rolname = current_user")
    assert isinstance(found, list)
    return found


@pytest.mark.django_db
def test_extensions__in_a_test_database_of_the_embedded_server__are_there() -> None:
    if not settings.EMBEDDED_DATABASE:
        pytest.skip("on a server of one's own, migrations make what the server offers")
    found = _value("default", "SELECT array_agg(extname::text) FROM pg_extension")
    assert isinstance(found, list)
    assert {"pg_trgm", "unaccent", "vector"} <= set(found)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", [1, 2])
def test_committed_rows__after_the_test__are_gone(turn: int) -> None:
    assert Group.objects.count() == 0
    Group.objects.create(name=f"turn {turn}")


def test_committed_rows__through_a_fixture_alone__are_gone_too(transactional_db: None) -> None:
    assert Group.objects.count() == 0
    Group.objects.create(name="left")


@pytest.mark.django_db
def test_committed_rows__of_earlier_tests__are_not_seen() -> None:
    assert Group.objects.count() == 0
