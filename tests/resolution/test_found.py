"""R1 to R8, R11, R14: which searches of a conversation count, in every message form."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    ANTHROPIC,
    AUTHOR,
    DIALECTS,
    GENERIC,
    OPENAI_CHAT,
    Dialect,
    explain,
    fact,
    make_group,
    make_many_tools,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    search,
    sent,
)
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.resolve import ResolveAnswer
from toolcatalog.curation import delete_tool
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


# R6


@every_dialect
def b_R6_unknown_repeated_and_other_values__are_skipped_in_order(tenant: Tenant, dialect: Dialect) -> None:
    names: list[Any] = ["c", "nowhere", "a", 5, None, "c", ["b"], {"x": 1}, "", "b", "a"]
    messages = [dialect.user("?"), dialect.calls(("x", "toolSearch")), *dialect.answers(("x", names))]
    assert found(tenant, dialect, messages) == ["c", "a", "b"]
    answer = resolve(tenant, messages=messages, format=dialect.format)
    assert [(o.name, o.reason) for o in answer.omitted] == [("nowhere", Reason.UNKNOWN)]


@every_dialect
def b_R6_forged_names__each_is_authorised_again(tenant: Tenant, dialect: Dialect) -> None:
    make_tool(tenant, "off", status="disabled")
    make_tool(tenant, "secret")
    make_group(tenant, "staff", ["secret"], fact("staff", "is_true"))
    make_tool(tenant, "hidden", searchable=False)
    make_tool(tenant, "excluded")
    make_tool(None, "shared")
    make_tool(make_tenant(), "foreign")
    make_profile(tenant, search={"exclude_tools": ("excluded",)})
    names = ["off", "secret", "hidden", "excluded", "shared", "foreign", "toolSearch", "a"]
    messages = [dialect.user("?"), *dialect.search(*names)]
    answer = resolve(tenant, messages=messages, format=dialect.format, active_tools=tuple(names))
    assert answer.tool_names == ("toolSearch", "a")
    assert {o.name: o.reason for o in answer.omitted} == {
        "off": Reason.DISABLED,
        "secret": Reason.ACCESS_RESTRICTED,
        "hidden": Reason.OUT_OF_SCOPE,
        "excluded": Reason.OUT_OF_SCOPE,
        "shared": Reason.UNKNOWN,
        "foreign": Reason.UNKNOWN,
    }


def b_R6_tool_of_a_group_that_does_not_match__is_found_only_if_search_could(tenant: Tenant) -> None:
    make_tool(tenant, "quiet", searchable=False)
    make_group(tenant, "g", ["quiet", "a"], fact("x", "is_true"), restricts_access=False)
    messages = [OPENAI_CHAT.user("?"), *OPENAI_CHAT.search("quiet", "a")]
    assert found(tenant, OPENAI_CHAT, messages) == ["a"]


@every_dialect
def b_R6_found_tool__gone_later__is_not_sent_and_told(tenant: Tenant, dialect: Dialect) -> None:
    messages = [dialect.user("?"), *dialect.search("a", "b")]
    assert found(tenant, dialect, messages) == ["a", "b"]
    tool = make_tool(tenant, "g")
    delete_tool(tool, AUTHOR)
    messages = [dialect.user("?"), *dialect.search("a", "g", "b")]
    answer = resolve(tenant, messages=messages, format=dialect.format)
    assert answer.active_tools == ("a", "b")
    assert [(o.name, o.reason) for o in answer.omitted] == [("g", Reason.UNKNOWN)]


# R7


@every_dialect
def b_R7_later_messages__do_not_end_a_result(tenant: Tenant, dialect: Dialect) -> None:
    messages = [
        dialect.user("?"),
        *dialect.search("a", "b", call_id="one"),
        dialect.calls(("two", "a")),
        *dialect.answers(("two", {"done": True})),
        dialect.assistant("Done."),
        dialect.user("Thanks. And now?"),
        dialect.assistant("Well."),
        dialect.user("Go on."),
    ]
    for policy in ("latest_call", "latest_turn", "accumulate"):
        assert found(tenant, dialect, messages, exposure_policy=policy) == ["a", "b"]
    assert found(tenant, dialect, [*messages, *dialect.search("c", call_id="three")]) == ["c"]


# R8


@every_dialect
@pytest.mark.parametrize("name", ["toolsearch", "ToolSearch", "toolSearch ", "tool_search", "xtoolSearch", "findTools"])
def b_R8_name_of_the_search__is_compared_exactly(tenant: Tenant, dialect: Dialect, name: str) -> None:
    assert found(tenant, dialect, [dialect.user("?"), *dialect.search("a", entry=name)]) == []


@every_dialect
def b_R8_entry_name_of_the_profile__is_read_in_both_forms(tenant: Tenant, dialect: Dialect) -> None:
    make_profile(tenant, search={"entry_tool": "find.tools"})
    exported = "find.tools" if dialect is GENERIC else "find_tools"
    for name in {"find.tools", exported}:
        answer = resolve(tenant, messages=[dialect.user("?"), *dialect.search("a", entry=name)], format=dialect.format)
        assert dialect.tool_names(answer) == [exported, "a"]
    assert resolve(tenant, messages=[dialect.user("?"), *dialect.search("a")], format=dialect.format).active_tools == ()


@every_dialect
def b_R8_ids__may_repeat_over_turns(tenant: Tenant, dialect: Dialect) -> None:
    turns = [dialect.user("1"), *dialect.search("a", call_id="x"), dialect.user("2")]
    assert found(tenant, dialect, [*turns, *dialect.search("b", call_id="x")]) == ["b"]
    accumulated = found(tenant, dialect, [*turns, *dialect.search("b", call_id="x")], exposure_policy="accumulate")
    assert accumulated == ["a", "b"]
    assert found(tenant, dialect, [*turns, dialect.calls(("x", "toolSearch"))]) == []


def b_R8_conversation_of_another_vendor__exported_names_of_the_format_are_read(tenant: Tenant) -> None:
    """A caller that keeps its messages in OpenAI's form and sends them to another vendor."""
    make_tool(tenant, "1.2", "Looks up an order.")
    make_profile(tenant, search={"entry_tool": "9.9"})
    for format_name in ("anthropic", "gemini", "openai_chat", "generic"):
        for names_of in (format_name, "openai_chat"):
            exported = search(tenant, "order", format=names_of).results[0].exported_name
            assert exported is not None
            messages = [
                OPENAI_CHAT.user("?"),
                *OPENAI_CHAT.search(exported, entry=exported.replace("1", "9", 1).replace("2", "9")),
            ]
            answer = resolve(tenant, messages=messages, format=format_name, explain=True)
            assert answer.active_tools == ("1.2",)
            assert answer.explanation is not None
            assert answer.explanation.search.names == ("1.2",)


