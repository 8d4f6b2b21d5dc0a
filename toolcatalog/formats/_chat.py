"""OpenAI Chat messages, which most of the world speaks: the dialect of formats whose system prompt is a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolcatalog.contract.conversation import Message, Role, ToolCall
from toolcatalog.contract.export import Prompted
from toolcatalog.contract.json import JsonObject, JsonValue

from ._answers import make_answer, write_result
from ._prompts import (
    append_additions,
    is_blank_prompt,
    is_system_message,
    join_additions,
    need_prompt,
    refuse_two_prompts,
)
from ._reading import (
    choose_id,
    iterate_objects,
    join_texts,
    need_list,
    need_name,
    need_object,
    need_role,
    need_text,
    read_arguments,
    read_each,
)
from .base import CallResult, Format
from .registry import detect_format

ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_ANSWER_ROLES = ("tool", "function")


class ChatFormat(Format):
    """A format whose messages are OpenAI Chat's and whose system prompt is the first message."""

    def recognises(self, messages: Sequence[JsonValue]) -> bool:
        """Calls and answers beside the content are OpenAI Chat's alone."""
        return any(
            "tool_calls" in message or "function_call" in message or message.get("role") in _ANSWER_ROLES
            for message in iterate_objects(messages)
        )

    def read_messages(self, messages: Sequence[JsonValue]) -> tuple[Message, ...]:
        """Reads text, parts, `tool_calls`, tool messages, and the older `function_call` and function messages."""
        return read_each(messages, "messages", _read_message)

    def read_calls(self, message: JsonValue) -> tuple[ToolCall, ...]:
        """The calls under `tool_calls`, or the one under `function_call`."""
        return _read_calls(need_object(message, "message"), "message")

    def write_results(self, results: Sequence[CallResult]) -> tuple[JsonObject, ...]:
        """One tool message for each result."""
        return tuple(
            {"role": "tool", "tool_call_id": result.call_id, "content": write_result(result.value)}
            for result in results
        )

    def merge_prompt(
        self,
        *,
        messages: Sequence[JsonValue] | None,
        prompt: str | None,
        base: JsonValue,
        additions: Sequence[str],
    ) -> Prompted:
        """The additions go to the first system or developer message; another dialect's messages keep its own place."""
        if messages is not None:
            dialect = detect_format(messages, self)
            if not isinstance(dialect, ChatFormat):
                return dialect.merge_prompt(messages=messages, prompt=prompt, base=base, additions=additions)
        conversation: Sequence[JsonValue] = [{"role": "user", "content": prompt}] if messages is None else messages
        merged, system = _merge_system(conversation, need_prompt(base), join_additions(additions))
        return Prompted(None if messages is None else merged, system, {"messages": list(merged)})


def make_text_part(text: str) -> JsonObject:
    """A text part of OpenAI Chat, which is a text block of Anthropic as well."""
    return {"type": "text", "text": text}


def _merge_system(
    messages: Sequence[JsonValue], base: JsonValue, additions: str
) -> tuple[tuple[JsonValue, ...], JsonValue]:
    position = next((index for index, message in enumerate(messages) if is_system_message(message)), None)
    if position is None:
        system = append_additions(base, additions, make_text_part)
        head: list[JsonValue] = [] if system is None else [{"role": "system", "content": system}]
        return (*head, *messages), system
    if base is not None:
        raise refuse_two_prompts()
    message: Any = messages[position]
    content = message.get("content")
    system = append_additions(content, additions, make_text_part)
    shown = None if is_blank_prompt(system) else system
    if system is content:
        return tuple(messages), shown
    return (*messages[:position], {**message, "content": system}, *messages[position + 1 :]), shown


def _read_message(value: JsonValue, path: str) -> Message:
    message = need_object(value, path)
    word = message.get("role")
    role = need_role(word, f"{path}.role", ROLES)
    content = message.get("content")
    if role is Role.TOOL:
        return Message(role, answers=(make_answer(_read_answer_id(message, word), content),))
    text, others = read_content(content, f"{path}.content")
    calls = _read_calls(message, path) if role is Role.ASSISTANT else ()
    return Message(role, text, calls, other_parts=others)


def _read_answer_id(message: JsonObject, word: JsonValue) -> str:
    name = message.get("name")
    given = message.get("tool_call_id") if word == "tool" else None
    return choose_id(given, name if isinstance(name, str) else "")


def read_content(content: JsonValue, path: str) -> tuple[str | None, int]:
    """The text of a message's content (text, a part, or a list of parts), and how many parts are something else."""
    if content is None or isinstance(content, str):
        return content or None, 0
    texts: list[str] = []
    others = 0
    parts = [content] if isinstance(content, Mapping) else need_list(content, path)
    for index, value in enumerate(parts):
        part = {"type": "text", "text": value} if isinstance(value, str) else need_object(value, f"{path}[{index}]")
        if part.get("type") in ("text", "input_text", "output_text"):
            texts.append(need_text(part.get("text"), f"{path}[{index}].text"))
        else:
            others += 1
    return join_texts(texts), others


def _read_calls(message: JsonObject, path: str) -> tuple[ToolCall, ...]:
    listed = message.get("tool_calls")
    calls = () if listed is None else need_list(listed, f"{path}.tool_calls")
    older = message.get("function_call")
    if calls or older is None:
        return read_each(calls, f"{path}.tool_calls", _read_call)
    function = need_object(older, f"{path}.function_call")
    name = need_name(function.get("name"), f"{path}.function_call.name")
    return (ToolCall(name, name, read_arguments(function.get("arguments"))),)


def _read_call(value: JsonValue, path: str) -> ToolCall:
    call = need_object(value, path)
    if isinstance(call.get("custom"), Mapping):
        custom = need_object(call["custom"], f"{path}.custom")
        name = need_name(custom.get("name"), f"{path}.custom.name")
        return ToolCall(choose_id(call.get("id"), name), name, {"input": custom.get("input")}, is_callers=True)
    function = need_object(call.get("function"), f"{path}.function")
    name = need_name(function.get("name"), f"{path}.function.name")
    return ToolCall(choose_id(call.get("id"), name), name, read_arguments(function.get("arguments")))
