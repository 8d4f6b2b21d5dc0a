"""G8 and G12: what is missing, what has no text, and what is broken. Reliability R7 and R10."""

from __future__ import annotations

import logging

import pytest

from tests.matchers.builders import always, fact, holds, is_broken, judge, outcome_of, request, row, rules, says
from toolcatalog.contract.conversation import Message, Role, ToolAnswer, find_last_user_text
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import MatcherRow, Operator, Source
from toolcatalog.contract.reasons import Reason
from toolcatalog.matchers import MESSAGE_LIMIT, cap_message

ANSWER = ToolAnswer(call_id="c1", content=[], names=())


def b_G8_the_last_user_message_is_the_one_that_is_read() -> None:
    messages = (
        Message(Role.USER, "first"),
        Message(Role.ASSISTANT, "answer"),
        Message(Role.USER, "second"),
        Message(Role.ASSISTANT, "answer"),
        Message(Role.TOOL, answers=(ANSWER,)),
        Message(Role.SYSTEM, "system"),
    )
    assert find_last_user_text(messages) == "second"


def b_G8_a_user_message_of_tool_results_alone_is_skipped() -> None:
    messages = (Message(Role.USER, "question"), Message(Role.USER, answers=(ANSWER,)))
    assert find_last_user_text(messages) == "question"
    mixed = (*messages, Message(Role.USER, "and this", answers=(ANSWER,)))
    assert find_last_user_text(mixed) == "and this"


def b_G8_a_deciding_message_without_text_is_not_passed_over() -> None:
    assert find_last_user_text((Message(Role.USER, "question"), Message(Role.USER))) is None
    assert find_last_user_text(()) is None


MESSAGE_ROWS: list[tuple[str, JsonValue]] = [
    ("contains_any", ["订单"]),
    ("contains_all", ["订单"]),
    ("matches_regex", "订单"),
    ("equals", "订单"),
    ("not_equals", "订单"),
    ("in", ["订单"]),
    ("not_in", ["订单"]),
    ("starts_with", "订单"),
    ("ends_with", "订单"),
    ("exists", None),
]


@pytest.mark.parametrize("message", [None, "", " \n"])
@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize(("operator", "value"), MESSAGE_ROWS)
def b_G12_conditions_on_the_message_are_false_without_text(
    operator: str, value: JsonValue, negate: bool, message: str | None
) -> None:
    assert not holds(row("message", operator, value, negate=negate), request(message))


ATTRIBUTE_ROWS: list[tuple[str, JsonValue]] = [
    ("contains_any", ["a"]),
    ("contains_all", ["a"]),
    ("matches_regex", "a"),
    ("equals", "a"),
    ("in", ["a"]),
    ("starts_with", "a"),
    ("ends_with", "a"),
    ("greater_than", 1),
    ("less_than", "2026-01-31"),
    ("is_true", None),
    ("is_false", None),
    ("exists", None),
    ("percentage", 100),
    ("between_times", {"from": "00:00", "to": "24:00"}),
]


@pytest.mark.parametrize("attributes", [{}, {"it": None}])
@pytest.mark.parametrize(("operator", "value"), ATTRIBUTE_ROWS)
def b_G12_a_missing_attribute_makes_a_condition_false_and_its_negation_true(
    operator: str, value: JsonValue, attributes: dict[str, None]
) -> None:
    assert not holds(fact("it", operator, value), request(attributes=attributes))
    assert holds(fact("it", operator, value, negate=True), request(attributes=attributes))


@pytest.mark.parametrize(("operator", "value"), [("not_equals", "a"), ("not_in", ["a"])])
def b_G12_negated_operators_are_negations_also_where_nothing_is_given(operator: str, value: JsonValue) -> None:
    assert holds(fact("it", operator, value), request())
    assert not holds(fact("it", operator, value, negate=True), request())
    assert holds(row("account_id", operator, value), request())


BROKEN = [
    row("mesage", "contains_any", ["a"]),
    row("message", "contain", ["a"]),
    row("message", "is_true"),
    row("time", "contains_any", ["a"]),
    row("message", "percentage", 50),
    row("attribute", "exists"),
    row("message", "matches_regex", "(a"),
    row("message", "contains_any", []),
    row("group", "is_true"),
    row("group", "is_true", "group"),
    row("group", "is_true", "nowhere"),
]


