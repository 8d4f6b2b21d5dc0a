"""R6 to R8, R14: what of a result still counts later, and which names are believed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import (
    AUTHOR,
    DIALECTS,
    GENERIC,
    OPENAI_CHAT,
    Dialect,
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
