"""Formats that have a field of its own for the system prompt, beside the messages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from toolcatalog.contract.conversation import Message, Role
from toolcatalog.contract.export import Finding, Prompted
from toolcatalog.contract.json import JsonObject, JsonValue

from ._prompts import (
    append_additions,
    is_blank_prompt,
    join_additions,
    lift_system,
    need_prompt,
    read_prompt_text,
    refuse_two_prompts,
)
from ._reading import is_list
from .base import CallResult, Format
from .registry import detect_format


class FieldFormat(Format):
    """A format whose system prompt is a field of the request.

    System messages at the head of the messages are lifted into the field. Messages of another dialect go back as they
    came, without those, and are translated for the request; where they hold more than text, calls and answers that
    cannot be done, and the request goes without them, with a finding.
    """

    keeps_blocks: bool = False
    """Whether lists of OpenAI's text parts are blocks of this vendor as well."""

    @abstractmethod
    def make_block(self, text: str) -> JsonObject:
        """A block of the system field that holds `text`."""

    @abstractmethod
    def write_turn(self, message: Message) -> tuple[JsonObject, ...]:
        """The vendor's messages for a message of the user or the assistant, without answers."""

    @abstractmethod
    def prompt_request(self, messages: Sequence[JsonValue] | None, system: JsonValue) -> JsonObject:
        """The vendor's fields for both; what is None is left out."""

    def read_base(self, base: JsonValue) -> JsonValue:
        """The caller's `system_prompt`, in a form that can be added to. None when it says nothing."""
        return need_prompt(base)

    def add_to_system(self, system: JsonValue, additions: str) -> JsonValue:
        """The system prompt with the additions at its end."""
        return append_additions(system, additions, self.make_block)

    def merge_prompt(
        self,
        *,
        messages: Sequence[JsonValue] | None,
        prompt: str | None,
        base: JsonValue,
        additions: Sequence[str],
    ) -> Prompted:
        """The additions go to the system field; its form (text or blocks) is the one that it was given in."""
        added = join_additions(additions)
        start = self.read_base(base)
        if messages is None:
            system = self._finish(self.add_to_system(start, added))
            turns = list(self.write_turn(Message(Role.USER, prompt)))
            return Prompted(None, system, self.prompt_request(turns, system))
        lifted = lift_system(messages)
        if lifted.system is not None:
            if start is not None:
                raise refuse_two_prompts()
            start = self._read_lifted(lifted.system)
        system = self._finish(self.add_to_system(start, added))
        sent, findings = self._translate(lifted.messages)
        return Prompted(tuple(lifted.messages), system, self.prompt_request(sent, system), findings)

    def _finish(self, system: JsonValue) -> JsonValue:
        return None if is_blank_prompt(system) else system

    def _read_lifted(self, system: JsonValue) -> JsonValue:
        return read_prompt_text(system) if is_list(system) and not self.keeps_blocks else system

    def _translate(self, messages: Sequence[JsonValue]) -> tuple[Sequence[JsonValue] | None, tuple[Finding, ...]]:
        dialect = detect_format(messages, self)
        if dialect is self:
            return list(messages), ()
        read = dialect.read_messages(messages)
        if any(message.other_parts for message in read):
            text = f"The messages are not in the form of {self.label} and hold more than text: add them yourself."
            return None, (Finding(self.name, "messages_not_translated", "messages", text),)
        return list(self.write_messages(read)), ()

    def write_messages(self, messages: Iterable[Message]) -> Iterator[JsonObject]:
        """Neutral messages in the vendor's form; answers that follow one another are written together.

        A text of white space alone, which several vendors refuse, is left out.
        """
        names: dict[str, str] = {}
        waiting: list[CallResult] = []
        for message in messages:
            names.update({call.call_id: call.name for call in message.calls})
            waiting.extend(self._make_results(message, names))
            if message.role is not Role.TOOL:
                yield from self.write_results(waiting) if waiting else ()
                waiting = []
                is_blank = message.text is not None and not message.text.strip()
                yield from self.write_turn(replace(message, text=None) if is_blank else message)
        yield from self.write_results(waiting) if waiting else ()

    def _make_results(self, message: Message, names: dict[str, str]) -> Iterator[CallResult]:
        for answer in message.answers:
            name = names.get(answer.call_id, answer.call_id)
            yield CallResult(answer.call_id, name, answer.content, answer.is_error)


def join_calls(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Put the calls of one answer together where each is an item of its own: at the first of them, in order.

    An answer ends where somebody else speaks: a user, or a tool. No message is added or taken away.
    """
    joined = list(messages)
    first: int | None = None
    for index, message in enumerate(messages):
        if message.role is not Role.ASSISTANT:
            first = None
        elif message.calls and first is None:
            first = index
        elif message.calls and first is not None:
            joined[first] = replace(joined[first], calls=joined[first].calls + message.calls)
            joined[index] = replace(message, calls=())
    return tuple(joined)


def drop_empty(**fields: Any) -> JsonObject:
    """The fields that say something."""
    return {key: value for key, value in fields.items() if value not in (None, "", [], {})}
