"""Fetches OpenAPI documents, by the rules of T13: https, public addresses, no redirects, no credentials, small."""

from __future__ import annotations

import ssl

from .background import LOOP
from .errors import SourceUnreachable
from .outbound import OutboundRequest, Resolver, resolve_host, send_request

FETCH_SECONDS = 5.0
MAX_FETCHED_BYTES = 1024 * 1024


def fetch_openapi(url: str, *, resolve: Resolver = resolve_host, tls: ssl.SSLContext | None = None) -> bytes:
    """The document at the URL. Raises AddressRefused or SourceUnreachable; nothing is tried twice."""
    request = OutboundRequest("GET", url, {"accept": "application/json, application/yaml, text/yaml, */*;q=0.1"})
    try:
        answer = LOOP.run(
            send_request(request, seconds=FETCH_SECONDS, max_bytes=MAX_FETCHED_BYTES, resolve=resolve, tls=tls)
        )
    except TimeoutError as error:
        raise SourceUnreachable(f"There was no whole answer within {FETCH_SECONDS:g} seconds.") from error
    if answer.is_cut:
        raise SourceUnreachable(f"The document has more than {MAX_FETCHED_BYTES:,} bytes. Import it from a file.")
    if 300 <= answer.status < 400:
        raise SourceUnreachable("The answer is a redirect, which is not followed. Give the URL that it leads to.")
    if answer.status != 200:
        raise SourceUnreachable(f"The answer has the status {answer.status}.")
    return answer.body
