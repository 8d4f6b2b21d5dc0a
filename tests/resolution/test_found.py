"""R1 to R5: which searches of a conversation count, in every message form."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    ANTHROPIC,
    DIALECTS,
    GENERIC,
    OPENAI_CHAT,
    Dialect,
    explain,
    make_many_tools,
    make_profile,
    make_tenant,
    resolve,
    search,
)
from toolcatalog.models import Tenant

pytestmark = pytest.mark.django_db
every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=repr)

Messages = list[dict[str, Any]]


@pytest.fixture
def tenant() -> Tenant:
    """A tenant with the tools a to f."""
    tenant = make_tenant()
    make_many_tools(tenant, "abcdef")
    return tenant


def found(tenant: Tenant, dialect: Dialect, messages: Messages, **fields: Any) -> list[str]:
    """What the conversation found: all that is sent but the entry tool."""
    answer = resolve(tenant, messages=messages, format=dialect.format, **fields)
    names = dialect.tool_names(answer)
    assert names[0] == "toolSearch"
    assert tuple(names[1:]) == answer.active_tools
    return names[1:]


# R1


@every_dialect
def b_R1_no_search_yet__nothing_is_found(tenant: Tenant, dialect: Dialect) -> None:
    messages = [dialect.user("a"), dialect.assistant("b"), dialect.user("c")]
    assert found(tenant, dialect, messages) == []
    trace = explain(tenant, messages=messages, format=dialect.format).search
    assert (trace.source, trace.names) == ("none", ())
    assert trace.detail


def b_R1_prompt_instead_of_messages__nothing_is_found(tenant: Tenant) -> None:
    assert resolve(tenant, prompt="a").tool_names == ("toolSearch",)


# R2


def two_turns(dialect: Dialect) -> Messages:
    """Two assistant messages that searched, the second one with two calls at once."""
    return [
        dialect.user("first"),
        *dialect.search("a", "b", call_id="one"),
        dialect.user("second"),
        dialect.calls(("two", "toolSearch"), ("other", "a"), ("three", "toolSearch")),
        *dialect.answers(("two", ["c", "b"]), ("other", {"done": True}), ("three", ["d", "c"])),
    ]


@every_dialect
@pytest.mark.parametrize(
    ("policy", "names"),
    [
        ("latest_call", ["d", "c"]),
        ("latest_turn", ["c", "b", "d"]),
        (None, ["c", "b", "d"]),
        ("accumulate", ["a", "b", "c", "d"]),
    ],
)
def b_R2_policy__decides_which_searches_count(
    tenant: Tenant, dialect: Dialect, policy: str | None, names: list[str]
) -> None:
    assert found(tenant, dialect, two_turns(dialect), exposure_policy=policy) == names


@every_dialect
def b_R2_policy_of_the_profile__holds_unless_the_request_has_one(tenant: Tenant, dialect: Dialect) -> None:
    make_profile(tenant, exposure_policy="accumulate")
    assert found(tenant, dialect, two_turns(dialect)) == ["a", "b", "c", "d"]
    assert found(tenant, dialect, two_turns(dialect), exposure_policy="latest_call") == ["d", "c"]


@every_dialect
@pytest.mark.parametrize(
    ("policy", "calls"),
    [("latest_call", ("three",)), ("latest_turn", ("two", "three")), ("accumulate", ("one", "two", "three"))],
)
def b_R2_explanation__names_the_calls_that_decided(
    tenant: Tenant, dialect: Dialect, policy: str, calls: tuple[str, ...]
) -> None:
    fields: dict[str, Any] = {"messages": two_turns(dialect), "format": dialect.format, "exposure_policy": policy}
    trace = explain(tenant, **fields).search
    assert (trace.source, trace.policy, trace.calls) == ("messages", policy, calls)
    assert trace.names == resolve(tenant, **fields).active_tools


# R3


@every_dialect
def b_R3_answer__belongs_to_its_call_by_id(tenant: Tenant, dialect: Dialect) -> None:
    calls = dialect.calls(("x", "toolSearch"), ("y", "toolSearch"))
    messages = [dialect.user("?"), calls, *dialect.answers(("y", ["b"]), ("x", ["a"]))]
    assert found(tenant, dialect, messages, exposure_policy="latest_call") == ["b"]
    assert found(tenant, dialect, messages) == ["a", "b"]


@every_dialect
def b_R3_answer_of_another_call__is_none_of_the_search(tenant: Tenant, dialect: Dialect) -> None:
    calls = dialect.calls(("x", "toolSearch"), ("y", "listThings"))
    assert found(tenant, dialect, [dialect.user("?"), calls, *dialect.answers(("y", ["a"]))]) == []
    assert found(tenant, dialect, [dialect.user("?"), calls, *dialect.answers(("y", ["a"]), ("x", ["b"]))]) == ["b"]


@every_dialect
def b_R3_answer_before_the_call__does_not_count(tenant: Tenant, dialect: Dialect) -> None:
    messages = [dialect.user("?"), *dialect.answers(("x", ["a"])), dialect.calls(("x", "toolSearch"))]
    assert found(tenant, dialect, messages) == []


@pytest.mark.parametrize("blank", [None, "", " "])
@pytest.mark.parametrize("dialect", [OPENAI_CHAT, GENERIC], ids=repr)
def b_R3_missing_id__tool_name_is_the_id(tenant: Tenant, dialect: Dialect, blank: str | None) -> None:
    call, answer = dialect.search("a", "b", call_id="x")
    call["tool_calls"][0]["id"] = blank
    answer |= {"tool_call_id": blank, "name": "toolSearch"}
    assert found(tenant, dialect, [dialect.user("?"), call, answer]) == ["a", "b"]
    if blank is None:
        del call["tool_calls"][0]["id"]
        del answer["tool_call_id"]
        assert found(tenant, dialect, [dialect.user("?"), call, answer]) == ["a", "b"]


def b_R3_missing_ids_of_two_searches_at_once__answers_belong_to_them_in_order(tenant: Tenant) -> None:
    """Gemini sends no ids: two searches of one message have the tool's name for an id, both."""
    calls = [{"functionCall": {"name": "toolSearch", "args": {"query": q}}} for q in ("x", "y")]
    answers = [
        {"functionResponse": {"name": "toolSearch", "response": {"result": names}}} for names in (["a"], ["b", "c"])
    ]
    messages: Messages = [
        {"role": "user", "parts": [{"text": "?"}]},
        {"role": "model", "parts": calls},
        {"role": "user", "parts": answers},
    ]
    assert resolve(tenant, messages=messages, format="gemini").active_tools == ("a", "b", "c")
    one = resolve(tenant, messages=messages, format="gemini", exposure_policy="latest_call")
    assert one.active_tools == ("b", "c")
    messages[-1]["parts"] = answers[:1]
    one = resolve(tenant, messages=messages, format="gemini", exposure_policy="latest_call")
    assert one.active_tools == ()


