"""A curator who is logged in, and a tenant to work for."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client

from tests.support import make_tenant
from toolcatalog.models import Tenant

LIMITS = ["transaction_timeout", "idle_in_transaction_session_timeout", "statement_timeout"]


@pytest.fixture(autouse=True)
def unhurried(request: pytest.FixtureRequest) -> None:
    """A test is one transaction with many pages in it, where a person's page is one: no time limit."""
    if "db" in request.fixturenames:
        request.getfixturevalue("db")
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config(name, '0', true) FROM pg_settings WHERE name = ANY(%s)", [LIMITS])


@pytest.fixture
def curator(db: None) -> User:
    """A person with every right."""
    return User.objects.create(username="ada", first_name="Ada", last_name="Curator", is_staff=True, is_superuser=True)


@pytest.fixture
def admin(curator: User) -> Client:
    """The curator's browser."""
    browser = Client()
    browser.force_login(curator)
    return browser


@pytest.fixture
def tenant(db: None) -> Tenant:
    """The tenant that most tests work for."""
    return make_tenant("acme")


def log_in(*permissions: str) -> Client:
    """The browser of a staff member with exactly these rights."""
    person = User.objects.create(username="plain", is_staff=True)
    person.user_permissions.set(
        Permission.objects.filter(codename__in=permissions, content_type__app_label="toolcatalog")
    )
    browser = Client()
    browser.force_login(person)
    return browser
