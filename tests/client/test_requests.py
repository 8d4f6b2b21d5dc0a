"""What the client sends, and that a real catalog understands it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolcatalog.client import (
    Context,
    InvalidRequest,
    NotFound,
    ToolCatalogClient,
    UnsupportedMessages,
    apply_snapshot,
    read_reply,
    run_agent,
    write_answers,
)

from .answers import answer_resolve, chat_calls, user
from .catalogs import PROMPT
from .conversations import WRITERS, Turn, Writer
from .servers import Server

QUESTION = Turn("user", "Where is my order?")


def test_client__without_django__can_be_imported() -> None:
    """And needs nothing but httpx2: neither what the server is made of, nor another part of this project."""
    code = """
import sys
from importlib.abc import MetaPathFinder

class Refuse(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "rest_framework", "psycopg", "orjson", "re2", "structlog", "pydantic"}:
            raise ImportError(name)

sys.meta_path.insert(0, Refuse())
import toolcatalog.client
own = {name.split(".")[1] for name in sys.modules if name.startswith("toolcatalog.")}
assert own == {"client"}, own
"""
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)


def test_resolve__every_field__is_sent_under_the_words_of_the_api(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    client.resolve(
        messages=(user("q"),),
        profile="bot",
        context=Context("a", "c", "b", "t", "m", {"plan": "premium"}),
        system_prompt="base",
        tools=[{"name": "own"}],
        groups=("x",),
        active_tools=("y",),
        session_id="s",
        versions={"z": "2"},
        exposure_policy="latest_call",
        disclosure="inline",
        format="openai_chat",
        returns=("tools", "request"),
        explain=True,
        correlation_id="story",
    )
    (sent,) = server.received
    assert sent.body == {
        "messages": [user("q")],
        "profile": "bot",
        "context": {
            "account_id": "a",
            "conversation_id": "c",
            "bot_id": "b",
            "turn_id": "t",
            "model": "m",
            "attributes": {"plan": "premium"},
        },
        "system_prompt": "base",
        "tools": [{"name": "own"}],
        "groups": ["x"],
        "active_tools": ["y"],
        "session_id": "s",
        "versions": {"z": "2"},
        "exposure_policy": "latest_call",
        "disclosure": "inline",
        "format": "openai_chat",
        "return": ["request", "tools"],
        "explain": True,
    }
    assert sent.headers["x-correlation-id"] == "story"
    assert sent.headers["x-request-id"]


def test_resolve__what_is_not_said__is_not_sent(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    client.resolve(prompt="q", context=Context(account_id="a"), groups=())
    assert server.received[0].body == {
        "prompt": "q",
        "context": {"account_id": "a"},
        "groups": [],
        "format": "generic",
        "return": ["request"],
    }


@pytest.mark.parametrize("value", [object(), {"a": float("inf")}, "\ud83d"], ids=["object", "infinite", "half a pair"])
def test_resolve__what_is_no_json__is_the_callers_fault(server: Server, client: ToolCatalogClient, value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        client.resolve(messages=[user("q")], context={"attributes": {"x": value}})
    assert server.received == []


@pytest.mark.parametrize(
    "slip",
    [
        lambda client: client.resolve(prompt="q", profil="bot"),
        lambda client: client.search("q", max_result=3),
        lambda client: client.run_tool_calls({}, snapshot="s"),
        lambda client: client.execute("sum", {}, format="generic"),
        lambda client: client.availability("sum", prompt="q", acount="a"),
        lambda client: run_agent(client, lambda **_: None, [], profil="bot"),  # type: ignore[call-arg]  # on purpose
    ],
)
def test_any_method__field_that_there_is_not__is_refused(
    server: Server, client: ToolCatalogClient, slip: Callable[[Any], Any]
) -> None:
    with pytest.raises(TypeError, match="There is no field"):
        slip(client)
    assert server.received == []


# A real catalog


def test_loop_by_hand__with_a_real_catalog__comes_to_its_answer(catalog: ToolCatalogClient) -> None:
    question = [user("What does a parcel of four kilos cost?")]
    answer = catalog.resolve(messages=question, format="openai_chat", returns=("request", "tools", "messages"))
    assert answer.tool_names == ("current_time", "toolSearch")
    assert answer.request == {"messages": answer.messages, "tools": answer.tools}
    assert answer.usage is not None
    assert answer.usage.catalog_tools == 5
    assert answer.snapshot.valid_until > answer.snapshot.created_at

    found = catalog.search("parcel costs", snapshot_id=answer.snapshot.id, max_results=1, format="openai_chat")
    assert (found.outcome, found.names) == ("found", ("parcel.price",))
    assert found.results[0].exported_name == "parcel_price"

    reply = read_reply(chat_calls(("s-1", "toolSearch", '{"query": "parcel costs", "maxResults": 1}')))
    done = catalog.run_tool_calls(reply.payload, snapshot_id=answer.snapshot.id)
    messages = [*question, *reply.messages, *write_answers(reply, done, {})]
    again = catalog.resolve(messages=messages, format="openai_chat")
    assert again.active_tools == ("parcel.price",)
    assert again.name_map["parcel_price"] == "parcel.price"

    ran = catalog.execute("parcel.price", {"weight": 4}, snapshot_id=again.snapshot.id)
    assert (ran.status, ran.result, ran.tool.name) == ("ok", 12, "parcel.price")
    with pytest.raises(InvalidRequest) as caught:
        catalog.execute("parcel.price", {"weight": "four"}, snapshot_id=again.snapshot.id)
    assert [problem.path for problem in caught.value.errors] == ["arguments.weight"]


def b_X10_execute__repeated_under_the_callers_key__runs_once(catalog: ToolCatalogClient) -> None:
    answer = catalog.resolve(prompt="q", active_tools=("parcel.price",))
    first = catalog.execute("parcel.price", {"weight": 4}, snapshot_id=answer.snapshot.id, idempotency_key="k")
    again = catalog.execute("parcel.price", {"weight": 5}, snapshot_id=answer.snapshot.id, idempotency_key="k")
    assert (first.result, again.result) == (12, 12)


def test_availability__of_a_real_catalog__is_read(catalog: ToolCatalogClient) -> None:
    there = catalog.availability("current_time", prompt="q")
    assert (there.available, there.reason) == (True, "RESIDENT")
    assert catalog.availability("unknown", prompt="q").reason == "UNKNOWN"
    with pytest.raises(NotFound):
        catalog.execute("unknown", {})


def b_R13_put_session_tools__of_a_real_catalog__are_found_in_that_session(catalog: ToolCatalogClient) -> None:
    saved = catalog.put_session_tools("s-1", [{"name": "book_ferry", "description": "Books a crossing"}])
    assert (saved.session_id, saved.profile, saved.tool_names) == ("s-1", "default", ("book_ferry",))
    assert catalog.search("crossing", session_id="s-1").names == ("book_ferry",)
    assert "book_ferry" not in catalog.search("crossing", session_id="s-2").names
    with pytest.raises(InvalidRequest) as refused:
        catalog.put_session_tools("s-1", [{"name": "a b"}, {"name": "c", "parameters": []}])
    assert [error.path for error in refused.value.errors] == ["tools[0].name", "tools[1].parameters"]
    with pytest.raises(ValueError, match="not the id"):
        catalog.put_session_tools("..", [])


def test_forget_session__of_a_real_catalog__forgets(catalog: ToolCatalogClient) -> None:
    catalog.search("weather", session_id="s-1", max_results=1)
    assert catalog.resolve(prompt="q", session_id="s-1").active_tools == ("getWeather",)
    catalog.forget_session("s-1")
    assert catalog.resolve(prompt="q", session_id="s-1").active_tools == ()


@pytest.mark.parametrize("writer", WRITERS, ids=repr)
def test_digest__of_a_real_catalog__is_filled_in_as_if_all_had_been_sent(
    catalog: ToolCatalogClient, writer: Writer
) -> None:
    parts = ("request", "tools", "system_prompt", "messages")
    first, second = writer.write([QUESTION]), writer.write([QUESTION, Turn("assistant", "Wait."), QUESTION])
    options: Any = {"format": writer.format, "returns": parts}
    catalog.resolve(messages=first, context={"conversation_id": "c-1"}, **options)
    filled = catalog.resolve(messages=second, context={"conversation_id": "c-1"}, **options)
    whole = catalog.resolve(messages=second, context={"conversation_id": "c-2"}, **options)
    assert (filled.unchanged, whole.unchanged) == (True, False)
    assert [getattr(filled, part) for part in parts] == [getattr(whole, part) for part in parts]
    assert filled.additions == whole.additions
    assert filled.additions is not None
    assert PROMPT in filled.additions


@pytest.mark.parametrize("writer", WRITERS, ids=repr)
def b_G15_trimmed_messages__with_the_snapshot_applied__are_as_if_all_had_been_sent(
    catalog: ToolCatalogClient, writer: Writer
) -> None:
    messages = writer.write([Turn("user", "hello"), Turn("assistant", "Hi."), QUESTION])
    base: Any = None if writer.format == "openai_chat" else "You help."
    if base is None:
        messages = [{"role": "system", "content": "You help."}, *messages]
    before = repr(messages)
    options: Any = {"messages": messages, "format": writer.format, "system_prompt": base}
    whole = catalog.resolve(**options)
    trimmed = catalog.resolve(**options, trim=True)
    assert trimmed.request == whole.request
    assert trimmed.additions == whole.additions
    assert apply_snapshot(messages, trimmed, system_prompt=base) == whole.request
    assert repr(messages) == before


def test_trim__what_is_cut__is_not_sent(server: Server, client: ToolCatalogClient) -> None:
    server.respond = answer_resolve
    secret = {"role": "assistant", "content": "a secret"}
    messages = [{"role": "system", "content": "my base"}, user("earlier"), secret, user("q")]
    answer = client.resolve(messages=messages, format="openai_chat", trim=True)
    assert server.received[0].body["messages"] == [user("q")]
    assert answer.request is not None
    assert [message["content"] for message in answer.request["messages"]] == [
        f"my base\n\n{answer.additions}",
        "earlier",
        "a secret",
        "q",
    ]


def test_trim__messages_of_another_dialect__are_refused(catalog: ToolCatalogClient) -> None:
    chat = [user("q"), chat_calls(("a", "toolSearch", "{}")), {"role": "tool", "tool_call_id": "a", "content": "[]"}]
    with pytest.raises(UnsupportedMessages):
        catalog.resolve(messages=chat, format="anthropic", trim=True)


def test_apply_snapshot__answer_of_an_unknown_format__is_refused(catalog: ToolCatalogClient) -> None:
    answer = catalog.resolve(prompt="q", format="mcp")
    assert answer.request is not None
    with pytest.raises(UnsupportedMessages):
        apply_snapshot([], answer)


def test_resolve__pictures_of_bedrock__are_bytes_for_boto3_and_arguments_stay(catalog: ToolCatalogClient) -> None:
    picture = {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}}
    use = {"toolUse": {"toolUseId": "u-1", "name": "f", "input": {"bytes": "AAAA"}}}
    result = {"toolResult": {"toolUseId": "u-1", "content": [{"json": {"bytes": "AAAA"}}, picture]}}
    messages = [
        {"role": "user", "content": [{"text": "What is this?"}, picture]},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
    ]
    for trim in (False, True):
        answer = catalog.resolve(messages=messages, format="bedrock", trim=trim)
        assert answer.request is not None
        assert answer.request["messages"] == messages
        assert answer.request["system"][0]["text"]