# R4


NO_LISTS = [
    "The search is not available, try later.",
    '{"error": "query is blank"}',
    "null",
    "5",
    '"a"',
    "[",
    "",
    "[]",
    '{"tools": []}',
    '[1, null, {"x": 1}]',
]


@every_dialect
@pytest.mark.parametrize("text", NO_LISTS)
def b_R4_answer_without_names__nothing_is_found_and_nothing_older_reused(
    tenant: Tenant, dialect: Dialect, text: str
) -> None:
    search(tenant, "f", session_id="s")
    messages = [
        dialect.user("first"),
        *dialect.search("a", call_id="one"),
        dialect.user("second"),
        dialect.calls(("two", "toolSearch")),
        *dialect.answers(("two", text)),
    ]
    for policy, names in (("latest_call", []), ("latest_turn", []), ("accumulate", ["a"])):
        fields: dict[str, Any] = {"exposure_policy": policy, "session_id": "s", "active_tools": ("e",)}
        assert found(tenant, dialect, messages, **fields) == names
    trace = explain(tenant, messages=messages, format=dialect.format).search
    assert trace.calls == ("two",)
    assert trace.detail


@every_dialect
def b_R4_search_not_answered__nothing_is_found_and_nothing_older_reused(tenant: Tenant, dialect: Dialect) -> None:
    search(tenant, "f", session_id="s")
    messages = [dialect.user("?"), *dialect.search("a", call_id="one"), dialect.calls(("two", "toolSearch"))]
    assert found(tenant, dialect, messages, session_id="s", active_tools=("e",)) == []
    assert found(tenant, dialect, messages, exposure_policy="accumulate") == ["a"]
    detail = explain(tenant, messages=messages, format=dialect.format).search.detail
    assert detail == "The last search is not answered yet."


@every_dialect
def b_R4_one_of_two_searches_failed__the_other_counts(tenant: Tenant, dialect: Dialect) -> None:
    calls = dialect.calls(("x", "toolSearch"), ("y", "toolSearch"))
    messages = [dialect.user("?"), calls, *dialect.answers(("x", ["a"]), ("y", "It failed."))]
    assert found(tenant, dialect, messages) == ["a"]
    assert found(tenant, dialect, messages, exposure_policy="latest_call") == []


def b_R4_answer_marked_as_an_error__is_not_read(tenant: Tenant) -> None:
    call, answer = ANTHROPIC.search("a")
    answer["content"][0]["is_error"] = True
    assert found(tenant, ANTHROPIC, [ANTHROPIC.user("?"), call, answer]) == []


# R5


CONTENTS: list[Any] = [
    '["a", "b"]',
    [{"type": "text", "text": '["a", "b"]'}],
    [{"type": "text", "text": '["a",'}, {"type": "text", "text": ' "b"]'}],
    '{"tools": [{"name": "a"}, {"name": "b"}]}',
    [{"type": "text", "text": '{"found": 2, "tools": [{"name": "a", "description": "x"}, {"name": "b"}]}'}],
    [{"type": "tool_reference", "tool_name": "a"}, {"type": "tool_reference", "tool_name": "b"}],
    ' [ "a" , "b" ] \n',
]


@every_dialect
@pytest.mark.parametrize("content", CONTENTS, ids=str)
def b_R5_answer__is_read_in_every_form(tenant: Tenant, dialect: Dialect, content: Any) -> None:
    call, answer = dialect.search("?")
    if dialect is ANTHROPIC:
        answer["content"][0]["content"] = content
    else:
        answer["content"] = content
    assert found(tenant, dialect, [dialect.user("?"), call, answer]) == ["a", "b"]
