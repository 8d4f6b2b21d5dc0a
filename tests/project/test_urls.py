"""What a newcomer meets at the address that is printed."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
def test_home__opened_by_a_person__leads_to_the_admin(client: Client) -> None:
    answer = client.get("/", follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[0][0] == "/admin/"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics", "/api/schema/", "/api/v1/nothing", "/nothing", "/"])
def test_answer__to_whatever__has_an_id_and_is_kept_nowhere(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer["X-Request-ID"]
    assert "no-store" in answer["Cache-Control"]
