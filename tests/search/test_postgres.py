"""The provider `postgres`."""

from __future__ import annotations

import pytest

from tests.search.cases import LexicalCases
from toolcatalog.search.providers.postgres import PostgresProvider


@pytest.mark.django_db
class TestPostgres(LexicalCases):
    """The whole suite."""

    @pytest.fixture
    def provider(self) -> PostgresProvider:
        return PostgresProvider()
