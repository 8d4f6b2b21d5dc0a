"""A module's own `db`: what its tests begin with is made once, and each test's changes are taken back.

    from tests.support.lasting import db, whole_module

    @pytest.fixture(scope="module")
    def maple(whole_module: None) -> Tenant:  # made once
        return make_tenant("maple")

Everything happens in one transaction, which is taken back after the module's last test.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

__all__ = ["db", "whole_module"]


@pytest.fixture(scope="module")
def whole_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database, for as long as the tests of a module last."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def db(whole_module: None) -> Iterator[None]:
    """The database with what the module made; what the test does is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
