"""Ports for servers that are told which to take."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

_FIRST = 10_000
_HANDED_OUT = Path("/proc/sys/net/ipv4/ip_local_port_range")
_USUALLY_HANDED_OUT = 32_768


def free_port() -> int:
    """A free port of the loopback interface, below those that the kernel hands out.

    Nobody gets it by chance before its server takes it, nor while that server is away.
    """
    while True:
        port = _FIRST + secrets.randbelow(_first_handed_out() - _FIRST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def _first_handed_out() -> int:
    try:
        first = int(_HANDED_OUT.read_text().split()[0])
    except OSError:
        return _USUALLY_HANDED_OUT
    return first if first > 2 * _FIRST else _USUALLY_HANDED_OUT