@pytest.mark.parametrize("condition", BROKEN)
@pytest.mark.parametrize("negate", [False, True])
def b_G12_a_malformed_condition_is_never_true(condition: MatcherRow, negate: bool) -> None:
    broken = row(condition.source, condition.operator, condition.value, attribute=condition.attribute, negate=negate)
    outcome = outcome_of(broken, request("a"))
    assert not outcome.matched
    assert outcome.reason is Reason.ERROR
    assert len(outcome.problems) == 1
    assert outcome.problems[0].startswith("Condition 1: ")


def b_G12_the_sentence_says_what_to_do() -> None:
    (problem,) = outcome_of(row("message", "is_true"), request("a")).problems
    assert "contains_any" in problem
    (problem,) = outcome_of(fact("plan", "is_true"), request(attributes={"plan": "secret-value"})).problems
    assert problem == "Condition 1: The attribute “plan” is text, but this condition needs true or false."


def b_G12_other_groups_go_on_beside_a_broken_one() -> None:
    groups = [rules("bad", row("message", "matches_regex", "(a")), rules("good", says("a")), always("base")]
    outcomes = judge(groups, request("a"))
    assert [outcome.matched for outcome in outcomes] == [False, True, True]


def b_G12_another_condition_set_of_the_group_still_matches() -> None:
    group = rules("group", row("message", "matches_regex", "(a"), says("a", condition_set=2))
    (outcome,) = judge([group], request("a"))
    assert outcome.matched
    assert outcome.reason is Reason.TARGETING_MATCH
    assert len(outcome.problems) == 1


def b_G12_a_condition_on_a_group_that_is_broken_is_not_true_either() -> None:
    groups = [rules("bad", fact("n", "greater_than", 5)), rules("else", row("group", "is_false", "bad"))]
    assert [outcome.matched for outcome in judge(groups, request(attributes={"n": "x"}))] == [False, False]
    assert [outcome.matched for outcome in judge(groups, request(attributes={"n": 1}))] == [False, True]


def b_G12_problems_are_logged_without_values(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        outcome_of(fact("plan", "is_true"), request(attributes={"plan": "secret-value"}))
    assert "The attribute “plan” is text" in caplog.text
    assert "secret-value" not in caplog.text


def rel_R7_a_long_message_is_matched_on_its_first_characters() -> None:
    text = "a" * (MESSAGE_LIMIT - 2) + "订单" + "物流"
    assert cap_message(text) == (text[:-2], True)
    assert cap_message("订单") == ("订单", False)
    assert holds(says("订单"), request(text))
    assert not holds(says("物流"), request(text))
    assert holds(row("message", "matches_regex", "订单$"), request(text))


def rel_R10_stored_nonsense_breaks_nothing() -> None:
    nonsense = [
        rules("no rows"),
        rules("unknown matcher", match="nobody"),
        rules("wrong types", MatcherRow(source=None, operator=5, value=object())),  # type: ignore[arg-type]  # on purpose
        rules("half character", row("message", "contains_any", ["\ud800"]), says("\ud800x", normalise=False)),
        rules("half pattern", row("message", "matches_regex", "\ud800")),
    ]
    outcomes = judge([*nonsense, rules("good", says("订单"))], request("订单 \ud800"))
    assert [outcome.matched for outcome in outcomes[-1:]] == [True]
    assert [outcome.reason for outcome in outcomes[:3]] == [Reason.ERROR] * 3


def test_evaluation__every_source_and_operator__is_judged_or_reported() -> None:
    for source in Source:
        for operator in Operator:
            condition = row(source, operator, "订单", attribute="it")
            outcome = outcome_of(condition, request("订单", {"it": "订单"}, account_id="订单", model="订单"))
            assert outcome.reason in {Reason.TARGETING_MATCH, Reason.NO_MATCH, Reason.ERROR}


def test_evaluation__half_a_character_in_the_message__the_rest_is_matched() -> None:
    context = request("\ud83d 订单")
    assert holds(says("订单"), context)
    assert holds(row("message", "matches_regex", "订单$"), context)
    assert not is_broken(row("message", "starts_with", "?"), context)
