"""G2, G3, G17, G18, G19: groups together, their access, and the worked examples."""

from __future__ import annotations

import pytest

from tests.matchers.builders import always, codes, fact, judge, request, row, rules, says
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.matching import RULES, GroupRules, MatcherRow
from toolcatalog.contract.reasons import Reason
from toolcatalog.matchers import (
    check_rules,
    depends_on_message,
    describe_rules,
    has_access_conditions,
)

WEATHER = rules("weather", says("天气", "温度", "下雨"))
ORDER = rules("order", row("account_id", "exists"), says("订单", "物流"))


def matching(groups: list[GroupRules], context: EvaluationContext) -> list[str]:
    return [outcome.name for outcome in judge(groups, context) if outcome.matched]


def b_G2_a_group_without_conditions_says_always() -> None:
    assert describe_rules(always("base")) == ("always",)


def b_G3_every_matching_group_counts_in_order() -> None:
    groups = [always("base"), ORDER, WEATHER, rules("never", says("股票"))]
    context = request("订单目的地的天气", account_id="user-1001")
    assert matching(groups, context) == ["base", "order", "weather"]
    assert matching(groups[::-1], context) == ["weather", "order", "base"]


def b_G3_a_group_may_ask_about_an_earlier_one() -> None:
    fallback = rules("fallback", row("group", "in", ["weather", "order"], negate=True))
    groups = [WEATHER, ORDER, fallback]
    assert matching(groups, request("今天天气")) == ["weather"]
    assert matching(groups, request("介绍一下上海")) == ["fallback"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (row("group", "equals", "weather"), True),
        (row("group", "equals", "order"), False),
        (row("group", "not_equals", "order"), True),
        (row("group", "in", ["order", "weather"]), True),
        (row("group", "not_in", ["order", "weather"]), False),
        (row("group", "contains_any", "order\nweather"), True),
        (row("group", "contains_all", ["order", "weather"]), False),
        (row("group", "is_true", "weather"), True),
        (row("group", "is_true", attribute="weather"), True),
        (row("group", "is_false", "weather"), False),
        (row("group", "is_false", "order"), True),
        (row("group", "exists", "weather"), True),
    ],
)
def b_G3_conditions_on_groups_read_the_names_that_matched(condition: MatcherRow, expected: bool) -> None:
    (*_, outcome) = judge([WEATHER, ORDER, rules("asking", condition)], request("今天天气"))
    assert outcome.problems == ()
    assert outcome.matched is expected


def b_G3_of_two_groups_with_one_name_either_counts() -> None:
    asking = rules("asking", row("group", "is_true", "weather"))
    shared = rules("weather", says("股票"))
    assert matching([WEATHER, shared, asking], request("今天天气")) == ["weather", "asking"]
    assert matching([shared, WEATHER, asking], request("今天天气")) == ["weather", "asking"]
    assert matching([shared, WEATHER, asking], request("订单")) == []


@pytest.mark.parametrize("negate", [False, True])
def b_G3_a_later_or_unknown_group_is_a_broken_condition(negate: bool) -> None:
    for name in ("later", "unknown", "asking"):
        asking = rules("asking", row("group", "is_true", name, negate=negate))
        outcome = judge([asking, always("later")], request("a"))[0]
        assert outcome.reason is Reason.ERROR
        assert f"“{name}”" in outcome.problems[0]


def b_G3_a_group_of_the_right_place_is_asked_for_at_save() -> None:
    asking = rules("asking", row("group", "is_true", "later"))
    assert check_rules(asking) == ()
    assert check_rules(asking, earlier_groups=["later"]) == ()
    (error,) = check_rules(asking, earlier_groups=["first"])
    assert (error.path, error.code) == ("matchers[0].value", "unknown_group")
    (error,) = check_rules(rules("asking", row("group", "is_true", "asking")))
    assert error.code == "group_itself"


def b_G18_rules_without_a_condition_are_refused_and_never_match() -> None:
    empty = GroupRules("empty", RULES)
    (error,) = check_rules(empty)
    assert (error.path, error.code) == ("matchers", "no_condition")
    (outcome,) = judge([empty], request("anything"))
    assert not outcome.matched
    assert outcome.reason is Reason.ERROR


@pytest.mark.parametrize(
    ("message", "account_id", "expected"),
    [
        ("查询订单 AF20260001 的物流状态", "user-1001", ["order"]),
        ("查询订单 AF20260001 的物流状态", None, []),
        ("订单目的地的天气", "user-1001", ["weather", "order"]),
        ("介绍一下上海", "user-1001", []),
    ],
)
def b_G19_the_worked_examples(message: str, account_id: str | None, expected: list[str]) -> None:
    assert matching([WEATHER, ORDER], request(message, account_id=account_id)) == expected


def access(group: GroupRules, context: EvaluationContext, *earlier: GroupRules) -> bool:
    return judge([*earlier, group], context)[-1].access


PREMIUM = fact("plan", "equals", "premium")
GUARDED = rules("guarded", says("订单"), PREMIUM, restricts=True)
PREMIUM_CALLER = {"plan": "premium"}


