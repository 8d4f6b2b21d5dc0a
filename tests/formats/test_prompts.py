"""Where the catalog's additions to the system prompt go."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.export import Prompted
from toolcatalog.formats import get_format

from .support import ALL

CHAT = ("generic", "openai_chat", "mcp")
FIELD = ("anthropic", "gemini", "bedrock", "openai_responses")
USER = {"role": "user", "content": "hi"}
USERS: dict[str, Any] = {
    **dict.fromkeys(CHAT, USER),
    "anthropic": USER,
    "openai_responses": USER,
    "gemini": {"role": "user", "parts": [{"text": "hi"}]},
    "bedrock": {"role": "user", "content": [{"text": "hi"}]},
}


def merge(
    format_name: str, messages: Any, additions: Any = ("A", "B"), base: Any = None, prompt: str | None = None
) -> Prompted:
    before = copy.deepcopy((messages, base))
    prompted = get_format(format_name).merge_prompt(
        messages=messages, prompt=prompt, base=base, additions=list(additions)
    )
    assert (messages, base) == before
    return prompted


@pytest.mark.parametrize("format_name", CHAT)
@pytest.mark.parametrize("role", ["system", "developer"])
def b_G5_additions_follow_the_first_system_message(format_name: str, role: str) -> None:
    system = {"role": role, "content": "Be brief.", "name": "x"}
    late = {"role": "system", "content": "late"}
    prompted = merge(format_name, [system, USER, late])
    assert prompted.messages == ({**system, "content": "Be brief.\n\nA\n\nB"}, USER, late)
    assert prompted.system_prompt == "Be brief.\n\nA\n\nB"
    assert prompted.request == {"messages": list(prompted.messages or ())}


@pytest.mark.parametrize("format_name", CHAT)
def b_G5_blank_additions_are_ignored_and_equal_ones_sent_once(format_name: str) -> None:
    prompted = merge(format_name, [USER], ["A", "", " \n", "B", "A"])
    assert prompted.system_prompt == "A\n\nB"


@pytest.mark.parametrize("format_name", ALL)
def b_G5_texts_are_neither_trimmed_nor_evaluated(format_name: str) -> None:
    odd = " {account.__class__} {{7*7}} %s\n"
    prompted = merge(format_name, [USERS[format_name]], [odd], base="$x\n")
    assert prompted.system_prompt == f"$x\n\n\n{odd}"


@pytest.mark.parametrize("format_name", CHAT)
@pytest.mark.parametrize("blank", ["", " \n", None, [], [{"type": "text", "text": " "}]])
def b_G6_blank_system_message_is_replaced(format_name: str, blank: Any) -> None:
    prompted = merge(format_name, [{"role": "system", "content": blank}, USER])
    expected: Any = [{"type": "text", "text": "A\n\nB"}] if isinstance(blank, list) else "A\n\nB"
    assert prompted.messages == ({"role": "system", "content": expected}, USER)


@pytest.mark.parametrize("format_name", CHAT)
def b_G6_without_a_system_message_one_is_put_in_front(format_name: str) -> None:
    assert merge(format_name, [USER]).messages == ({"role": "system", "content": "A\n\nB"}, USER)
    prompted = merge(format_name, [USER], base="Base.")
    assert prompted.messages == ({"role": "system", "content": "Base.\n\nA\n\nB"}, USER)


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("additions", [[], ["", " "]])
def b_G6_nothing_to_add_leaves_messages_untouched(format_name: str, additions: list[str]) -> None:
    messages = [USERS[format_name], USERS[format_name]]
    prompted = merge(format_name, messages, additions)
    assert prompted.messages is not None
    assert all(new is old for new, old in zip(prompted.messages, messages, strict=True))
    assert prompted.system_prompt is None
    assert not prompted.request.keys() & {"system", "instructions", "config"}


@pytest.mark.parametrize("format_name", CHAT)
def b_G6_nothing_to_add_keeps_the_system_message(format_name: str) -> None:
    messages = [{"role": "system", "content": ""}, USER]
    prompted = merge(format_name, messages, [])
    assert prompted.messages == tuple(messages)
    assert prompted.system_prompt is None
    assert merge(format_name, [USER], [], base="Base.").messages == ({"role": "system", "content": "Base."}, USER)


@pytest.mark.parametrize("format_name", CHAT)
def b_G6_parts_are_kept_and_the_additions_are_the_last(format_name: str) -> None:
    part = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    prompted = merge(format_name, [{"role": "system", "content": [part]}, USER])
    assert prompted.system_prompt == [part, {"type": "text", "text": "A\n\nB"}]
    assert prompted.messages is not None
    assert prompted.messages[0] == {"role": "system", "content": prompted.system_prompt}


def make_blocks(format_name: str, text: str) -> list[Any]:
    if format_name == "anthropic":
        return [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]
    return [{"text": text}, {"cachePoint": {"type": "default"}}] if format_name == "bedrock" else [{"text": text}]


@pytest.mark.parametrize("format_name", ["anthropic", "bedrock", "gemini"])
def b_G6_vendor_blocks_are_kept_and_the_additions_are_the_last(format_name: str) -> None:
    blocks = make_blocks(format_name, "Be brief.")
    prompted = merge(format_name, [USERS[format_name]], base=blocks)
    block = {"type": "text", "text": "A\n\nB"} if format_name == "anthropic" else {"text": "A\n\nB"}
    assert prompted.system_prompt == [*blocks, block]
    assert merge(format_name, [USERS[format_name]], base=prompted.system_prompt).system_prompt == prompted.system_prompt


def b_G6_gemini_content_is_kept() -> None:
    content = {"role": "user", "parts": [{"text": "Be brief."}]}
    prompted = merge("gemini", [USERS["gemini"]], base=content)
    assert prompted.system_prompt == {**content, "parts": [{"text": "Be brief."}, {"text": "A\n\nB"}]}
    assert prompted.request["config"] == {"systemInstruction": prompted.system_prompt}
    assert merge("gemini", [USERS["gemini"]], base=prompted.system_prompt).system_prompt == prompted.system_prompt


@pytest.mark.parametrize("format_name", FIELD)
def b_G6_system_as_a_field(format_name: str) -> None:
    user = USERS[format_name]
    prompted = merge(format_name, [user], base="Be brief.")
    text = "Be brief.\n\nA\n\nB"
    assert prompted.messages == (user,)
    assert prompted.system_prompt == text
    assert (
        prompted.request
        == {
            "anthropic": {"system": text, "messages": [user]},
            "gemini": {"contents": [user], "config": {"systemInstruction": text}},
            "bedrock": {"system": [{"text": text}], "messages": [user]},
            "openai_responses": {"instructions": text, "input": [user]},
        }[format_name]
    )


@pytest.mark.parametrize("format_name", FIELD)
@pytest.mark.parametrize("role", ["system", "developer"])
def b_G6_system_message_is_lifted_into_the_field(format_name: str, role: str) -> None:
    prompted = merge(format_name, [{"role": role, "content": "Be brief."}, USER])
    assert prompted.system_prompt == "Be brief.\n\nA\n\nB"
    assert prompted.messages == (USER,)
    user = USERS[format_name]
    messages = prompted.request.get("messages") or prompted.request.get("input") or prompted.request.get("contents")
    assert messages == [user]


def b_G6_lifted_parts_keep_their_cache_marks_for_anthropic() -> None:
    part = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    prompted = merge("anthropic", [{"role": "system", "content": [part]}, USER])
    assert prompted.system_prompt == [part, {"type": "text", "text": "A\n\nB"}]
    assert merge("bedrock", [{"role": "system", "content": [part]}, USER]).system_prompt == "Be brief.\n\nA\n\nB"


def test_lift__several_system_messages__become_one_text() -> None:
    system = [
        {"role": "system", "content": "One."},
        {"role": "developer", "content": [{"type": "text", "text": "Two."}]},
    ]
    assert merge("anthropic", [*system, USER], []).system_prompt == "One.\n\nTwo."


def test_lift__system_message_with_more_than_text__stays() -> None:
    image = {"role": "developer", "content": [{"type": "input_image", "image_url": "x"}]}
    prompted = merge("openai_responses", [image, USER])
    assert prompted.messages == (image, USER)
    assert prompted.request == {"instructions": "A\n\nB", "input": [image, USER]}


@pytest.mark.parametrize("format_name", ALL)
def test_base__beside_a_system_message__is_refused(format_name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        merge(format_name, [{"role": "system", "content": "x"}, USER], base="y")
    assert [(error.path, error.code) for error in caught.value.errors] == [("system_prompt", "two_system_prompts")]


@pytest.mark.parametrize("format_name", ALL)
def test_base__blank_beside_a_system_message__is_no_base(format_name: str) -> None:
    prompted = merge(format_name, [{"role": "system", "content": "x"}, USER], [], base=" ")
    assert prompted.system_prompt == "x"


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("base", [5, {"a": 1}, ["x"], [5]])
def test_base__of_another_kind__is_refused(format_name: str, base: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        merge(format_name, [USERS[format_name]], base=base)
    assert caught.value.errors[0].path == "system_prompt"


@pytest.mark.parametrize("format_name", ALL)
def test_prompt__one_user_message__is_in_the_request_only(format_name: str) -> None:
    prompted = merge(format_name, None, prompt="hi", base="Be brief.")
    assert prompted.messages is None
    assert prompted.system_prompt == "Be brief.\n\nA\n\nB"
    user = USERS[format_name]
    system = {"role": "system", "content": prompted.system_prompt}
    fields = {
        "anthropic": [user],
        "bedrock": [user],
        "gemini": [user],
        "openai_responses": [user],
    }
    key = {"gemini": "contents", "openai_responses": "input"}.get(format_name, "messages")
    assert prompted.request[key] == fields.get(format_name, [system, user])


@pytest.mark.parametrize("format_name", ALL)
@pytest.mark.parametrize("base", [None, "Be brief.", "Be brief.\n\nA", "A\n\nB", "x\nA\n\nB"])
def b_G15_resolving_a_resolved_snapshot_changes_nothing(format_name: str, base: str | None) -> None:
    once = merge(format_name, [USERS[format_name]], base=base)
    again = merge(format_name, once.messages, base=None if format_name in CHAT else once.system_prompt)
    assert again.messages == once.messages
    assert again.system_prompt == once.system_prompt
    assert again.request == once.request
    expected = {None: "A\n\nB", "A\n\nB": "A\n\nB"}.get(base, f"{base}\n\nA\n\nB")
    assert once.system_prompt == expected


@pytest.mark.parametrize("format_name", CHAT)
def test_dialect__anthropic_messages_in_a_chat_format__keep_their_own_place(format_name: str) -> None:
    messages = [USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}]
    prompted = merge(format_name, messages, base="Be brief.")
    assert prompted.messages == tuple(messages)
    assert prompted.request == {"system": "Be brief.\n\nA\n\nB", "messages": messages}


CHAT_HISTORY: list[Any] = [
    {"role": "system", "content": "Be brief."},
    USER,
    {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}},
            {"id": "c2", "type": "function", "function": {"name": "g", "arguments": ""}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "one"},
    {"role": "tool", "tool_call_id": "c2", "content": '{"b": 2}'},
    {"role": "user", "content": "thanks"},
]


@pytest.mark.parametrize("format_name", ["anthropic", "gemini", "bedrock", "openai_responses"])
def test_dialect__chat_messages_for_another_vendor__are_translated_for_the_request(format_name: str) -> None:
    prompted = merge(format_name, CHAT_HISTORY)
    assert prompted.messages == tuple(CHAT_HISTORY[1:])
    assert prompted.findings == ()
    sent: Any = prompted.request.get("messages") or prompted.request.get("input") or prompted.request.get("contents")
    format_ = get_format(format_name)
    assert format_.recognises(sent)
    read = format_.read_messages(sent)
    assert [call for message in read for call in message.calls] == [
        call for message in get_format("openai_chat").read_messages(CHAT_HISTORY) for call in message.calls
    ]
    assert [answer for message in read for answer in message.answers] == [
        answer for message in get_format("openai_chat").read_messages(CHAT_HISTORY) for answer in message.answers
    ]
    assert [message.text for message in read if message.text] == ["hi", "I look.", "thanks"]
    if format_name != "openai_responses":
        assert len(sent) == (3 if format_name == "bedrock" else 4)


def test_dialect__media_that_cannot_be_translated__leaves_the_messages_out_and_says_so() -> None:
    picture = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}
    prompted = merge("gemini", [picture])
    assert prompted.messages == (picture,)
    assert prompted.request == {"config": {"systemInstruction": "A\n\nB"}}
    assert [finding.code for finding in prompted.findings] == ["messages_not_translated"]


@given(
    format_name=st.sampled_from(ALL),
    system=st.one_of(st.none(), st.text(max_size=8)),
    additions=st.lists(st.sampled_from(["A", "B", "", " ", "C\n\nA"]), max_size=4),
)
def b_G15_merging_twice_is_merging_once(format_name: str, system: str | None, additions: list[str]) -> None:
    once = merge(format_name, [USERS[format_name]], additions, base=system)
    again = merge(format_name, once.messages, additions, base=None if format_name in CHAT else once.system_prompt)
    assert (again.messages, again.system_prompt) == (once.messages, once.system_prompt)


def test_dialect__chat_messages_for_bedrock__take_turns() -> None:
    """Converse refuses two messages of one role in a row."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "one"},
        {"role": "user", "content": "two"},
        {"role": "assistant", "content": "I look."},
        {"role": "assistant", "content": "\n", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "3"},
        {"role": "user", "content": "three"},
    ]
    assert merge("bedrock", history).request["messages"] == [
        {"role": "user", "content": [{"text": "one"}, {"text": "two"}]},
        {
            "role": "assistant",
            "content": [{"text": "I look."}, {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}],
        },
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "c", "content": [{"text": "3"}]}}, {"text": "three"}],
        },
    ]


