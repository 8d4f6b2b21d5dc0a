"""The agent loop against a real catalog, with models of every dialect that say what a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from toolcatalog.client import AgentStatus, ToolCatalogClient, UnreadableReply, UnsupportedMessages, run_agent
from toolcatalog.models import Exposure

from .catalogs import PROMPT
from .conversations import WRITERS, Turn
from .models import MODELS, Call, Calls, ChatModel, GeminiModel, Model, Say, call

ACCOUNT = {"account_id": "user-1001", "conversation_id": "c-1"}
OWN = {
    "name": "note",
    "description": "Writes a note",
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
}


def get_order(orderNo: str) -> dict[str, str]:
    return {"orderNo": orderNo, "status": "shipped"}


def getWeather(city: str) -> str:
    return f"Sun in {city}"


TOOLS: dict[str, Callable[..., Any]] = {"get_order": get_order, "getWeather": getWeather}
STORY = (
    call("toolSearch", query="order status"),
    call(None, orderNo="AF20260001"),
    call("toolSearch", query="weather"),
    call(None, city="Paris"),
    Say("It is on its way to sunny Paris."),
)


def ask(model: Model, text: str = "Where is my order, and how is the weather there?") -> list[Any]:
    """The question in the model's dialect."""
    writer = next(writer for writer in WRITERS if writer.format == model.format)
    return writer.write([Turn("user", text)])


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_run__search_call_search_call_answer__in_every_dialect(catalog: ToolCatalogClient, kind: type[Model]) -> None:
    model = kind(STORY)
    messages = ask(model)
    outcome = run_agent(catalog, model, messages, tools=TOOLS, format=model.format, context=ACCOUNT)
    assert outcome.status == "answered"
    assert outcome.rounds == 5
    assert outcome.text == "It is on its way to sunny Paris."
    assert model.tool_names == [
        ["current_time", "toolSearch"],
        ["current_time", "toolSearch", "get_order"],
        ["current_time", "toolSearch", "get_order"],
        ["current_time", "toolSearch", "getWeather"],
        ["current_time", "toolSearch", "getWeather"],
    ]
    expected = [["get_order"], {"orderNo": "AF20260001", "status": "shipped"}, ["getWeather"], "Sun in Paris"]
    assert model.results(model.requests[-1]) == expected
    assert PROMPT in json.dumps(model.requests[-1])
    assert PROMPT not in json.dumps(outcome.messages)
    assert len(messages) == 1


@pytest.mark.parametrize("trim", [False, True])
@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_run__trimmed_or_not__asks_the_model_the_same(
    catalog: ToolCatalogClient, kind: type[Model], trim: bool
) -> None:
    whole, cut = kind(STORY), kind(STORY)
    run_agent(catalog, whole, ask(whole), tools=TOOLS, format=whole.format, context=ACCOUNT)
    run_agent(catalog, cut, ask(cut), tools=TOOLS, format=cut.format, context=ACCOUNT, trim=trim)
    assert whole.requests == cut.requests


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_run__calls_of_all_kinds_in_one_message__are_answered_in_their_order(
    catalog: ToolCatalogClient, kind: type[Model]
) -> None:
    mixed = Calls(
        (
            Call("note", {"text": "a"}),
            Call("toolSearch", {"query": "weather"}),
            Call("current_time", {}),
            Call(None, {"weight": 4}),
        )
    )
    model = kind((call("toolSearch", query="parcel costs", maxResults=1), mixed, Say("done")))
    tools: dict[str, Callable[..., Any]] = {"note": lambda text: f"noted {text}", "current_time": lambda: "noon"}
    outcome = run_agent(catalog, model, ask(model), tools=tools, format=model.format, own_tools=[OWN])
    assert outcome.status == AgentStatus.ANSWERED
    assert model.results(model.requests[-1])[1:] == ["noted a", ["getWeather"], "noon", 12]


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def b_X11_a_model_that_never_stops__ends_after_max_rounds_with_a_clear_outcome(
    catalog: ToolCatalogClient, kind: type[Model]
) -> None:
    model = kind((call("current_time"),))
    outcome = run_agent(catalog, model, ask(model), tools={"current_time": lambda: "noon"}, format=model.format)
    assert (outcome.status, outcome.rounds, len(model.requests)) == (AgentStatus.MAX_ROUNDS, 10, 10)
    goes_on = kind((Say("At last."),))
    again = run_agent(catalog, goes_on, outcome.messages, format=model.format)
    assert again.status == AgentStatus.ANSWERED
    assert len(goes_on.results(goes_on.requests[0])) == 10


def b_X11_max_rounds__is_the_callers_to_choose(catalog: ToolCatalogClient) -> None:
    model = ChatModel((call("current_time"),))
    outcome = run_agent(catalog, model, ask(model), tools={"current_time": lambda: "noon"}, max_rounds=2)
    assert (outcome.status, outcome.rounds, len(model.requests)) == ("max_rounds", 2, 2)
    with pytest.raises(ValueError, match="at least one"):
        run_agent(catalog, model, ask(model), max_rounds=0)


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_run__no_function_for_a_tool__is_the_callers_to_answer(catalog: ToolCatalogClient, kind: type[Model]) -> None:
    model = kind((Calls((Call("toolSearch", {"query": "weather"}), Call("current_time", {}))), Say("noon")))
    outcome = run_agent(catalog, model, ask(model), format=model.format)
    assert outcome.status == AgentStatus.UNHANDLED
    (waiting,) = outcome.unhandled
    assert (waiting.name, waiting.arguments) == ("current_time", {})
    with pytest.raises(KeyError):
        outcome.go_on_with({})
    messages = outcome.go_on_with({waiting.call_id: "noon"})
    again = run_agent(catalog, model, messages, format=model.format)
    assert again.text == "noon"
    assert model.results(model.requests[-1]) == [["getWeather"], "noon"]


