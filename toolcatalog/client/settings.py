"""What both clients are made of beside their I/O."""

from __future__ import annotations

import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from .exchange import Dispatcher, RetryPolicy
from .memory import Memory
from .requests import BASE_PATH

USER_AGENT = "toolcatalog-client/1"
CONVERSATIONS = 1000


@dataclass(frozen=True, slots=True)
class Core:
    """The state of a client. The key is in `headers`, and nowhere in what can be printed."""

    base_url: str
    headers: dict[str, str]
    dispatcher: Dispatcher
    memory: Memory

    def __repr__(self) -> str:
        return f"Core({self.base_url!r})"


def make_core(
    base_url: str, api_key: str, *, timeout: float, tool_timeout: float, retries: int | RetryPolicy, remember: int
) -> Core:
    """Raises ValueError for an address that is none, or a key that no header can hold."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"“{base_url}” is not an address such as https://catalog.example.com.")
    if not (api_key.isascii() and api_key.isprintable() and api_key.strip()):
        raise ValueError("The API key is blank, or holds characters that no header can.")
    policy = retries if isinstance(retries, RetryPolicy) else RetryPolicy(retries)
    return Core(
        base_url=base_url.rstrip("/").removesuffix(BASE_PATH),
        headers={
            "Authorization": f"Bearer {api_key.strip()}",
            "Content-Type": "application/json",
            "Accept": "application/json, application/problem+json",
            "User-Agent": USER_AGENT,
        },
        dispatcher=Dispatcher(policy, timeout, tool_timeout, time.monotonic),
        memory=Memory(remember),
    )
