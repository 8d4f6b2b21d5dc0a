"""The last answer of a conversation: given again while the catalog is away, and not sent twice while unchanged."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from toolcatalog.client import (
    Context,
    InvalidRequest,
    NotAuthenticated,
    ResolveAnswer,
    RetryPolicy,
    ToolCatalogClient,
    ToolCatalogConnectionError,
    ToolCatalogError,
    Unavailable,
    UnreadableAnswer,
)
from toolcatalog.client.exchange import Dispatcher, Failure, Reply, Send, Wait
from toolcatalog.client.memory import Memory
from toolcatalog.client.plain import dump_json
from toolcatalog.client.requests import ResolveFields
from toolcatalog.client.resolving import resolve

from .answers import ADDITIONS, TOOL, answer_resolve, resolve_body, user
from .conftest import SECRET
from .servers import Answer, HangUp, Server, problem

HERE: dict[str, Any] = {"conversation_id": "c-1", "account_id": "user-1"}


@pytest.fixture
def client(server: Server) -> Iterator[ToolCatalogClient]:
    """A client that does not try again."""
    with ToolCatalogClient(server.url, SECRET, retries=0) as made:
        yield made


def ask(client: ToolCatalogClient, text: str = "hello", **fields: Any) -> ResolveAnswer:
    """One resolve in the conversation c-1."""
    given: Any = {"messages": [user(text)], "context": HERE, "format": "openai_chat", **fields}
    return client.resolve(**given)


def test_reuse__connection_lost__is_the_last_answer_around_the_new_messages(
    server: Server, client: ToolCatalogClient
) -> None:
    server.script(Answer(body=resolve_body({"messages": [user("one")]}, number=5)), HangUp())
    first = ask(client, "one")
    again = ask(client, "two")
    assert (first.stale, again.stale) == (False, True)
    assert again.snapshot == first.snapshot
    assert again.request == {"messages": [{"role": "system", "content": ADDITIONS}, user("two")], "tools": [TOOL]}
    assert [notice.code for notice in again.notices] == ["stale_snapshot"]


@pytest.mark.parametrize(
    "away",
    [
        problem(503, "database_unavailable"),
        problem(503, "read_only"),
        Answer(502, b"bad gateway", "text/html"),
        Answer(504, b"", "text/html"),
    ],
    ids=["no database", "read only", "gateway", "gateway time-out"],
)
def test_reuse__every_way_of_being_away__counts(server: Server, client: ToolCatalogClient, away: Answer) -> None:
    server.respond = answer_resolve
    ask(client)
    server.script(away)
    assert ask(client).stale


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (problem(401, "not_authenticated"), NotAuthenticated),
        (problem(403, "missing_scope"), ToolCatalogError),
        (problem(422, "unknown_profile"), InvalidRequest),
        (problem(429, "too_many_requests"), ToolCatalogError),
        (problem(500, "internal_error"), ToolCatalogError),
        (Answer(200, b"<html>"), UnreadableAnswer),
    ],
    ids=["401", "403", "422", "429", "500", "not the catalog"],
)
def case_C11_a_catalog_that_refuses_or_errs__is_not_answered_for(
    server: Server, client: ToolCatalogClient, refusal: Answer, kind: type[Exception]
) -> None:
    server.respond = answer_resolve
    ask(client)
    server.script(refusal)
    with pytest.raises(kind):
        ask(client)


@pytest.mark.parametrize("refusal", [problem(401, "not_authenticated"), problem(422, "unknown_profile")])
def case_C11_a_key_or_profile_that_was_refused__ends_the_reuse(
    server: Server, client: ToolCatalogClient, refusal: Answer
) -> None:
    server.respond = answer_resolve
    ask(client)
    server.script(refusal, HangUp())
    with pytest.raises(ToolCatalogError):
        ask(client)
    with pytest.raises(ToolCatalogConnectionError):
        ask(client)


def case_C11_a_revoked_key__ends_the_reuse_in_all_conversations(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    ask(client, context={**HERE, "conversation_id": "other"})
    server.script(problem(401, "not_authenticated"), HangUp())
    with pytest.raises(NotAuthenticated):
        ask(client)
    with pytest.raises(ToolCatalogConnectionError):
        ask(client, context={**HERE, "conversation_id": "other"})


OTHERS: list[dict[str, Any]] = [
    {"profile": "other"},
    {"context": {**HERE, "account_id": "user-2"}},
    {"context": {**HERE, "conversation_id": "c-2"}},
    {"context": {**HERE, "turn_id": "2"}},
    {"context": {**HERE, "model": "other"}},
    {"context": {**HERE, "bot_id": "other"}},
    {"context": {**HERE, "attributes": {"plan": "free"}}},
    {"format": "generic"},
    {"session_id": "s"},
    {"groups": ["order"]},
    {"active_tools": ["x"]},
    {"versions": {"a": "1"}},
    {"tools": [{"name": "own"}]},
    {"exposure_policy": "accumulate"},
    {"disclosure": "meta"},
    {"returns": ("request", "tools")},
]


@pytest.mark.parametrize("other", OTHERS, ids=[next(iter(other)) for other in OTHERS])
def test_reuse__anything_else_that_decides_differs__is_an_error(
    server: Server, client: ToolCatalogClient, other: dict[str, Any]
) -> None:
    server.respond = answer_resolve
    ask(client)
    server.script(HangUp())
    with pytest.raises(ToolCatalogConnectionError):
        ask(client, **other)


def test_reuse__conversation_without_a_name__is_an_error(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    ask(client, context={"account_id": "user-1"})
    server.script(HangUp())
    with pytest.raises(ToolCatalogConnectionError):
        ask(client, context={"account_id": "user-1"})


def test_reuse__context_as_object_or_mapping__is_the_same(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    ask(client, context=Context(conversation_id="c-1", account_id="user-1"))
    server.script(HangUp())
    assert ask(client, context=HERE).stale


def test_reuse__valid_for_no_time__is_an_error(server: Server, client: ToolCatalogClient) -> None:
    server.respond = lambda request: Answer(body=resolve_body(request.body, valid_for=0))
    ask(client)
    server.script(HangUp())
    with pytest.raises(ToolCatalogConnectionError):
        ask(client)


def test_reuse__nothing_may_be_remembered__is_an_error(server: Server) -> None:
    server.respond = answer_resolve
    with ToolCatalogClient(server.url, SECRET, retries=0, remember=0) as client:
        ask(client)
        server.script(HangUp())
        with pytest.raises(ToolCatalogConnectionError):
            ask(client)


def test_reuse__caller_changed_the_answer__is_as_the_server_gave_it(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    first = ask(client)
    assert first.request is not None
    first.request["tools"][0]["function"]["name"] = "other"
    server.script(HangUp())
    for _ in range(2):
        again = ask(client).request
        assert again is not None
        assert again["tools"] == [TOOL]
        again["tools"].clear()


class Scene:
    """Resolves without a network, by a clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.memory = Memory(10)
        self.dispatcher = Dispatcher(RetryPolicy(0), 10, 10, lambda: self.now)

    def ask(self, respond: Callable[[Any], Reply | Failure], **fields: Any) -> ResolveAnswer:
        """One resolve whose request is answered by `respond(body)`."""
        given: ResolveFields = {"messages": [user("hello")], "context": HERE, "format": "openai_chat", **fields}  # type: ignore[typeddict-item]  # the fields of a test
        exchange = resolve(given, self.dispatcher, self.memory)
        step = next(exchange)
        try:
            while True:
                assert not isinstance(step, Wait)
                step = exchange.send(self._outcome(step, respond))
        except StopIteration as end:
            answer: ResolveAnswer = end.value
            return answer

    def _outcome(self, step: Send, respond: Callable[[Any], Reply | Failure]) -> Reply | Failure:
        return respond(json.loads(step.call.body or b"{}"))