# R14


def over_budget(answer: ResolveAnswer) -> list[str]:
    return [o.name for o in answer.omitted if o.reason is Reason.OVER_BUDGET]


@every_dialect
def b_R14_found_tools_cut__those_of_the_newest_search_stay_in_the_same_order(tenant: Tenant, dialect: Dialect) -> None:
    make_profile(tenant, max_tools=4, exposure_policy="accumulate")
    messages = [
        dialect.user("?"),
        *dialect.search("a", "b", call_id="one"),
        *dialect.search("c", call_id="two"),
        *dialect.search("d", "a", call_id="three"),
    ]
    answer = resolve(tenant, messages=messages, format=dialect.format)
    assert dialect.tool_names(answer) == ["toolSearch", "a", "c", "d"]
    assert over_budget(answer) == ["b"]
    make_profile(tenant, max_tools=3, exposure_policy="accumulate")
    answer = resolve(tenant, messages=messages, format=dialect.format)
    assert dialect.tool_names(answer) == ["toolSearch", "a", "d"]
    assert over_budget(answer) == ["b", "c"]


@every_dialect
def b_R14_budget__found_then_groups_then_residents_never_the_callers(tenant: Tenant, dialect: Dialect) -> None:
    make_group(tenant, "g", ["c", "d"])
    tools = [{"name": "mine", "parameters": {"type": "object", "properties": {}}}]
    fields: dict[str, Any] = {"tools": tools, "messages": [dialect.user("?"), *dialect.search("e", "f")]}
    fields["format"] = dialect.format
    whole = ["mine", "a", "b", "c", "d", "toolSearch", "e", "f"]
    kept = {
        8: whole,
        7: ["mine", "a", "b", "c", "d", "toolSearch", "e"],
        6: ["mine", "a", "b", "c", "d", "toolSearch"],
        5: ["mine", "a", "b", "c", "toolSearch"],
        3: ["mine", "a", "toolSearch"],
        2: ["mine", "toolSearch"],
    }
    for limit, names in kept.items():
        make_profile(tenant, max_tools=limit, resident_tools=("a", "b"))
        answer = resolve(tenant, **fields)
        assert dialect.tool_names(answer) == names
        assert over_budget(answer) == [name for name in whole if name not in names]
        assert len(sent(answer)) == limit