def b_G17_access_is_what_the_conditions_beside_the_message_say() -> None:
    assert access(GUARDED, request("订单", PREMIUM_CALLER))
    assert access(GUARDED, request("天气", PREMIUM_CALLER))
    assert access(GUARDED, request(None, PREMIUM_CALLER))
    assert not access(GUARDED, request("订单", {"plan": "free"}))
    assert not access(GUARDED, request("订单"))


def b_G17_a_group_that_restricts_nothing_gives_access_to_all() -> None:
    open_group = rules("open", PREMIUM)
    (outcome,) = judge([open_group], request())
    assert (outcome.matched, outcome.access, outcome.reason) == (False, True, Reason.NO_MATCH)
    assert access(always("base"), request())
    assert access(GroupRules("base", "always", restricts_access=True), request())


def b_G17_the_reason_tells_a_closed_group_from_one_that_does_not_fit() -> None:
    (outcome,) = judge([GUARDED], request("天气", PREMIUM_CALLER))
    assert outcome.reason is Reason.NO_MATCH
    (outcome,) = judge([GUARDED], request("订单"))
    assert outcome.reason is Reason.ACCESS_RESTRICTED


def b_G17_one_condition_set_that_holds_is_enough() -> None:
    group = rules("either", PREMIUM, says("订单"), row("model", "equals", "qwen-max", condition_set=2), restricts=True)
    assert access(group, request("天气", PREMIUM_CALLER))
    assert access(group, request(model="qwen-max"))
    assert not access(group, request("订单", model="other"))


def b_G17_a_set_of_message_conditions_alone_gives_access_and_a_warning() -> None:
    group = rules("either", PREMIUM, says("订单", condition_set=2), restricts=True)
    assert access(group, request("天气"))
    assert ("restricts_access", "open_condition_set") in codes(group)


def b_G17_a_broken_condition_closes_its_set() -> None:
    broken = row("message", "matches_regex", "(a", condition_set=1)
    assert not access(rules("group", broken, PREMIUM, restricts=True), request("a", PREMIUM_CALLER))
    two_sets = rules("group", broken, row("account_id", "exists", condition_set=2), restricts=True)
    assert not access(two_sets, request("a"))
    assert access(two_sets, request("a", account_id="user-1"))


def b_G17_a_mismatch_closes_the_set_also_when_negated() -> None:
    group = rules("group", fact("age", "less_than", 18, negate=True), restricts=True)
    assert access(group, request(attributes={"age": 20}))
    assert access(group, request())
    assert not access(group, request(attributes={"age": "20"}))


def b_G17_a_condition_on_a_group_counts_as_what_that_group_reads() -> None:
    by_message = rules("talks", says("天气"))
    by_account = rules("known", row("account_id", "exists"))
    indirect = rules("indirect", row("group", "is_true", "talks"))
    for name, gives_access in (("talks", True), ("indirect", True), ("known", False)):
        asking = rules("asking", row("group", "is_true", name), restricts=True)
        assert access(asking, request("股票"), by_message, by_account, indirect) is gives_access
    asking = rules("asking", row("group", "is_true", "known"), restricts=True)
    assert access(asking, request(account_id="user-1"), by_account)


def b_G17_a_condition_on_an_unknown_group_gives_no_access() -> None:
    assert not access(rules("asking", row("group", "is_false", "nowhere"), restricts=True), request("a"))


def b_G17_restriction_is_the_default_as_soon_as_something_but_the_message_counts() -> None:
    assert has_access_conditions(ORDER)
    assert has_access_conditions(rules("g", row("time", "greater_than", "2026-01-01")))
    assert not has_access_conditions(WEATHER)
    assert not has_access_conditions(always("base"))
    assert not has_access_conditions(rules("g", row("group", "is_true", "weather")), message_groups=["weather"])
    assert depends_on_message(ORDER)
    assert not depends_on_message(rules("g", PREMIUM))
    assert depends_on_message(rules("g", row("group", "is_true", "weather")), message_groups=["weather"])


def b_G17_unknown_matchers_give_no_access() -> None:
    assert not access(rules("g", match="nobody", restricts=True), request())


def case_P01_tools_for_a_role_stay_closed_to_another_role() -> None:
    group = rules("finance", fact("role", "equals", "finance"), restricts=True)
    assert access(group, request(attributes={"role": "finance"}))
    assert not access(group, request(attributes={"role": "support"}))


def case_P23_write_tools_need_a_true_attribute() -> None:
    group = rules("write", fact("can_write", "is_true"), restricts=True)
    assert access(group, request(attributes={"can_write": True}))
    for attributes in ({"can_write": False}, {}, {"can_write": "true"}, {"can_write": 1}):
        assert not access(group, request(attributes=attributes))


def case_P18_an_attribute_that_no_caller_sends_is_named_at_save() -> None:
    group = rules("g", says("订单"), fact("user.plan", "exists"))
    assert codes(group, known_attributes=["user.name", "region"]) == [("matchers[1].attribute", "unknown_attribute")]
    assert codes(group, known_attributes=["user.plan"]) == []
    assert codes(group, known_attributes=["user.plan.name"]) == []
    assert codes(group) == []
    (outcome,) = judge([group], request("订单"), explain=True)
    assert [matcher.seen for matcher in outcome.condition_sets[0].matchers] == ["订单", None]