def good(body: Any) -> Reply:
    return Reply(200, dump_json(resolve_body(body)))


def gone(_: Any) -> Failure:
    return Failure("gone", reached=False)


@pytest.mark.parametrize(("later", "is_good"), [(59.9, True), (60.0, False), (3600.0, False)])
def test_reuse__until_valid_until__and_not_a_moment_longer(later: float, is_good: bool) -> None:
    scene = Scene()
    scene.ask(good)
    scene.now += later
    if is_good:
        assert scene.ask(gone).stale
    else:
        with pytest.raises(ToolCatalogConnectionError):
            scene.ask(gone)


def test_reuse__answer_took_long__counts_from_when_it_was_asked_for() -> None:
    scene = Scene()

    def slow(body: Any) -> Reply:
        scene.now += 8
        return good(body)

    scene.ask(slow)
    scene.now += 55
    with pytest.raises(ToolCatalogConnectionError):
        scene.ask(gone)


def test_reuse__again_and_again__does_not_make_it_younger() -> None:
    scene = Scene()
    scene.ask(good)
    for _ in range(2):
        scene.now += 25
        assert scene.ask(gone).stale
    scene.now += 25
    with pytest.raises(ToolCatalogConnectionError):
        scene.ask(gone)


def test_reuse__server_said_unchanged__makes_it_younger() -> None:
    scene = Scene()
    scene.ask(good)
    scene.now += 50
    assert scene.ask(good).unchanged
    scene.now += 50
    assert scene.ask(gone).stale


