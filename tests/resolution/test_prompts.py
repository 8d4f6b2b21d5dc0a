"""G5, G6, G15: how the prompts of groups are merged, and that nothing which came in is ever changed."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.support import (
    ANTHROPIC,
    DIALECTS,
    OPENAI_CHAT,
    Dialect,
    make_group,
    make_profile,
    make_tenant,
    make_tool,
    resolve,
    says,
    sent,
)
from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.resolve import ResolveAnswer
from toolcatalog.models import Tenant

pytestmark = pytest.mark.django_db

BASE = "You are a clerk."


@pytest.fixture
def tenant() -> Tenant:
    """A tenant whose model cannot search, with two groups of only a prompt."""
    tenant = make_tenant()
    make_profile(tenant, search={"enabled": False})
    make_group(tenant, "one", [], says("hello"), system_prompt="One.", position=1)
    make_group(tenant, "two", [], says("hello"), system_prompt="Two.", position=2)
    return tenant


def with_base(dialect: Dialect, base: Any, *messages: dict[str, Any]) -> dict[str, Any]:
    """The request's fields for a base prompt where this vendor has it."""
    if dialect is ANTHROPIC:
        return {"system_prompt": base, "messages": list(messages), "format": dialect.format}
    return {"messages": [{"role": "system", "content": base}, *messages], "format": dialect.format}


# G5


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G5_prompts__joined_by_one_blank_line__after_the_base(tenant: Tenant, dialect: Dialect) -> None:
    answer = resolve(tenant, **with_base(dialect, BASE, dialect.user("hello")))
    assert dialect.system(answer) == f"{BASE}\n\nOne.\n\nTwo."
    assert answer.system_prompt == f"{BASE}\n\nOne.\n\nTwo."


@pytest.mark.parametrize(
    "text", ["{account.__class__}", "{{7*7}}", "%s %(x)d", "$HOME `id`", " kept \n blanks ", "<b>"]
)
def b_G5_prompt__is_never_a_template_and_never_trimmed(tenant: Tenant, text: str) -> None:
    make_group(tenant, "three", [], system_prompt=text, position=3)
    assert resolve(tenant, "bye").system_prompt == text
    assert resolve(tenant, "hello").system_prompt == f"One.\n\nTwo.\n\n{text}"


def b_G5_blank_prompts__are_ignored(tenant: Tenant) -> None:
    make_group(tenant, "blank", [], system_prompt=" \n\t", position=0)
    make_group(tenant, "empty", [], system_prompt="", position=9)
    assert resolve(tenant, "hello").system_prompt == "One.\n\nTwo."
    assert resolve(tenant, "bye").system_prompt is None


def b_G5_same_prompt_twice__is_sent_once_at_its_first_place(tenant: Tenant) -> None:
    make_group(tenant, "again", [], system_prompt="One.", position=9)
    assert resolve(tenant, "hello").system_prompt == "One.\n\nTwo."
    assert resolve(tenant, "bye").system_prompt == "One."


# G6


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
@pytest.mark.parametrize("blank", ["", " ", "\n"])
def b_G6_blank_system_prompt__becomes_the_additions_alone(tenant: Tenant, dialect: Dialect, blank: str) -> None:
    answer = resolve(tenant, **with_base(dialect, blank, dialect.user("hello")))
    assert dialect.system(answer) == "One.\n\nTwo."


@pytest.mark.parametrize("dialect", [OPENAI_CHAT, DIALECTS[2]], ids=repr)
def b_G6_no_system_message__a_new_one_at_the_front(tenant: Tenant, dialect: Dialect) -> None:
    messages = [dialect.user("hello")]
    answer = resolve(tenant, messages=messages, format=dialect.format)
    assert answer.messages is not None
    assert list(answer.messages) == [{"role": "system", "content": "One.\n\nTwo."}, *messages]


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G6_nothing_to_add__messages_untouched_and_no_empty_system(tenant: Tenant, dialect: Dialect) -> None:
    messages = [dialect.user("bye"), dialect.assistant("x"), dialect.user("bye")]
    answer = resolve(tenant, messages=messages, format=dialect.format)
    assert (list(answer.messages or ()), answer.system_prompt, dialect.system(answer)) == (messages, None, None)
    answer = resolve(tenant, **with_base(dialect, BASE, *messages))
    assert dialect.system(answer) == BASE


def b_G6_first_system_message__gets_the_additions_wherever_it_stands(tenant: Tenant) -> None:
    messages = [
        {"role": "user", "content": "x"},
        {"role": "system", "content": "First."},
        {"role": "system", "content": "Second."},
        {"role": "user", "content": "hello"},
    ]
    answer = resolve(tenant, messages=messages, format="openai_chat")
    texts = [message["content"] for message in list(answer.messages or ())]  # type: ignore[index, call-overload]  # JSON
    assert texts == ["x", "First.\n\nOne.\n\nTwo.", "Second.", "hello"]