def test_request__bedrock_without_tools__tells_earlier_calls_in_words() -> None:
    """Converse refuses the blocks of calls in a request that has no tools, and with them every later turn."""
    use = {"toolUse": {"toolUseId": "c", "name": "get_order", "input": {"no": "AF1"}}}
    result = {"toolResult": {"toolUseId": "c", "content": [{"json": {"state": "sent"}}, {"text": "Soon."}]}}
    strange = {"toolResult": {"toolUseId": "x", "content": [{"image": {"format": "png"}}]}}
    talk: list[Any] = [
        {"role": "user", "content": [{"text": "hi"}]},
        {"role": "assistant", "content": [{"text": "I look."}, use]},
        {"role": "user", "content": [result, strange]},
    ]
    format_ = get_format("bedrock")
    told: Any = format_.complete_request({"messages": talk, "system": [{"text": "A"}]})
    assert told["messages"] == [
        talk[0],
        {"role": "assistant", "content": [{"text": "I look."}, {"text": '(Called get_order with {"no":"AF1"}.)'}]},
        {
            "role": "user",
            "content": [
                {"text": '(Result of get_order: {"state":"sent"} Soon.)'},
                {"text": "(Result of a tool: [image])"},
            ],
        },
    ]
    assert "toolUse" in talk[1]["content"][1]
    with_tools: Any = {"messages": talk, "toolConfig": {"tools": [{}]}}
    assert format_.complete_request(with_tools) is with_tools
    plain: Any = {"messages": talk[:1]}
    assert format_.complete_request(plain) is plain
