"""Demos on neighbouring ports run side by side: the ports of their MCP endpoints do not meet."""

from __future__ import annotations

import socket

import pytest
from django.core.management.base import CommandError

from toolcatalog.management.commands.demo import MCP_PORT_AFTER, choose_mcp_port, refuse_taken_port


def test_mcp_port__taken__is_another_free_one() -> None:
    with socket.socket() as neighbour:
        neighbour.bind(("127.0.0.1", 0))
        neighbour.listen()
        taken = neighbour.getsockname()[1]
        assert choose_mcp_port(taken - MCP_PORT_AFTER) not in {taken, 0}


def test_mcp_port__of_the_last_port__is_a_port() -> None:
    assert 0 < choose_mcp_port(65535) <= 65535


def test_port__taken__is_refused_with_another_to_try() -> None:
    with socket.socket() as neighbour:
        neighbour.bind(("127.0.0.1", 0))
        neighbour.listen()
        with pytest.raises(CommandError, match=r"is taken. Choose another: make demo PORT="):
            refuse_taken_port(neighbour.getsockname()[1])
