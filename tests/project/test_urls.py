"""What a newcomer meets at the address that is printed."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
def test_home__opened_by_a_person__leads_to_the_admin(client: Client) -> None:
    answer = client.get("/", follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[0][0] == "/admin/"
