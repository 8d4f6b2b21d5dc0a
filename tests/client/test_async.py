"""The client for event loops does what the other does, and can be cancelled at any moment."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.callbacks.conftest import Installer
from toolcatalog.client import AgentStatus, AsyncToolCatalogClient, Unavailable, run_agent_async

from .answers import ADDITIONS, answer_resolve, calls_body, chat_calls, user
from .catalogs import CALLBACKS, CODE, make_catalog
from .conftest import IMPATIENT, SECRET
from .models import MODELS, Call, Calls, ChatModel, Model, Say, call
from .servers import Answer, Behaviour, Dribble, HangUp, Received, Server, problem
from .test_agent import ACCOUNT, OWN, STORY, ask

HERE = {"conversation_id": "c-1"}


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    limited = asyncio.wait_for(coroutine, 60)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(limited)
    else:  # another test's browser left its loop running in this thread
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, limited).result()


def test_resolve__server_is_flaky__is_answered(server: Server) -> None:
    behaviours: list[Behaviour] = [problem(503, "overloaded", Retry_After="0"), HangUp()]
    server.respond = lambda request: behaviours.pop(0) if behaviours else answer_resolve(request)

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET, retries=IMPATIENT) as client:
            answer = await client.resolve(prompt="hello", format="openai_chat")
            assert answer.additions == ADDITIONS

    run(scene())
    assert len(server.received) == 3


def test_resolve__server_goes_away__is_the_last_answer(server: Server) -> None:
    server.respond = answer_resolve

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET, retries=0) as client:
            await client.resolve(messages=[user("one")], format="openai_chat", context=HERE)
            server.script(HangUp())
            answer = await client.resolve(messages=[user("two")], format="openai_chat", context=HERE)
            assert answer.stale
            assert answer.request is not None
            assert answer.request["messages"][-1] == user("two")

    run(scene())


def test_other_methods__each__sends_what_it_is_for(server: Server) -> None:
    found: dict[str, Any] = {"names": [], "results": [], "outcome": "no_match", "hint": None}
    done = {"status": "ok", "result": 3, "duration_ms": 1, "tool": {"name": "sum", "version": "1.0", "revision": 4}}
    verdict = {"available": False, "reason": "UNKNOWN", "retryable": False, "detail": ""}
    own = {"session_id": "s-1", "profile": "default", "tool_names": ["a"], "notices": []}
    bodies = (found, done, calls_body(), verdict, own)
    server.script(*(Answer(body=body) for body in bodies), Answer(status=204))

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET, retries=0) as client:
            assert (await client.search("weather", max_results=3)).outcome == "no_match"
            assert (await client.execute("sum", {"a": 1})).tool.revision == 4
            assert (await client.run_tool_calls(chat_calls(("a", "b", "{}")))).messages == ()
            assert (await client.availability("sum", prompt="q")).reason == "UNKNOWN"
            assert (await client.put_session_tools("s-1", [{"name": "a"}])).tool_names == ("a",)
            await client.forget_session("s-1")

    run(scene())
    assert server.paths == [
        "/api/v1/search",
        "/api/v1/tools/sum/execute",
        "/api/v1/tool-calls",
        "/api/v1/tools/sum/availability",
        "/api/v1/sessions/s-1/tools",
        "/api/v1/sessions/s-1",
    ]


def test_cancel__while_the_answer_comes__ends_at_once_and_the_client_goes_on(server: Server) -> None:
    begun = threading.Event()

    def dribble(_: Received) -> Dribble:
        begun.set()
        return Dribble()

    server.respond = dribble

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET, retries=IMPATIENT) as client:
            waiting = asyncio.create_task(client.resolve(prompt="hello"))
            await asyncio.to_thread(begun.wait)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            server.respond = answer_resolve
            assert (await client.resolve(prompt="hello")).tool_names == ("get_order",)

    run(scene())
    assert len(server.received) == 2


def test_cancel__while_it_waits_to_try_again__tries_no_more(server: Server) -> None:
    refused = threading.Event()

    def refuse(_: Received) -> Answer:
        refused.set()
        return problem(503, "overloaded", Retry_After="30")

    server.respond = refuse

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET, timeout=60) as client:
            waiting = asyncio.create_task(client.resolve(prompt="hello"))
            await asyncio.to_thread(refused.wait)
            await asyncio.sleep(0.05)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    run(scene())
    assert len(server.received) == 1


def test_many_at_once__each_gets_its_own_answer(server: Server) -> None:
    server.respond = answer_resolve

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET) as client:

            async def talk(number: int) -> Any:
                context = {"conversation_id": f"c-{number % 3}"}
                answer = await client.resolve(messages=[user(f"{number}")], format="openai_chat", context=context)
                assert answer.request is not None
                return answer.request["messages"][-1]["content"]

            assert await asyncio.gather(*map(talk, range(40))) == [f"{number}" for number in range(40)]

    run(scene())


def test_run__catalog_refuses__raises(server: Server) -> None:
    server.script(problem(503, "database_unavailable", Retry_After="0"))

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET, retries=0) as client:
            with pytest.raises(Unavailable):
                await run_agent_async(client, call_model_never, [user("q")])

    run(scene())


async def call_model_never(**_: Any) -> Any:
    raise AssertionError("the model was called")


def test_run__cancelled_while_functions_run__cancels_them_all(server: Server) -> None:
    unhandled = [{"call_id": id_, "name": "get_order", "exported_name": "get_order", "arguments": {}} for id_ in "ab"]
    server.respond = lambda request: (
        answer_resolve(request) if request.path.endswith("resolve") else Answer(body=calls_body(unhandled=unhandled))
    )
    begun: list[str] = []
    cancelled: list[str] = []

    async def get_order() -> None:
        begun.append("get_order")
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append("get_order")
            raise

    async def call_model(**_: Any) -> Any:
        return chat_calls(("a", "get_order", "{}"), ("b", "get_order", "{}"))

    async def scene() -> None:
        async with AsyncToolCatalogClient(server.url, SECRET) as client:
            agent = run_agent_async(client, call_model, [user("q")], tools={"get_order": get_order})
            task = asyncio.create_task(agent)
            while len(begun) < 2:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(scene())
    assert cancelled == ["get_order", "get_order"]


def test_run__a_served_catalog_and_functions_of_both_kinds__answers(
    live_server: LiveServer, installer: Installer
) -> None:
    installer.install(CODE, CALLBACKS)
    _, secret = make_catalog()
    mixed = Calls((Call("note", {"text": "a"}), Call("current_time", {}), Call("get_order", {"orderNo": "AF1"})))
    told: list[int] = []

    async def note(text: str) -> str:
        return f"noted {text} in {threading.current_thread().name}"

    def current_time() -> str:
        return f"noon, by {threading.current_thread().name}"

    def get_order(**_: Any) -> str:
        raise LookupError("No such order.")

    async def on_round(messages: list[Any]) -> None:
        told.append(len(messages))

    async def scene(kind: type[Model]) -> None:
        model = kind((call("toolSearch", query="order status", maxResults=1), mixed, Say("done")))

        async def call_model(**request: Any) -> Any:
            return model(**request)

        async with AsyncToolCatalogClient(live_server.url, secret) as client:
            tools: dict[str, Any] = {"note": note, "current_time": current_time, "get_order": get_order}
            outcome = await run_agent_async(
                client,
                call_model,
                ask(model),
                tools=tools,
                own_tools=[OWN],
                format=model.format,
                context=ACCOUNT,
                on_round=on_round,
            )
        assert outcome.status == AgentStatus.ANSWERED
        noted, time, order = model.results(model.requests[-1])[1:]
        assert noted == "noted a in MainThread"
        assert time.startswith("noon, by ")
        assert not time.endswith("MainThread")
        assert order == "The tool failed: No such order."

    for kind in MODELS:
        run(scene(kind))
    assert len(told) == 2 * len(MODELS)


def test_story__in_an_event_loop__is_the_same_as_without(live_server: LiveServer, installer: Installer) -> None:
    installer.install(CODE, CALLBACKS)
    _, secret = make_catalog()
    model = ChatModel(STORY)

    async def scene() -> None:
        async def call_model(**request: Any) -> Any:
            return model(**request)

        async def get_order(orderNo: str) -> str:
            return orderNo

        async with AsyncToolCatalogClient(live_server.url, secret) as client:
            tools: dict[str, Any] = {"get_order": get_order, "getWeather": lambda city: f"Sun in {city}"}
            outcome = await run_agent_async(client, call_model, ask(model), tools=tools, context=ACCOUNT)
        assert (outcome.status, outcome.rounds) == ("answered", 5)

    run(scene())
    assert model.results(model.requests[-1]) == [["get_order"], "AF20260001", ["getWeather"], "Sun in Paris"]
