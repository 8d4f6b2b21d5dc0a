"""httpx on one side, exchanges on the other: requests out, answers and failures in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import httpx2

from .exchange import Failure, Reply, Send
from .settings import Core

MOST_CONNECTIONS = 100
_UNREACHED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
"""Errors after which it is certain that the server saw nothing."""


def make_request(core: Core, step: Send) -> dict[str, Any]:
    """The arguments of httpx's `stream`."""
    return {
        "method": step.call.method,
        "url": f"{core.base_url}{step.call.path}",
        "content": step.call.body,
        "headers": {**step.call.headers, **step.headers},
        "timeout": step.timeout,
    }


def make_options(core: Core) -> dict[str, Any]:
    """The arguments of both of httpx's clients."""
    limits = httpx2.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS)
    return {"headers": core.headers, "limits": limits, "follow_redirects": False}


def make_reply(response: httpx2.Response, chunks: Iterable[bytes]) -> Reply:
    """The answer with its body."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Reply(response.status_code, b"".join(chunks), headers)


def make_failure(error: httpx2.HTTPError) -> Failure:
    """What it means that httpx raised. Raises it again where the fault is the caller's."""
    if isinstance(error, httpx2.UnsupportedProtocol):
        raise error
    timed_out = isinstance(error, httpx2.TimeoutException)
    detail = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Failure(detail, reached=not isinstance(error, _UNREACHED), timed_out=timed_out)


def late(step: Send) -> Failure:
    """The failure of an answer that dribbles in beyond its time."""
    return Failure(f"The answer was not complete within {step.timeout:.1f} seconds.", reached=True, timed_out=True)
