"""The door itself: checks where a request comes from, who sends it and for which profile, then lets the SDK speak."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio
import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp_types import UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from toolcatalog.callers import authenticate, is_plain_id, read_correlation_id
from toolcatalog.contract.errors import InvalidInput, NotAuthenticated
from toolcatalog.contract.resolve import Caller

from .answering import find_profile
from .refusing import Refused
from .server import NO_DATABASE, SESSION_HEADER, make_server
from .threads import Threads
from .visits import VISIT, SessionBook, Visit
from .watching import watch

log = structlog.get_logger(__name__)

LARGEST_BODY = 1024 * 1024
OWN_HOSTS = ("127.0.0.1", "localhost", "[::1]")
RETRY = {"Retry-After": "2"}


@dataclass(slots=True)
class Parts:
    """What lives as long as the application runs."""

    book: SessionBook
    threads: Threads
    manager: StreamableHTTPSessionManager


def make_application() -> Starlette:
    """The ASGI application: `/mcp`, `/mcp/{profile}` and `/livez`. Its settings are the `MCP_…` of Django's."""
    endpoint = Endpoint()
    routes = [
        Route("/livez", lambda _: PlainTextResponse("ok")),
        Route("/mcp", endpoint),
        Route("/mcp/{profile}", endpoint),
    ]
    application = Starlette(routes=routes, lifespan=endpoint.lifespan)
    application.router.default = _nothing_here
    return application


async def _nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        refused = Refused(404, "not_found", "There is nothing at this address. MCP is at /mcp and /mcp/<profile>.")
        await refused.response()(scope, receive, send)


class Endpoint:
    """The ASGI application of one address."""

    def __init__(self) -> None:
        self._origin = TransportSecurityMiddleware(_allowed_origins())
        self._parts: Parts | None = None

    @asynccontextmanager
    async def lifespan(self, _application: Starlette) -> AsyncIterator[None]:
        """Serve sessions and watch the catalog until the server ends."""
        idle = settings.MCP_SESSION_IDLE_SECONDS
        book, threads = SessionBook(idle), Threads()
        manager = StreamableHTTPSessionManager(
            make_server(book, threads),
            session_idle_timeout=idle,
            max_request_body_size=LARGEST_BODY,
            max_sessions=settings.MCP_SESSIONS,
        )
        async with manager.run(), anyio.create_task_group() as group:
            group.start_soon(watch, book, threads)
            self._parts = Parts(book, threads, manager)
            yield
            group.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if self._parts is None:
            raise RuntimeError("the application was not started")
        try:
            visit = await self._admit(Request(scope), self._parts)
        except Refused as refused:
            await refused.response()(scope, receive, send)
            return
        await _serve(visit, self._parts, scope, receive, send)

    async def _admit(self, request: Request, parts: Parts) -> Visit:
        """Who asks, and for what. Raises Refused."""
        await self._check_origin(request)
        caller = await _authenticate(request, parts.threads)
        _check_version(request)
        profile = await _find_profile(request, caller, parts.threads)
        visit = Visit(caller, profile, read_correlation_id(request.headers.get("x-correlation-id")))
        opens = SESSION_HEADER not in request.headers
        if opens and parts.book.count(caller.key_id) >= settings.MCP_SESSIONS_PER_KEY:
            detail = "This key has too many open sessions. Close some (DELETE), or wait until idle ones end."
            raise Refused(429, "too_many_sessions", detail, headers={"Retry-After": "60"})
        return visit

    async def _check_origin(self, request: Request) -> None:
        """Refuse names and web pages that are not ours: a page must not reach this machine by a name of its own."""
        refusal = await self._origin.validate_request(request)
        if refusal is not None:
            name = "Host" if refusal.status_code == 421 else "Origin"
            detail = f"This {name} is not allowed here. Its operator allows names with MCP_ALLOWED_{name.upper()}S."
            raise Refused(refusal.status_code, f"{name.lower()}_not_allowed", detail)


def _allowed_origins() -> TransportSecuritySettings:
    own = [pattern for host in OWN_HOSTS for pattern in (host, f"{host}:*")]
    return TransportSecuritySettings(
        allowed_hosts=[*own, *settings.MCP_ALLOWED_HOSTS],
        allowed_origins=[*(f"http://{host}" for host in own), *settings.MCP_ALLOWED_ORIGINS],
    )


async def _authenticate(request: Request, threads: Threads) -> Caller:
    """The caller of the key. Whatever goes wrong lets nobody in. Raises Refused."""
    given = request.headers.get("x-request-id", "")
    request_id = given if is_plain_id(given) else str(uuid.uuid4())
    try:
        caller, _ = await threads.read(authenticate, request.headers.get("authorization", ""), request_id)
    except NotAuthenticated as error:
        raise Refused(401, error.code, error.detail, headers={"WWW-Authenticate": "Bearer"}) from error
    except (DatabaseError, InterfaceError) as error:
        log.warning("key_not_checked", error=type(error).__name__)
        raise Refused(503, "database_unavailable", NO_DATABASE, headers=RETRY) from error
    if "resolve" not in caller.scopes:
        raise Refused(403, "missing_scope", "This key lacks the scope “resolve”.")
    return replace(caller, runs_tools=False)


def _check_version(request: Request) -> None:
    """Refuse the versions without sessions: here found tools belong to a session. Clients then shake hands instead."""
    version = request.headers.get("mcp-protocol-version")
    if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        data = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": version}
        detail = f"This server has sessions: it speaks {', '.join(HANDSHAKE_PROTOCOL_VERSIONS)}."
        raise Refused(400, "unsupported_version", detail, rpc_code=UNSUPPORTED_PROTOCOL_VERSION, data=data)


async def _find_profile(request: Request, caller: Caller, threads: Threads) -> str:
    """The profile of the address, else the key's default. Raises Refused."""
    try:
        return await threads.read(find_profile, caller, request.path_params.get("profile"))
    except InvalidInput as error:
        raise Refused(404, error.code, error.detail) from error
    except (DatabaseError, InterfaceError) as error:
        raise Refused(503, "database_unavailable", NO_DATABASE, headers=RETRY) from error


async def _serve(visit: Visit, parts: Parts, scope: Scope, receive: Receive, send: Send) -> None:
    """Let the SDK answer. Sessions that it opens and ends are kept and forgotten here too."""
    scope[VISIT] = visit
    scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=visit.principal, scopes=[]))
    asked = Request(scope).headers.get(SESSION_HEADER)
    is_end = scope["method"] == "DELETE"

    async def note(message: Message) -> None:
        if message["type"] == "http.response.start":
            response = Response(headers=None)
            response.raw_headers = list(message.get("headers", []))
            opened = response.headers.get(SESSION_HEADER)
            if asked is None and opened is not None and message["status"] < 400:
                parts.book.add(opened, visit)
            if asked is not None and is_end and message["status"] < 400:
                parts.book.forget(asked)
        await send(message)

    with parts.book.serving(asked):
        await parts.manager.handle_request(scope, receive, note)
