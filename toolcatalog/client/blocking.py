"""The client for code with threads."""

from __future__ import annotations

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


class ToolCatalogClient:
    """Asks a Tool Catalog. One for the whole process: it may be used by many threads, and keeps connections open.

    `timeout` bounds each call in seconds, all its attempts together; `tool_timeout` those that run tools. `retries`:
    how often a call is tried again where that is safe. `transport`: one of httpx's, such as for tests. `remember`: of
    how many conversations the last answer is kept in memory (0: none).
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 10.0,
        tool_timeout: float = 90.0,
        retries: int | RetryPolicy = 3,
        transport: httpx2.BaseTransport | None = None,
        remember: int = CONVERSATIONS,
    ) -> None:
        self._core = make_core(
            base_url, api_key, timeout=timeout, tool_timeout=tool_timeout, retries=retries, remember=remember
        )
        self._http = httpx2.Client(transport=transport, **make_options(self._core))

    def resolve(self, **fields: Unpack[ResolveFields]) -> ResolveAnswer:
        """Before each model call: the tools and the system prompt that it gets.

        Raises ToolCatalogError. Where the catalog is away, the conversation's last answer is given again until its
        `valid_until`, marked `stale`.
        """
        return self._run(resolve(fields, self._core.dispatcher, self._core.memory))

    def run_tool_calls(self, message: Any, **fields: Unpack[ToolCallsFields]) -> ToolCallsAnswer:
        """After each model call: runs the calls of the assistant's message. What a tool does is in the answer; what is
        raised means that nothing ran, or that it is not known.
        """
        return self._run(operations.run_tool_calls(message, fields, self._core.dispatcher))

    def search(self, query: str, **fields: Unpack[SearchFields]) -> SearchAnswer:
        """Tools that answer a need, best first."""
        return self._run(operations.search(query, fields, self._core.dispatcher))

    def execute(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[CallFields],
    ) -> ExecuteAnswer:
        """Run one tool of the catalog. Attempts of one call share a key, so that it runs once; give your own to repeat
        it yourself within ten minutes.
        """
        return self._run(operations.execute(name, arguments, idempotency_key, fields, self._core.dispatcher))

    def availability(self, name: str, **fields: Unpack[ResolveFields]) -> Availability:
        """Whether one tool would be in the answer of resolve for the same fields, and why."""
        return self._run(operations.check_availability(name, fields, self._core.dispatcher))

    def put_session_tools(self, session_id: str, tools: Sequence[Any], *, profile: str | None = None) -> SessionTools:
        """Give a session searchable tools of its own, in place of those it had: neutral definitions, such as of an end
        user's MCP server. You run them; no other session ever sees them.
        """
        return self._run(operations.put_session_tools(session_id, tools, profile, self._core.dispatcher))

    def forget_session(self, session_id: str) -> None:
        """Forget what a session found, and its own tools. One that is not there is forgotten already."""
        self._run(operations.forget_session(session_id, self._core.dispatcher))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> ToolCatalogClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.base_url!r})"

    def _run(self, exchange: Exchange[Result]) -> Result:
        outcome: Outcome = None
        while True:
            try:
                step = exchange.send(outcome)
            except StopIteration as end:
                result: Result = end.value
                return result
            outcome = self._perform(step)

    def _perform(self, step: Step) -> Outcome:
        if not isinstance(step, Send):
            time.sleep(step.seconds)
            return None
        deadline = time.monotonic() + step.timeout
        try:
            with self._http.stream(**make_request(self._core, step)) as response:
                chunks = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > deadline:
                        return late(step)
                return make_reply(response, chunks)
        except httpx2.HTTPError as error:
            return make_failure(error)
