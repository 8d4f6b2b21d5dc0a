"""What all scripted models have in common: what they say, and how they complain."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .servers import Answer, Received


@dataclass(frozen=True)
class Say:
    """The model answers."""

    text: str


@dataclass(frozen=True)
class Call:
    """One call of a tool. `name` None stands for the first name that the latest search found."""

    name: str | None
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Calls:
    """The model calls tools."""

    calls: tuple[Call, ...]


Turn = Say | Calls


def call(name: str | None, **arguments: Any) -> Calls:
    """The model calls one tool."""
    return Calls((Call(name, arguments),))


class RefusedRequest(Exception):
    """The vendor would answer with a 400."""


@dataclass
class Model(ABC):
    """A scripted model. It calls only tools that it was given; the last turn is repeated."""

    script: Sequence[Turn]
    requests: list[dict[str, Any]] = field(default_factory=list)
    format = ""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The raw answer of the vendor. Raises RefusedRequest."""
        self.check(request)
        self.requests.append(request)
        number = len(self.requests)
        turn = self.script[min(number, len(self.script)) - 1]
        if isinstance(turn, Say):
            return self.write_text(turn.text)
        calls = [(f"call-{number}-{place}", *self._fill(request, one)) for place, one in enumerate(turn.calls)]
        return self.write_calls(calls)

    def __call__(self, **request: Any) -> dict[str, Any]:
        """The same for callers without HTTP."""
        return self.answer(json.loads(json.dumps(request)))

    def respond(self, received: Received) -> Answer:
        """The same over HTTP."""
        try:
            return Answer(body=self.answer(received.body))
        except RefusedRequest as refusal:
            return Answer(400, {"error": {"type": "invalid_request_error", "message": str(refusal)}})

    @property
    def tool_names(self) -> list[list[str]]:
        """The tools of each request."""
        return [self.list_tools(request) for request in self.requests]

    def _fill(self, request: dict[str, Any], one: Call) -> tuple[str, dict[str, Any]]:
        given = self.list_tools(request)
        name = given[-1] if one.name is None else one.name
        if name not in given:
            raise RefusedRequest(f"the script calls {name}, and the tools are {given}")
        return name, one.arguments

    @abstractmethod
    def check(self, request: dict[str, Any]) -> None:
        """Raise RefusedRequest where the vendor would refuse the conversation."""

    @abstractmethod
    def list_tools(self, request: dict[str, Any]) -> list[str]:
        """The names of the tools, found ones last."""

    @abstractmethod
    def write_text(self, text: str) -> dict[str, Any]:
        """An answer."""

    @abstractmethod
    def write_calls(self, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        """Calls, each of id, name and arguments."""

    @abstractmethod
    def results(self, request: dict[str, Any]) -> list[Any]:
        """What the answers to calls in a request say, oldest first, as JSON where they are."""


def need_answers(open_calls: list[str], answered: list[str], where: str) -> None:
    """Every call is answered once, at once."""
    if sorted(open_calls) != sorted(answered):
        raise RefusedRequest(f"{where}: the calls {open_calls} were answered by {answered}")


def open_text(content: Any) -> Any:
    """What stands in a text, as JSON where it is JSON."""
    try:
        return json.loads(content)
    except ValueError:
        return content
