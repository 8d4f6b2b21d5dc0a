"""Messages between this process and a worker: four bytes of length, then that many bytes."""

from __future__ import annotations

import socket
from time import monotonic

_LENGTH = 4
_PIECE = 65_536


class FrameTooLong(Exception):
    """A message is longer than it may be. Nothing of it was read."""


def send_frame(channel: socket.socket, message: bytes, deadline: float | None = None) -> None:
    """Send one message. Raises TimeoutError at the deadline (by the monotonic clock), OSError when nobody listens."""
    _set_timeout(channel, deadline)
    channel.sendall(len(message).to_bytes(_LENGTH, "big") + message)


def receive_frame(channel: socket.socket, longest: int, deadline: float | None = None) -> bytes:
    """Receive one message. Raises FrameTooLong, TimeoutError at the deadline, EOFError after the end."""
    length = int.from_bytes(_receive(channel, _LENGTH, deadline), "big")
    if length > longest:
        raise FrameTooLong
    return _receive(channel, length, deadline)


def _receive(channel: socket.socket, length: int, deadline: float | None) -> bytes:
    received = bytearray()
    while len(received) < length:
        _set_timeout(channel, deadline)
        piece = channel.recv(min(_PIECE, length - len(received)))
        if not piece:
            raise EOFError
        received += piece
    return bytes(received)


def _set_timeout(channel: socket.socket, deadline: float | None) -> None:
    if deadline is None:
        channel.settimeout(None)
        return
    left = deadline - monotonic()
    if left <= 0:
        raise TimeoutError
    channel.settimeout(left)
