"""Which servers this process may talk to, and with which credentials. Only the operator's settings say so (T28).

The catalog names a server and nothing more: commands, addresses and credentials are never read from the database.
The settings are `MCP_SERVERS`, `HTTP_SOURCES` and `OUTBOUND_ALLOWED_ORIGINS`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.conf import settings

from toolcatalog.contract.catalog import Execution
from toolcatalog.contract.errors import FieldError, InvalidInput

from .errors import MissingCredential

DEFAULT_CONNECT_SECONDS = 15.0
"""More than the SDK waits for a server that does not know its first question, before it asks in the old way."""
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class McpServer:
    """How one MCP server is reached: by a command (stdio), or by a URL (streamable HTTP).

    `environment` names the variables that the command gets beside the plain ones; `headers_from` gives each header the
    name of the variable that holds its whole value. `connect_seconds` limits starting and greeting.
    """

    name: str
    command: tuple[str, ...] = ()
    folder: str | None = None
    environment: tuple[str, ...] = ()
    url: str | None = None
    headers_from: Mapping[str, str] = field(default_factory=dict)
    connect_seconds: float = DEFAULT_CONNECT_SECONDS


@dataclass(frozen=True, slots=True)
class HttpSource:
    """Where the operations of one OpenAPI document are run.

    `base_url` is what their paths are put behind. `headers_from` and `query_from` give headers and query parameters the
    names of the environment variables that hold their whole values.
    """

    name: str
    base_url: str
    headers_from: Mapping[str, str] = field(default_factory=dict)
    query_from: Mapping[str, str] = field(default_factory=dict)


def get_mcp_server(name: str) -> McpServer:
    """The registered server of this name. Raises InvalidInput, also for an entry that is written wrongly."""
    return _get("MCP_SERVERS", name, _read_mcp_server)


def get_http_source(name: str) -> HttpSource:
    """The registered HTTP source of this name. Raises InvalidInput, also for an entry that is written wrongly."""
    return _get("HTTP_SOURCES", name, _read_http_source)


def is_registered(execution: Execution, source: str | None) -> bool:
    """Whether this process can run the `mcp` and `http` tools of the source with this slug."""
    setting = {Execution.MCP: "MCP_SERVERS", Execution.HTTP: "HTTP_SOURCES"}.get(execution)
    return setting is not None and source in _entries(setting)


def allowed_origins() -> frozenset[str]:
    """Origins such as `http://127.0.0.1:8080` that may be plain HTTP and on a private network."""
    return frozenset(str(origin).rstrip("/").lower() for origin in getattr(settings, "OUTBOUND_ALLOWED_ORIGINS", ()))


def read_credentials(names: Mapping[str, str]) -> dict[str, str]:
    """The values of the named environment variables, by the keys of `names`. Raises MissingCredential."""
    missing = sorted(variable for variable in names.values() if not os.environ.get(variable))
    if missing:
        raise MissingCredential(f"Set the environment variable {', '.join(missing)}.")
    return {key: os.environ[variable] for key, variable in names.items()}


def _entries(setting: str) -> Mapping[str, Any]:
    entries = getattr(settings, setting, {})
    return entries if isinstance(entries, Mapping) else {}


def _get(setting: str, name: str, read: Callable[[str, Mapping[str, Any]], Entry]) -> Entry:
    entries = _entries(setting)
    entry = entries.get(name)
    if entry is None:
        known = ", ".join(sorted(entries)) or "none"
        message = f"The setting {setting} has no “{name}”. It has: {known}."
        raise InvalidInput.single("name", "unknown_source", message)
    if not isinstance(entry, Mapping):
        raise InvalidInput.single(f"{setting}.{name}", "not_an_object", "Write a JSON object.")
    return read(name, entry)


def _read_mcp_server(name: str, entry: Mapping[str, Any]) -> McpServer:
    fields = _Fields(f"MCP_SERVERS.{name}", entry)
    server = McpServer(
        name=name,
        command=(*fields.texts("command", single=True), *fields.texts("args")),
        folder=fields.text("folder"),
        environment=fields.texts("environment"),
        url=fields.text("url"),
        headers_from=fields.names("headers_from"),
        connect_seconds=fields.seconds("connect_seconds", DEFAULT_CONNECT_SECONDS),
    )
    fields.check()
    if bool(server.command) == bool(server.url):
        raise InvalidInput.single(fields.path, "needs_command_or_url", "Write either “command” or “url”.")
    return server


def _read_http_source(name: str, entry: Mapping[str, Any]) -> HttpSource:
    fields = _Fields(f"HTTP_SOURCES.{name}", entry)
    source = HttpSource(
        name=name,
        base_url=fields.text("base_url") or "",
        headers_from=fields.names("headers_from"),
        query_from=fields.names("query_from"),
    )
    fields.check()
    if not source.base_url or set("?#") & set(source.base_url):
        message = "Write the URL that paths are put behind, without “?” and “#”."
        raise InvalidInput.single(f"{fields.path}.base_url", "required", message)
    return source


class _Fields:
    """Reads the fields of one entry; what is wrong with them is told all at once by `check`."""

    def __init__(self, path: str, entry: Mapping[str, Any]) -> None:
        self.path = path
        self._rest = dict(entry)
        self._errors: list[FieldError] = []

    def check(self) -> None:
        """Raises InvalidInput with every finding; a field that nobody read is one."""
        unknown = [FieldError(f"{self.path}.{key}", "unknown_field", "There is no such field.") for key in self._rest]
        if self._errors or unknown:
            raise InvalidInput([*self._errors, *unknown])

    def text(self, key: str) -> str | None:
        value = self._rest.pop(key, None)
        if value is not None and not isinstance(value, str):
            self._refuse(key, "Write a string.")
            return None
        return value

    def texts(self, key: str, *, single: bool = False) -> tuple[str, ...]:
        value = self._rest.pop(key, ())
        items = [value] if single and isinstance(value, str) else value
        if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
            self._refuse(key, "Write a list of strings.")
            return ()
        return tuple(items)

    def names(self, key: str) -> dict[str, str]:
        value = self._rest.pop(key, {})
        if not isinstance(value, Mapping) or not all(isinstance(item, str) for item in value.values()):
            self._refuse(key, "Write an object that gives each key the name of an environment variable.")
            return {}
        return dict(value)

    def seconds(self, key: str, default: float) -> float:
        value = self._rest.pop(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            self._refuse(key, "Write a number of seconds above 0.")
            return default
        return float(value)

    def _refuse(self, key: str, message: str) -> None:
        self._errors.append(FieldError(f"{self.path}.{key}", "wrong_type", message))