def test_go_on_with__nothing_waits__is_the_conversation(catalog: ToolCatalogClient) -> None:
    model = ChatModel((Say("hi"),))
    outcome = run_agent(catalog, model, ask(model))
    assert outcome.go_on_with({}) == outcome.messages


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_run__function_raises__is_an_error_text_for_the_model(catalog: ToolCatalogClient, kind: type[Model]) -> None:
    def fail() -> str:
        raise RuntimeError("The clock stands still.")

    model = kind((call("current_time"), Say("sorry")))
    run_agent(catalog, model, ask(model), tools={"current_time": fail}, format=model.format)
    assert model.results(model.requests[-1]) == ["The tool failed: The clock stands still."]


def test_run__model_makes_arguments_up__is_an_error_text_for_the_model(catalog: ToolCatalogClient) -> None:
    model = ChatModel((call("current_time", zone="UTC"), Say("sorry")))
    run_agent(catalog, model, ask(model), tools={"current_time": lambda: "noon"})
    (result,) = model.results(model.requests[-1])
    assert result.startswith("The tool failed: ")


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.format)
def test_run__catalogs_own_tool_fails__is_told_by_the_catalog(catalog: ToolCatalogClient, kind: type[Model]) -> None:
    model = kind((call("toolSearch", query="scales", maxResults=1), call(None), Say("sorry")))
    run_agent(catalog, model, ask(model), format=model.format)
    assert "The scales are broken." in model.results(model.requests[-1])[-1]


@dataclass
class Order:
    number: int
    due: date


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (None, None),
        ("text", "text"),
        ("", ""),
        ([1, "二"], [1, "二"]),
        (Order(1, date(2026, 3, 1)), {"number": 1, "due": "2026-03-01"}),
        ((Decimal("1.50"), {"a"}), ["1.50", ["a"]]),
        (float("nan"), "The tool's result cannot be written as JSON."),
        (object(), "The tool's result cannot be written as JSON."),
        ("\ud83d", "The tool's result cannot be written as JSON."),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("kind", [ChatModel, GeminiModel], ids=lambda kind: kind.format)
def test_run__whatever_a_function_returns__reaches_the_model(
    catalog: ToolCatalogClient, kind: type[Model], value: Any, read: Any
) -> None:
    model = kind((call("current_time"), Say("ok")))
    run_agent(catalog, model, ask(model), tools={"current_time": lambda: value}, format=model.format)
    assert model.results(model.requests[-1]) == [read]


def test_run__model_cannot_be_reached__raises_what_the_sdk_raised(catalog: ToolCatalogClient) -> None:
    def fail(**_: Any) -> Any:
        raise TimeoutError("too slow")

    with pytest.raises(TimeoutError, match="too slow"):
        run_agent(catalog, fail, [{"role": "user", "content": "q"}])


@pytest.mark.parametrize(
    "reply",
    [None, 3, "text", {"choices": [{}]}, {"role": "user", "content": "x"}, object()],
    ids=["nothing", "number", "text", "no message", "user's message", "object"],
)
def test_run__what_is_no_answer_of_a_model__is_said(catalog: ToolCatalogClient, reply: Any) -> None:
    with pytest.raises(UnreadableReply):
        run_agent(catalog, lambda **_: reply, [{"role": "user", "content": "q"}])


def test_run__format_without_a_dialect__is_refused_before_anything_is_asked(catalog: ToolCatalogClient) -> None:
    with pytest.raises(UnsupportedMessages):
        run_agent(catalog, lambda **_: None, [], format="mcp")


def test_run__on_round__is_told_a_conversation_to_go_on_with(catalog: ToolCatalogClient) -> None:
    model = ChatModel(STORY)
    told: list[list[Any]] = []
    outcome = run_agent(catalog, model, ask(model), tools=TOOLS, on_round=told.append)
    assert [len(messages) for messages in told] == [3, 5, 7, 9]
    assert outcome.messages[:9] == told[-1]
    assert run_agent(catalog, ChatModel((Say("ok"),)), told[1], tools=TOOLS).text == "ok"


def test_run__without_a_conversation__is_one_correlated_story_in_the_audit(catalog: ToolCatalogClient) -> None:
    model = ChatModel(STORY)
    run_agent(catalog, model, ask(model), tools=TOOLS)
    run_agent(catalog, ChatModel((Say("ok"),)), ask(model))
    stories = [row.correlation_id for row in Exposure.objects.order_by("id")]
    assert len(set(stories[:-1])) == 1
    assert stories[-1] != stories[0]


def test_run__anthropic_pauses__is_called_again_with_what_there_is(catalog: ToolCatalogClient) -> None:
    paused = {
        "role": "assistant",
        "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}],
    }
    answers = [
        {**paused, "stop_reason": "pause_turn"},
        {"role": "assistant", "content": [{"type": "text", "text": "ok"}]},
    ]
    outcome = run_agent(catalog, lambda **_: answers.pop(0), [{"role": "user", "content": "q"}], format="anthropic")
    assert (outcome.text, outcome.rounds, outcome.messages[1]) == ("ok", 2, paused)


def test_run__session__remembers_what_was_found(catalog: ToolCatalogClient) -> None:
    model = ChatModel((call("toolSearch", query="weather"), Say("ok")))
    run_agent(catalog, model, ask(model), tools=TOOLS, session_id="s-1")
    compacted = ChatModel((Say("ok"),))
    run_agent(catalog, compacted, ask(compacted, "and now?"), tools=TOOLS, session_id="s-1")
    assert compacted.tool_names == [["current_time", "toolSearch", "getWeather"]]
