"""Addresses of the playground: a request in a link, so that it can be shared."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

LONGEST_ADDRESS = 3000
"""Servers refuse longer ones, from about 4,000 bytes on."""


def playground_url(**parameters: str | None) -> str:
    """The address that asks with these parameters; None leaves one out. Empty where they are too long for one."""
    given = {name: value for name, value in parameters.items() if value is not None}
    address = reverse("admin:toolcatalog_playground")
    whole = f"{address}?{urlencode(given)}" if given else address
    return whole if len(whole) <= LONGEST_ADDRESS else ""
