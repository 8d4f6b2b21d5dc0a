"""The client merges additions exactly as the server does: checked against the server's own formats."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolcatalog.client.composing import Conversation, compose, find_additions, take_fields
from toolcatalog.client.dialects import get_dialect
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import dump_json
from toolcatalog.formats import get_format

from .conversations import ALL_WRITERS, WRITERS, Turn, Writer, turns

BLOCKS: dict[str, list[dict[str, Any]]] = {
    "openai_chat": [{"type": "text", "text": "Block."}],
    "openai_responses": [{"type": "text", "text": "Block."}],
    "anthropic": [
        {"type": "text", "text": "Block.", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": ""},
    ],
    "gemini": [{"text": "Block."}],
    "bedrock": [{"text": "Block."}, {"cachePoint": {"type": "default"}}],
}
BASES = st.sampled_from([None, "", " ", "You help.", "Text.\n\nOnly orders.", "blocks", "blank blocks", "content"])
ADDITIONS = st.sampled_from([(), ("Only orders.",), ("Only orders.", "Search first.\n\nThen call."), (" ",)])
TOOLS = [{"name": "a tool"}]


def make_base(writer: Writer, kind: Any) -> Any:
    blocks = BLOCKS[writer.format]
    match kind:
        case "blocks":
            return blocks
        case "blank blocks":
            return [{**blocks[0], "text": " "}]
        case "content":
            return {"role": "user", "parts": blocks} if writer.format == "gemini" else "Text."
    return kind


def merge_on_server(writer: Writer, conversation: Conversation, additions: tuple[str, ...]) -> Any:
    """(request, system prompt, messages) as the server answers them."""
    try:
        prompted = writer.server_format.merge_prompt(
            messages=conversation.messages,
            prompt=conversation.prompt,
            base=conversation.system_prompt,
            additions=additions,
        )
    except InvalidInput:
        assume(False)
    return orjson.loads(dump_json([prompted.request, prompted.system_prompt, prompted.messages]))


def check(writer: Writer, conversation: Conversation, additions: tuple[str, ...]) -> None:
    request, system, messages = merge_on_server(writer, conversation, additions)
    dialect = get_dialect(writer.format, writer.write([Turn("user", "q")]))
    found = find_additions(dialect, {**request, "tools": TOOLS}, conversation)
    assert found is not None
    fields = take_fields(dialect, {**request, "tools": TOOLS})
    assert fields == {"tools": TOOLS}
    made = compose(dialect, fields, found, conversation)
    assert (made.request, made.system_prompt, made.messages) == ({**request, "tools": TOOLS}, system, messages)


@pytest.mark.parametrize("writer", ALL_WRITERS, ids=repr)
@settings(max_examples=300, deadline=None)
@given(conversation=turns(with_system=True), base=BASES, additions=ADDITIONS)
def b_G15_messages__any_conversation__are_merged_as_the_server_merges(
    writer: Writer, conversation: list[Turn], base: Any, additions: tuple[str, ...]
) -> None:
    has_system = any(turn.role == "system" for turn in conversation) and writer.format != "gemini"
    if writer.format == "gemini":
        conversation = [turn for turn in conversation if turn.role != "system"]
    given_base = None if has_system else make_base(writer, base)
    check(writer, Conversation(writer.write(conversation), None, given_base), additions)


@pytest.mark.parametrize("writer", WRITERS, ids=repr)
@settings(max_examples=60, deadline=None)
@given(prompt=st.sampled_from(["hello", "订单"]), base=BASES, additions=ADDITIONS)
def test_prompt__alone__is_merged_as_the_server_merges(
    writer: Writer, prompt: str, base: Any, additions: tuple[str, ...]
) -> None:
    check(writer, Conversation(None, prompt, make_base(writer, base)), additions)


@pytest.mark.parametrize("writer", ALL_WRITERS, ids=repr)
def b_G15_a_resolved_request__is_merged_again__stays_as_it_is(writer: Writer) -> None:
    messages = writer.write([Turn("user", "q")])
    dialect = get_dialect(writer.format, messages)
    once = compose(dialect, {}, "Only orders.", Conversation(messages, None, "Base."))
    base = None if not dialect.system_path else once.system_prompt
    twice = compose(dialect, {}, "Only orders.", Conversation(once.request[dialect.messages_key], None, base))
    assert twice.request == once.request


def test_apply_snapshot__bedrock_without_tools__has_no_blocks_of_calls_and_is_as_the_server_writes_it() -> None:
    talk: list[Any] = [
        {"role": "user", "content": [{"text": "order AF1"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "get_order", "input": {"no": 1}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [{"json": {"state": "sent"}}]}}]},
    ]
    finish = get_dialect("bedrock").finish_request
    told = finish({"messages": talk})["messages"]
    assert told == get_format("bedrock").complete_request({"messages": talk})["messages"]
    assert "toolUse" not in str(told)
    assert "toolResult" not in str(told)
    assert finish({"messages": talk, "toolConfig": {"tools": []}})["messages"] == talk