# if_digest


def test_digest__second_answer_of_a_conversation__is_asked_for_and_filled_in(
    server: Server, client: ToolCatalogClient
) -> None:
    server.respond = answer_resolve
    first = ask(client, "one", returns=("request", "tools"))
    second = ask(client, "two", returns=("request", "tools"))
    assert [request.body.get("if_digest") for request in server.received] == [None, f"sha256:{ADDITIONS}"]
    assert (first.unchanged, second.unchanged) == (False, True)
    assert second.request == {"messages": [{"role": "system", "content": ADDITIONS}, user("two")], "tools": [TOOL]}
    assert second.tools == [TOOL]
    assert not second.stale


def test_digest__catalog_changed__is_the_new_answer(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    ask(client)
    server.respond = lambda request: Answer(body=resolve_body(request.body, additions="Newer."))
    assert ask(client).additions == "Newer."


def test_digest__another_conversation__is_not_mixed_in(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    ask(client)
    ask(client, context={**HERE, "conversation_id": "c-2"})
    assert server.received[1].body.get("if_digest") is None


def test_digest__parts_were_not_asked_for__is_not_used(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    ask(client, returns=("tools",))
    ask(client, returns=("tools",))
    assert server.received[1].body.get("if_digest") is None


def test_digest__server_merged_in_a_way_that_the_client_does_not_know__is_not_used(
    server: Server, client: ToolCatalogClient
) -> None:
    def shout(request: Any) -> Answer:
        body = resolve_body(request.body)
        body["request"]["messages"][-1] = user("HELLO")
        return Answer(body=body)

    server.respond = shout
    answer = ask(client)
    assert answer.additions is None
    ask(client)
    assert server.received[1].body.get("if_digest") is None
    server.script(HangUp())
    with pytest.raises(ToolCatalogConnectionError):
        ask(client)


def test_memory__more_conversations_than_fit__keeps_those_used_last(server: Server) -> None:
    server.respond = answer_resolve
    with ToolCatalogClient(server.url, SECRET, retries=0, remember=2) as client:
        for name in ("a", "b", "a", "c"):
            ask(client, context={"conversation_id": name})
        server.script(problem(503, "overloaded"))
        assert ask(client, context={"conversation_id": "a"}).stale
        assert ask(client, context={"conversation_id": "c"}).stale
        with pytest.raises(Unavailable):
            ask(client, context={"conversation_id": "b"})


def test_memory__what_people_said__is_not_kept(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    ask(client, "my secret", messages=[{"role": "system", "content": "my base"}, user("my secret")])
    (kept,) = client._core.memory._entries.values()
    assert "my secret" not in repr(kept)
    assert "my base" not in repr(kept)


def test_threads__many_share_a_client__each_gets_its_own_answer(server: Server) -> None:
    server.respond = answer_resolve
    wrong: list[object] = []

    def talk(client: ToolCatalogClient, number: int) -> None:
        for turn in range(10):
            text = f"{number}/{turn}"
            answer = ask(client, text, context={"conversation_id": f"c-{number % 3}"})
            assert answer.request is not None
            if answer.request["messages"] != [{"role": "system", "content": ADDITIONS}, user(text)]:
                wrong.append(answer.request)

    with ToolCatalogClient(server.url, SECRET, remember=2) as client:
        threads = [threading.Thread(target=talk, args=(client, number)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(server.received) == 80
