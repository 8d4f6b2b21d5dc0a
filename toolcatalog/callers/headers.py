"""What callers say in headers, and how much of it is believed."""

from __future__ import annotations

from toolcatalog.contract.errors import NotAuthenticated

LONGEST_ID = 128
LONGEST_KEY = 200
SEND_A_KEY = "Send a valid key in the header `Authorization: Bearer <key>`."


def read_bearer(header: str) -> str:
    """The token of a Bearer header. Raises NotAuthenticated."""
    scheme, _, token = header.partition(" ")
    token = token.strip()
    is_legal = token and len(token) <= LONGEST_KEY and token.isascii() and token.isprintable()
    if scheme.lower() != "bearer" or not is_legal:
        raise NotAuthenticated(SEND_A_KEY)
    return token


def is_plain_id(text: str) -> bool:
    """Whether an id of a caller may be stored and logged as it is."""
    return 0 < len(text) <= LONGEST_ID and text.isascii() and text.isprintable() and " " not in text


def read_correlation_id(header: str | None) -> str | None:
    """The caller's X-Correlation-ID where it is a plain word."""
    return header if header is not None and is_plain_id(header) else None
