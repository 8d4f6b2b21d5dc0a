"""Explanations: every row with its own result, also after the first false one."""

from __future__ import annotations

from tests.matchers.builders import fact, judge, request, row, rules, says

GROUP = rules(
    "order",
    row("account_id", "exists"),
    says("订单"),
    row("message", "matches_regex", "(a"),
    fact("plan", "equals", "premium", condition_set=3),
)


def test_explanation__first_row_false__all_rows_reported() -> None:
    (outcome,) = judge([GROUP], request("查订单", {"plan": "free"}), explain=True)
    first, second = outcome.condition_sets
    assert (first.number, first.result) == (1, False)
    assert [matcher.result for matcher in first.matchers] == [False, True, False]
    assert [matcher.seen for matcher in first.matchers] == [None, "查订单", None]
    assert [matcher.row for matcher in first.matchers] == list(GROUP.rows[:3])
    assert first.matchers[2].problem is not None
    assert (second.number, second.matchers[0].seen, second.matchers[0].result) == (3, "free", False)


def test_explanation__not_asked_for__left_out() -> None:
    (outcome,) = judge([GROUP], request("查订单"))
    assert outcome.condition_sets == ()


def test_explanation__long_message__shortened() -> None:
    (outcome,) = judge([GROUP], request("订" * 5_000), explain=True)
    seen = outcome.condition_sets[0].matchers[1].seen
    assert isinstance(seen, str)
    assert len(seen) == 501


def test_explanation__condition_on_groups__shows_those_that_matched() -> None:
    asking = rules("asking", row("group", "is_true", "talks"))
    (*_, outcome) = judge([rules("talks", says("a")), rules("silent", says("b")), asking], request("a"), explain=True)
    assert outcome.condition_sets[0].matchers[0].seen == ("talks",)