def b_G6_developer_role__is_handled_in_kind(tenant: Tenant) -> None:
    messages = [{"role": "developer", "content": BASE, "name": "d"}, {"role": "user", "content": "hello"}]
    answer = resolve(tenant, messages=messages, format="openai_chat")
    first, _ = answer.messages or ()
    assert first == {"role": "developer", "content": f"{BASE}\n\nOne.\n\nTwo.", "name": "d"}


@pytest.mark.parametrize("dialect", [OPENAI_CHAT, ANTHROPIC], ids=repr)
def b_G6_blocks__stay_blocks_and_the_additions_are_a_new_last_one(tenant: Tenant, dialect: Dialect) -> None:
    blocks = [{"type": "text", "text": BASE, "cache_control": {"type": "ephemeral"}}]
    answer = resolve(tenant, **with_base(dialect, blocks, dialect.user("hello")))
    assert dialect.system(answer) == [*blocks, {"type": "text", "text": "One.\n\nTwo."}]


def b_G6_system_prompt_beside_a_system_message__is_refused(tenant: Tenant) -> None:
    messages = [{"role": "system", "content": BASE}, {"role": "user", "content": "hello"}]
    with pytest.raises(InvalidInput) as refusal:
        resolve(tenant, messages=messages, system_prompt="Another.")
    assert refusal.value.errors[0].path == "system_prompt"


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G6_prompt_in_place_of_messages__is_the_one_user_message(tenant: Tenant, dialect: Dialect) -> None:
    answer = resolve(tenant, prompt="hello", system_prompt=BASE, format=dialect.format)
    assert answer.messages is None
    assert dialect.system(answer) == f"{BASE}\n\nOne.\n\nTwo."
    assert answer.request is not None
    assert list(answer.request["messages"])[-1] == {"role": "user", "content": "hello"}  # type: ignore[arg-type]  # JSON


# G15


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G15_request__resolved__is_not_changed(tenant: Tenant, dialect: Dialect) -> None:
    make_tool(tenant, "ship")
    fields = with_base(dialect, [{"type": "text", "text": BASE}], dialect.user("hello"), *dialect.search("ship"))
    fields["tools"] = [{"name": "mine", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}]
    fields["attributes"] = {"a": {"b": [1, {"c": 2}]}}
    before = copy.deepcopy(fields)
    answer = resolve(tenant, **fields)
    assert fields == before
    assert answer.messages is not fields["messages"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
def b_G15_every_request__is_matched_afresh(tenant: Tenant, dialect: Dialect) -> None:
    messages = [dialect.user("hello")]
    first = resolve(tenant, messages=messages, format=dialect.format)
    assert dialect.system(first) == "One.\n\nTwo."
    later = [*messages, dialect.assistant("Good day."), dialect.user("bye")]
    assert dialect.system(resolve(tenant, messages=later, format=dialect.format)) is None


def again(dialect: Dialect, tenant: Tenant, answer: ResolveAnswer) -> ResolveAnswer:
    """Resolve what was answered."""
    system: dict[str, Any] = {"system_prompt": answer.system_prompt} if dialect is ANTHROPIC else {}
    return resolve(tenant, messages=answer.messages, format=dialect.format, **system)


@pytest.mark.parametrize("dialect", DIALECTS, ids=repr)
@pytest.mark.parametrize("base", [None, BASE, [{"type": "text", "text": BASE}]], ids=["none", "text", "blocks"])
def b_G15_resolved_snapshot__resolved_again__changes_nothing(tenant: Tenant, dialect: Dialect, base: Any) -> None:
    make_tool(tenant, "ship")
    make_profile(tenant)
    if base is None:
        first = resolve(tenant, messages=[dialect.user("hello")], format=dialect.format)
    else:
        first = resolve(tenant, **with_base(dialect, base, dialect.user("hello")))
    second = again(dialect, tenant, first)
    assert dialect.system(second) == dialect.system(first)
    assert list(second.messages or ()) == list(first.messages or ())
    assert (sent(second), second.system_prompt, second.request) == (sent(first), first.system_prompt, first.request)
    assert second.snapshot.digest == first.snapshot.digest
    assert again(dialect, tenant, second).snapshot.digest == first.snapshot.digest


def b_G15_additions_of_another_request__are_not_taken_for_these(tenant: Tenant) -> None:
    first = resolve(tenant, messages=[{"role": "user", "content": "hello"}], format="openai_chat")
    make_group(tenant, "three", [], system_prompt="Three.", position=3)
    second = again(OPENAI_CHAT, tenant, first)
    assert second.system_prompt == "One.\n\nTwo.\n\nOne.\n\nTwo.\n\nThree."
