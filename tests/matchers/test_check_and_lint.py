"""What is refused at save and what is only warned about; rules as sentences."""

from __future__ import annotations

import pytest

from tests.matchers.builders import NO_PLUGINS, always, codes, fact, refusals, row, rules, says
from toolcatalog.contract.matching import GroupRules, MatcherRow
from toolcatalog.matchers import check_rules, describe_rules, phrase_rules


def test_check__several_rows_wrong__all_reported() -> None:
    group = rules("g", says(), row("message", "matches_regex", "(a"), says("ok"), row("attribute", "exists"))
    assert [(error.path, error.code) for error in check_rules(group)] == [
        ("matchers[0].value", "no_keyword"),
        ("matchers[1].value", "bad_pattern"),
        ("matchers[3].attribute", "attribute_needed"),
    ]


def test_check__unknown_words__the_known_ones_are_named() -> None:
    (error,) = check_rules(rules("g", row("mesage", "exists")))
    assert (error.path, error.code) == ("matchers[0].source", "unknown_source")
    assert "message" in error.message
    (error,) = check_rules(rules("g", row("message", "like", "a")))
    assert (error.path, error.code) == ("matchers[0].operator", "unknown_operator")
    assert "contains_any" in error.message


@pytest.mark.parametrize(
    ("source", "operator"),
    [
        ("message", "is_true"),
        ("message", "percentage"),
        ("time", "exists"),
        ("group", "greater_than"),
        ("model", "less_than"),
    ],
)
def test_check__operator_does_not_fit_source__fitting_ones_named(source: str, operator: str) -> None:
    (error,) = check_rules(rules("g", row(source, operator, 1)))
    assert (error.path, error.code) == ("matchers[0].operator", "operator_not_fitting")
    assert f"“{operator}” cannot be used with “{source}”. Choose one of: " in error.message


def test_check__condition_set_below_one__refused() -> None:
    assert refusals(says("a", condition_set=0)) == [("matchers[0].condition_set", "bad_condition_set")]


def test_check__unknown_matcher__refused() -> None:
    (error,) = check_rules(GroupRules("g", "nobody"), matchers_registry=NO_PLUGINS)
    assert (error.path, error.code) == ("match", "unknown_matcher")


def test_check__sound_rules__nothing_said() -> None:
    assert check_rules(always("g")) == ()
    assert check_rules(rules("g", says("订单"), fact("plan", "equals", "premium"))) == ()


LINTED: list[tuple[MatcherRow, str]] = [
    (says("单"), "short_keyword"),
    (says("order"), "inside_words"),
    (says("订单", whole_word=True), "whole_word_unused"),
    (row("message", "matches_regex", "a*"), "always_true"),
    (row("message", "matches_regex", "订单|"), "always_true"),
    (row("message", "matches_regex", "(?i)é"), "folds_unicode"),
    (row("account_id", "percentage", 0), "constant_percentage"),
    (row("account_id", "percentage", 100), "constant_percentage"),
    (row("tenant", "exists"), "always_true"),
    (row("message", "exists", negate=True), "always_false"),
    (row("time", "between_times", {"from": "00:00", "to": "24:00", "zone": "UTC"}), "always_true"),
    (row("time", "between_times", {"from": "09:00", "to": "18:00"}), "zone_missing"),
    (says("订单", attribute="plan"), "attribute_unused"),
]


@pytest.mark.parametrize(("condition", "code"), LINTED)
def test_lint__doubtful_condition__warned_but_not_refused(condition: MatcherRow, code: str) -> None:
    group = rules("g", condition)
    assert check_rules(group) == ()
    assert [found for _, found in codes(group)] == [code]


@pytest.mark.parametrize(
    "condition",
    [
        says("订单"),
        says("order", whole_word=True),
        says("logistics"),
        row("message", "matches_regex", "^$"),
        row("message", "matches_regex", "(?i)order|订单"),
        row("account_id", "percentage", 50),
        row("group", "is_true", attribute="weather"),
    ],
)
def test_lint__plain_condition__nothing_said(condition: MatcherRow) -> None:
    assert codes(rules("g", condition)) == []


def test_lint__refused_rows__passed_over() -> None:
    assert codes(rules("g", row("message", "matches_regex", "(a"), row("nothing", "exists"))) == []


def test_lint__condition_and_its_opposite_in_one_set__never_true() -> None:
    group = rules("g", fact("plan", "equals", "a"), fact("plan", "not_equals", "a", note="other"))
    assert codes(group) == [("matchers[1].value", "always_false")]


def test_lint__same_condition_twice__named() -> None:
    assert codes(rules("g", says("订单"), says("订单", ignore_case=True))) == [("matchers[1].value", "repeated")]


def test_lint__two_sets_are_opposites__always_true() -> None:
    group = rules("g", fact("plan", "equals", "a"), fact("plan", "equals", "a", negate=True, condition_set=2))
    assert codes(group) == [("matchers", "always_true")]


def test_lint__restriction_without_effect__named() -> None:
    assert codes(rules("g", says("订单"), restricts=True)) == [("restricts_access", "restricts_nothing")]
    assert codes(GroupRules("g", "always", restricts_access=True)) == [("restricts_access", "restricts_nothing")]
    assert codes(rules("g", fact("plan", "exists"), restricts=True)) == []


def test_lint__rows_beside_always__named() -> None:
    assert codes(rules("g", says("订单"), match="always")) == [("match", "conditions_unused")]


def test_description__two_sets__a_sentence_each() -> None:
    group = rules(
        "order",
        says("订单", "物流"),
        row("account_id", "exists"),
        fact("plan", "equals", "premium", condition_set=2),
        row("time", "between_times", {"from": "09:00", "to": "18:00", "days": [1, 2]}, condition_set=2, negate=True),
    )
    assert describe_rules(group) == (
        "the last user message contains any of 订单, 物流 and the account is given",
        "the attribute “plan” is premium and the time of the request is not between 09:00 and 18:00 UTC, days 1, 2",
    )


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        (row("group", "is_true", "weather"), "the group “weather” matched before"),
        (row("group", "is_false", "weather"), "the group “weather” did not match before"),
        (row("group", "in", ["a", "b"], negate=True), "none of the groups “a”, “b” matched before"),
        (row("group", "contains_all", ["a", "b"]), "all of the groups “a”, “b” matched before"),
        (fact("n", "greater_than", 5), "the attribute “n” is greater or later than 5"),
        (fact("ok", "is_true", negate=True), "the attribute “ok” is not true"),
        (fact("{value}", "equals", "{subject}"), "the attribute “{value}” is {subject}"),
        (row("message", "matches_regex", "(a"), "the last user message matches the pattern (a"),
        (row("mesage", "exists"), "a condition that is broken and never true"),
    ],
)
def test_description__one_condition__reads_like_a_sentence(condition: MatcherRow, sentence: str) -> None:
    assert describe_rules(rules("g", condition)) == (sentence,)


def test_description__in_parts__words_and_values_apart() -> None:
    ((phrase,),) = phrase_rules(rules("g", fact("plan", "not_in", ["a", "b"])))
    assert phrase.template == "{subject} is none of {value}"
    assert phrase.subject == "the attribute {attribute}"
    assert (phrase.attribute, phrase.value) == ("plan", "a, b")


def test_description__registered_matcher__named() -> None:
    assert describe_rules(GroupRules("g", "vip")) == ("the matcher “vip” decides",)
