"""Conversations that Hypothesis makes up, written in every dialect that the client knows."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from toolcatalog.formats import Format, get_format

NAMES = ("toolSearch", "search_tools", "get_order", "getWeather")
FOUND = ("get_order", "getWeather", "send_email", "unknown")


@dataclass(frozen=True)
class Turn:
    """One thing that happens. `answers` are pairs of a call's id and a value; with `media` there is a picture."""

    role: str
    text: str | None = None
    calls: tuple[tuple[str, str], ...] = ()
    answers: tuple[tuple[str, Any], ...] = ()
    media: bool = False


def turns(*, with_system: bool = False) -> st.SearchStrategy[list[Turn]]:
    """Conversations in which ids repeat, answers are missing or no answers, and searches come in any order."""
    ids = st.sampled_from(["a", "b", "c", ""])
    texts = st.sampled_from(["查询订单", "weather in Paris", "", "thanks"])
    calls = st.lists(st.tuples(ids, st.sampled_from(NAMES)), min_size=1, max_size=3).map(tuple)
    values = st.one_of(
        st.lists(st.sampled_from(FOUND), max_size=3),
        st.sampled_from(["no such thing", {"tools": [{"name": "send_email"}]}]),
    )
    answers = st.lists(st.tuples(ids, values), min_size=1, max_size=3).map(tuple)
    choices = [
        st.builds(Turn, st.just("user"), texts, media=st.booleans()),
        st.builds(Turn, st.just("user"), st.none(), media=st.just(True)),
        st.builds(Turn, st.just("assistant"), texts),
        st.builds(Turn, st.just("assistant"), st.one_of(st.none(), texts), calls),
        st.builds(Turn, st.just("tool"), answers=answers),
        st.builds(Turn, st.just("tool"), texts, answers=answers, media=st.booleans()),
    ]
    body = st.lists(st.one_of(choices), max_size=10)
    if not with_system:
        return body
    system = st.builds(Turn, st.just("system"), st.sampled_from(["", " ", "You help.", "You help.\n\nBe brief."]))
    return st.tuples(st.lists(system, max_size=2), body).map(lambda parts: [*parts[0], *parts[1]])


class Writer(ABC):
    """Writes turns in one dialect."""

    format: str
    is_native = False

    def write(self, conversation: Sequence[Turn]) -> list[Any]:
        """The messages."""
        return [message for turn in conversation for message in self.write_turn(turn)]

    @abstractmethod
    def write_turn(self, turn: Turn) -> list[Any]:
        """The messages of one turn."""

    @property
    def server_format(self) -> Format:
        """The server's own format of these messages."""
        format_ = get_format(self.format)
        return format_.native_form() if self.is_native else format_

    def __repr__(self) -> str:
        return self.format


class Chat(Writer):
    format = "openai_chat"

    def write_turn(self, turn: Turn) -> list[Any]:
        if turn.answers:
            return [{"role": "tool", "tool_call_id": id_, "content": text_of(value)} for id_, value in turn.answers]
        content: Any = turn.text
        if turn.media:
            parts = [] if turn.text is None else [{"type": "text", "text": turn.text}]
            content = [*parts, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]
        message = {"role": turn.role, "content": content}
        if turn.calls:
            message["tool_calls"] = [
                {"id": id_, "type": "function", "function": {"name": name, "arguments": "{}"}}
                for id_, name in turn.calls
            ]
        return [message]


class Responses(Writer):
    format = "openai_responses"

    def write_turn(self, turn: Turn) -> list[Any]:
        items: list[Any] = [
            {"type": "function_call_output", "call_id": id_, "output": text_of(value)} for id_, value in turn.answers
        ]
        calls = [{"type": "function_call", "call_id": id_, "name": name, "arguments": "{}"} for id_, name in turn.calls]
        if turn.role != "tool" and (turn.text is not None or turn.media):
            kind = "output_text" if turn.role == "assistant" else "input_text"
            content = [] if turn.text is None else [{"type": kind, "text": turn.text}]
            picture = [{"type": "input_image", "image_url": "data:image/png;base64,AA=="}] if turn.media else []
            whole: Any = turn.text if turn.role == "system" else [*content, *picture]
            items.append({"type": "message", "role": turn.role, "content": whole})
        return [*items, *calls]


class Anthropic(Writer):
    format = "anthropic"

    def write_turn(self, turn: Turn) -> list[Any]:
        if turn.role == "system":
            return [{"role": "system", "content": turn.text}]
        blocks: list[Any] = [
            {"type": "tool_result", "tool_use_id": id_, "content": text_of(value)} for id_, value in turn.answers
        ]
        if turn.text is not None:
            blocks.append({"type": "text", "text": turn.text})
        if turn.media:
            blocks.append({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}})
        blocks += [{"type": "tool_use", "id": id_, "name": name, "input": {}} for id_, name in turn.calls]
        return [{"role": "assistant" if turn.role == "assistant" else "user", "content": blocks}]


class Gemini(Writer):
    format = "gemini"

    def write_turn(self, turn: Turn) -> list[Any]:
        parts: list[Any] = [
            {"functionResponse": {"id": id_, "name": "toolSearch", "response": {"output": value}}}
            for id_, value in turn.answers
        ]
        if turn.text is not None:
            parts.append({"text": turn.text})
        if turn.media:
            parts.append({"inlineData": {"mimeType": "image/png", "data": "AA=="}})
        parts += [{"functionCall": {"id": id_, "name": name, "args": {}}} for id_, name in turn.calls]
        return [{"role": "model" if turn.role == "assistant" else "user", "parts": parts}]


class Bedrock(Writer):
    format = "bedrock"

    def write_turn(self, turn: Turn) -> list[Any]:
        blocks: list[Any] = [
            {"toolResult": {"toolUseId": id_, "content": [{"text": text_of(value)}]}} for id_, value in turn.answers
        ]
        if turn.text is not None:
            blocks.append({"text": turn.text})
        if turn.media:
            blocks.append({"image": {"format": "png", "source": {"bytes": "AA=="}}})
        blocks += [{"toolUse": {"toolUseId": id_, "name": name, "input": {}}} for id_, name in turn.calls]
        role = turn.role if turn.role in ("assistant", "system") else "user"
        return [{"role": role, "content": blocks}]


class Interactions(Writer):
    """Gemini in native disclosure: it has messages of its own there."""

    format = "gemini"
    is_native = True

    def write_turn(self, turn: Turn) -> list[Any]:
        steps: list[Any] = [
            {"type": "function_result", "call_id": id_, "name": "toolSearch", "result": text_of(value)}
            for id_, value in turn.answers
        ]
        content: list[Any] = [] if turn.text is None else [{"type": "text", "text": turn.text}]
        if turn.media:
            content.append({"type": "image", "mime_type": "image/png", "data": "AA=="})
        if content:
            steps.append({"type": "model_output" if turn.role == "assistant" else "user_input", "content": content})
        steps += [{"type": "function_call", "id": id_, "name": name, "arguments": {}} for id_, name in turn.calls]
        return steps

    def __repr__(self) -> str:
        return "gemini native"


def text_of(value: Any) -> str:
    """A value as the text of an answer."""
    return value if isinstance(value, str) else json.dumps(value)


WRITERS: tuple[Writer, ...] = (Chat(), Responses(), Anthropic(), Gemini(), Bedrock())
ALL_WRITERS = (*WRITERS, Interactions())
"""Those too whose messages are of native disclosure alone."""
