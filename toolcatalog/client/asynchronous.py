"""The client for code with an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar, Unpack

import httpx2

from . import operations
from .answers import Availability, ExecuteAnswer, ResolveAnswer, SearchAnswer, SessionTools, ToolCallsAnswer
from .exchange import Exchange, Outcome, RetryPolicy, Send, Step
from .requests import CallFields, ResolveFields, SearchFields, ToolCallsFields
from .resolving import resolve
from .settings import CONVERSATIONS, make_core
from .transport import late, make_failure, make_options, make_reply, make_request

Result = TypeVar("Result")


class AsyncToolCatalogClient:
    """Asks a Tool Catalog from asyncio. One for the whole event loop. Arguments as for `ToolCatalogClient`."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 10.0,
        tool_timeout: float = 90.0,
        retries: int | RetryPolicy = 3,
        transport: httpx2.AsyncBaseTransport | None = None,
        remember: int = CONVERSATIONS,
    ) -> None:
        self._core = make_core(
            base_url, api_key, timeout=timeout, tool_timeout=tool_timeout, retries=retries, remember=remember
        )
        self._http = httpx2.AsyncClient(transport=transport, **make_options(self._core))

    async def resolve(self, **fields: Unpack[ResolveFields]) -> ResolveAnswer:
        """As `ToolCatalogClient.resolve`."""
        return await self._run(resolve(fields, self._core.dispatcher, self._core.memory))

    async def run_tool_calls(self, message: Any, **fields: Unpack[ToolCallsFields]) -> ToolCallsAnswer:
        """As `ToolCatalogClient.run_tool_calls`."""
        return await self._run(operations.run_tool_calls(message, fields, self._core.dispatcher))

    async def search(self, query: str, **fields: Unpack[SearchFields]) -> SearchAnswer:
        """As `ToolCatalogClient.search`."""
        return await self._run(operations.search(query, fields, self._core.dispatcher))

    async def execute(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[CallFields],
    ) -> ExecuteAnswer:
        """As `ToolCatalogClient.execute`."""
        return await self._run(operations.execute(name, arguments, idempotency_key, fields, self._core.dispatcher))

    async def availability(self, name: str, **fields: Unpack[ResolveFields]) -> Availability:
        """As `ToolCatalogClient.availability`."""
        return await self._run(operations.check_availability(name, fields, self._core.dispatcher))

    async def put_session_tools(
        self, session_id: str, tools: Sequence[Any], *, profile: str | None = None
    ) -> SessionTools:
        """As `ToolCatalogClient.put_session_tools`."""
        return await self._run(operations.put_session_tools(session_id, tools, profile, self._core.dispatcher))

    async def forget_session(self, session_id: str) -> None:
        """As `ToolCatalogClient.forget_session`."""
        await self._run(operations.forget_session(session_id, self._core.dispatcher))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncToolCatalogClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.base_url!r})"

    async def _run(self, exchange: Exchange[Result]) -> Result:
        outcome: Outcome = None
        while True:
            try:
                step = exchange.send(outcome)
            except StopIteration as end:
                result: Result = end.value
                return result
            outcome = await self._perform(step)

    async def _perform(self, step: Step) -> Outcome:
        if not isinstance(step, Send):
            await asyncio.sleep(step.seconds)
            return None
        deadline = time.monotonic() + step.timeout
        try:
            async with self._http.stream(**make_request(self._core, step)) as response:
                chunks = []
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > deadline:
                        return late(step)
                return make_reply(response, chunks)
        except httpx2.HTTPError as error:
            return make_failure(error)
