"""Addresses of the playground: a request in a link, so that it can be shared."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse


def playground_url(**parameters: str | None) -> str:
    """The address that asks with these parameters; those that are empty are left out."""
    given = {name: value for name, value in parameters.items() if value}
    address = reverse("admin:toolcatalog_playground")
    return f"{address}?{urlencode(given)}" if given else address
