"""Requests to foreign web servers, with the rules of T13.

The name is resolved once, every address it has is judged, and the connection goes to one of those: what the name
resolves to a moment later does not matter. Redirects are not followed, proxies of the environment not used.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import string
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

import httpx2

from .addresses import is_ip_address, is_public_address
from .errors import AddressRefused, SourceUnreachable
from .registry import allowed_origins

Resolver: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
"""From a host name and a port to IP addresses. Raises OSError."""

_LABEL = frozenset(string.ascii_lowercase + string.digits + "-_")
_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class OutboundRequest:
    """One request. The URL is sent as it is written, without its fragment."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class OutboundAnswer:
    """What came back. `is_cut` says that the body was longer than was read of it."""

    status: int
    content_type: str
    body: bytes
    is_cut: bool


async def resolve_host(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for _, _, _, _, address in found]


async def send_request(
    request: OutboundRequest,
    *,
    seconds: float,
    max_bytes: int,
    resolve: Resolver = resolve_host,
    tls: ssl.SSLContext | None = None,
) -> OutboundAnswer:
    """Send the request and read the answer, both within `seconds`, at most `max_bytes` of the body.

    Raises AddressRefused, SourceUnreachable, and TimeoutError when time is over.
    """
    url = parse_url(request.url)
    async with asyncio.timeout(seconds):
        address = await _find_address(url, resolve)
        timeout = httpx2.Timeout(seconds)
        context = tls or _tls()
        try:
            async with httpx2.AsyncClient(verify=context, trust_env=False, timeout=timeout) as client:
                return await _exchange(client, request, url, address, max_bytes)
        except httpx2.TimeoutException as error:
            raise TimeoutError from error
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise SourceUnreachable(f"{url.host} cannot be reached: {str(error) or type(error).__name__}") from error


def parse_url(text: str) -> httpx2.URL:
    """The URL, if it is one that may be opened as far as can be told without resolving its host.

    It has to be https, unless the operator allows its origin, with a plain host name or IP address and no user name.
    Raises AddressRefused.
    """
    try:
        url = httpx2.URL(text)
    except (httpx2.InvalidURL, ValueError) as error:
        raise AddressRefused(f"This is no URL: {error}") from error
    if url.userinfo:
        raise AddressRefused("A URL may not hold a user name or a password.")
    if url.scheme != "https" and not (url.scheme == "http" and is_allowed(url)):
        raise AddressRefused("Only https URLs are opened. Others need their origin in OUTBOUND_ALLOWED_ORIGINS.")
    if not _is_plain_host(url.raw_host.decode()) or not 0 < (url.port or 443) < 65536:
        raise AddressRefused("The URL needs a host name, or an IP address in its usual form.")
    return url


def is_allowed(url: httpx2.URL) -> bool:
    """Whether the operator's settings name this origin: then it may be anywhere, and plain http."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    origins = {f"{url.scheme}://{host}:{url.port or _PORTS.get(url.scheme)}"}
    if url.port is None:
        origins.add(f"{url.scheme}://{host}")
    return not origins.isdisjoint(allowed_origins())


def _is_plain_host(host: str) -> bool:
    """A name whose last part is a number is read as an address by some, whatever base it is written in."""
    if ":" in host:
        return is_ip_address(host)
    labels = host.lower().rstrip(".").split(".")
    if not all(label and set(label) <= _LABEL for label in labels) or len(host) > 253:
        return False
    is_number = labels[-1].isdigit() or labels[-1].startswith("0x")
    return not is_number or (len(labels) == 4 and all(part.isdecimal() and str(int(part)) == part for part in labels))


async def _find_address(url: httpx2.URL, resolve: Resolver) -> str:
    host, port = url.raw_host.decode(), url.port or _PORTS[url.scheme]
    try:
        addresses = await resolve(host, port)
    except OSError as error:
        raise SourceUnreachable(f"The name {host} cannot be resolved.") from error
    if not addresses:
        raise SourceUnreachable(f"The name {host} has no address.")
    if not is_allowed(url) and not all(is_public_address(address) for address in addresses):
        raise AddressRefused(f"{host} is not on the public Internet.")
    # Of a name with both kinds, many networks reach only the older one.
    return next((address for address in addresses if ":" not in address), addresses[0])


async def _exchange(
    client: httpx2.AsyncClient, request: OutboundRequest, url: httpx2.URL, address: str, max_bytes: int
) -> OutboundAnswer:
    pinned = url.copy_with(host=address, fragment=None)
    # Compressed answers are not asked for: what a few bytes of them grow to is not known before.
    headers = {**request.headers, "Host": url.netloc.decode(), "Accept-Encoding": "identity"}
    built = client.build_request(
        request.method,
        pinned,
        headers=headers,
        content=request.body,
        extensions={"sni_hostname": url.raw_host.decode()},
    )
    answer = await client.send(built, stream=True, follow_redirects=False)
    try:
        if answer.headers.get("content-encoding", "identity").lower() != "identity":
            raise SourceUnreachable(f"{url.host} answers compressed, which was not asked for.")
        body, is_cut = await _read_body(answer, max_bytes)
    finally:
        await answer.aclose()
    return OutboundAnswer(answer.status_code, answer.headers.get("content-type", ""), body, is_cut)


async def _read_body(answer: httpx2.Response, max_bytes: int) -> tuple[bytes, bool]:
    body = bytearray()
    async for chunk in answer.aiter_raw():
        body += chunk
        if len(body) > max_bytes:
            return bytes(body[:max_bytes]), True
    return bytes(body), False


@cache
def _tls() -> ssl.SSLContext:
    """Made once: reading the system's certificates takes longer than most requests."""
    return httpx2.create_ssl_context()
