"""G11: the other operators, and their strict types."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.matchers.builders import fact, holds, is_broken, refusals, request, row
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.matching import Operator
from toolcatalog.matchers import OPERATORS
from toolcatalog.matchers.operators.percentage import choose_bucket


def test_operators__table__holds_every_operator() -> None:
    assert set(OPERATORS) == set(Operator)


COMPARED: list[tuple[str, JsonValue, JsonValue, bool]] = [
    ("equals", "premium", "premium", True),
    ("equals", "premium", "Premium", False),
    ("equals", 1, 1.0, True),
    ("equals", 2, 1, False),
    ("equals", True, True, True),
    ("equals", True, False, False),
    ("not_equals", "premium", "free", True),
    ("not_equals", "premium", "premium", False),
    ("in", ["a", "b"], "b", True),
    ("in", ["a", "b"], "c", False),
    ("in", ["a", 2], 2, True),
    ("in", "a\nb", "b", True),
    ("not_in", ["a", "b"], "c", True),
    ("not_in", ["a", "b"], "a", False),
    ("starts_with", "AF", "AF2026", True),
    ("starts_with", "AF", "af2026", False),
    ("ends_with", "26", "AF2026", True),
    ("ends_with", "26", "AF2025", False),
    ("contains_any", ["prem"], "premium", True),
    ("contains_any", ["PREM"], "premium", False),
    ("contains_all", ["pre", "ium"], "premium", True),
    ("matches_regex", "^p.*m$", "premium", True),
    ("greater_than", 5, 5.1, True),
    ("greater_than", 5, 5, False),
    ("less_than", 5, -1, True),
    ("less_than", 5, 5, False),
    ("greater_than", "2026-01-31", "2026-02-01", True),
    ("greater_than", "2026-01-31", "2026-01-31", False),
    ("greater_than", "2026-01-31", "2026-01-31T00:00:01Z", True),
    ("less_than", "2026-01-31T08:00:00+08:00", "2026-01-30T23:59:59Z", True),
    ("less_than", "2026-01-31T08:00:00+08:00", "2026-01-31", False),
    ("is_true", None, True, True),
    ("is_true", None, False, False),
    ("is_false", None, False, True),
    ("is_false", None, True, False),
    ("exists", None, "", True),
    ("exists", None, False, True),
    ("exists", None, 0, True),
]


@pytest.mark.parametrize(("operator", "wanted", "seen", "expected"), COMPARED)
def b_G11_operators_compare(operator: str, wanted: JsonValue, seen: JsonValue, expected: bool) -> None:
    condition = fact("it", operator, wanted)
    assert refusals(condition) == []
    assert holds(condition, request(attributes={"it": seen})) is expected
    assert holds(fact("it", operator, wanted, negate=True), request(attributes={"it": seen})) is not expected


MISMATCHED: list[tuple[str, JsonValue, JsonValue]] = [
    ("is_true", None, "true"),
    ("is_true", None, 1),
    ("is_false", None, "false"),
    ("is_false", None, 0),
    ("equals", "1", 1),
    ("equals", 1, "1"),
    ("equals", 1, True),
    ("equals", True, 1),
    ("equals", True, "true"),
    ("not_equals", 1, "1"),
    ("in", ["a"], 1),
    ("not_in", [1], True),
    ("equals", "a", ["a"]),
    ("greater_than", 5, "6"),
    ("greater_than", 5, True),
    ("greater_than", "2026-01-31", 6),
    ("greater_than", "2026-01-31", "tomorrow"),
    ("less_than", "2026-01-31", "20260131"),
    ("starts_with", "1", 12),
    ("contains_any", ["1"], 12),
    ("matches_regex", "1", 12),
    ("between_times", {"from": "09:00", "to": "18:00"}, "2026-01-31"),
    ("between_times", {"from": "09:00", "to": "18:00"}, 9),
    ("percentage", 50, 12),
]


@pytest.mark.parametrize(("operator", "wanted", "seen"), MISMATCHED)
def b_G11_values_of_another_kind_are_never_true(operator: str, wanted: JsonValue, seen: JsonValue) -> None:
    context = request(attributes={"it": seen})
    assert refusals(fact("it", operator, wanted)) == []
    assert is_broken(fact("it", operator, wanted), context)
    assert is_broken(fact("it", operator, wanted, negate=True), context)


REFUSED: list[tuple[str, JsonValue, str]] = [
    ("equals", None, "single_value_needed"),
    ("equals", ["a"], "single_value_needed"),
    ("in", [], "no_value"),
    ("in", None, "list_needed"),
    ("in", [["a"]], "single_value_needed"),
    ("starts_with", "", "text_needed"),
    ("ends_with", 5, "text_needed"),
    ("greater_than", "5", "number_or_date_needed"),
    ("greater_than", True, "number_or_date_needed"),
    ("less_than", "2026-13-01", "number_or_date_needed"),
    ("percentage", "25", "percentage_needed"),
    ("percentage", 101, "percentage_needed"),
    ("percentage", -1, "percentage_needed"),
    ("percentage", True, "percentage_needed"),
    ("between_times", "09:00-18:00", "times_needed"),
    ("between_times", {"from": "09:00"}, "times_needed"),
    ("between_times", {"from": "09:00", "to": "18:00", "until": 1}, "times_needed"),
    ("between_times", {"from": "9 am", "to": "18:00"}, "bad_time"),
    ("between_times", {"from": "24:00", "to": "18:00"}, "bad_time"),
    ("between_times", {"from": "09:00", "to": "24:01"}, "bad_time"),
    ("between_times", {"from": "09:60", "to": "18:00"}, "bad_time"),
    ("between_times", {"from": "09:00", "to": "09:00"}, "empty_times"),
    ("between_times", {"from": "09:00", "to": "18:00", "zone": "Mars/Olympus"}, "bad_zone"),
    ("between_times", {"from": "09:00", "to": "18:00", "zone": "../../etc/passwd"}, "bad_zone"),
    ("between_times", {"from": "09:00", "to": "18:00", "days": []}, "bad_days"),
    ("between_times", {"from": "09:00", "to": "18:00", "days": [0]}, "bad_days"),
    ("between_times", {"from": "09:00", "to": "18:00", "days": [True]}, "bad_days"),
    ("between_times", {"from": "09:00", "to": "18:00", "days": [1, 2, 1]}, "bad_days"),
]


@pytest.mark.parametrize(("operator", "wanted", "code"), REFUSED)
def b_G11_values_that_make_no_sense_are_refused(operator: str, wanted: JsonValue, code: str) -> None:
    condition = fact("it", operator, wanted)
    assert refusals(condition) == [("matchers[0].value", code)]
    assert is_broken(condition, request(attributes={"it": "x"}))


def b_G11_case_is_ignored_only_where_a_row_says_so() -> None:
    assert not holds(row("model", "equals", "QWEN-MAX"), request(model="qwen-max"))
    assert holds(row("model", "equals", "QWEN-MAX", ignore_case=True), request(model="qwen-max"))
    assert holds(row("model", "in", ["QWEN-MAX"], ignore_case=True), request(model="qwen-max"))
    assert holds(row("model", "starts_with", "QWEN", ignore_case=True), request(model="qwen-max"))
    assert holds(row("message", "equals", "HELP"), request("help"))
    assert not holds(row("message", "equals", "HELP", ignore_case=False), request("help"))


def b_G11_normalising_is_a_choice_for_every_text() -> None:
    context = request(attributes={"plan": "ＰＲＥＭＩＵＭ "})
    assert not holds(fact("plan", "equals", "PREMIUM"), context)
    assert holds(fact("plan", "equals", "PREMIUM", normalise=True), context)
    assert not holds(fact("plan", "equals", "premium", normalise=True), context)


def b_G11_what_is_always_text_is_compared_with_text() -> None:
    assert refusals(row("account_id", "equals", 1001)) == [("matchers[0].value", "text_needed")]
    assert holds(row("account_id", "equals", "1001"), request(account_id="1001"))


def b_G11_attributes_are_read_by_a_dotted_path() -> None:
    context = request(attributes={"user": {"plan": "premium"}, "a.b": "whole"})
    assert holds(fact("user.plan", "equals", "premium"), context)
    assert holds(fact("a.b", "equals", "whole"), context)
    assert not holds(fact("user.plan.name", "exists"), context)


def b_G11_percentage_chooses_the_same_accounts_every_time() -> None:
    accounts = [f"user-{number}" for number in range(2_000)]

    def chosen(group_percentage: float) -> set[str]:
        condition = row("account_id", "percentage", group_percentage)
        return {account for account in accounts if holds(condition, request(account_id=account))}

    assert chosen(0) == set()
    assert chosen(100) == set(accounts)
    assert chosen(10) < chosen(30)
    assert 500 < len(chosen(30)) < 700
    assert chosen(30) == chosen(30)


def b_G11_percentage_is_the_documented_hash_of_group_and_account() -> None:
    assert choose_bucket("order", "user-1001") == 4018
    assert choose_bucket("weather", "user-1001") != choose_bucket("order", "user-1001")


def b_G11_percentage_without_account_is_a_missing_value() -> None:
    assert not holds(row("account_id", "percentage", 100), request())
    assert holds(row("account_id", "percentage", 100, negate=True), request())


def at(hour: int, minute: int = 0, day: int = 2) -> datetime:
    """A time of the week that begins on Monday, 2 March 2026, in UTC."""
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


def b_G11_between_times_includes_the_start_and_not_the_end() -> None:
    condition = row("time", "between_times", {"from": "09:00", "to": "18:00"})
    assert holds(condition, request(now=at(9)))
    assert holds(condition, request(now=at(17, 59)))
    assert not holds(condition, request(now=at(18)))
    assert not holds(condition, request(now=at(8, 59)))


def b_G11_between_times_is_meant_in_its_zone() -> None:
    condition = row("time", "between_times", {"from": "9:00", "to": "18:00", "zone": "Asia/Shanghai"})
    assert holds(condition, request(now=at(1)))
    assert not holds(condition, request(now=at(10)))


def b_G11_between_times_goes_over_midnight() -> None:
    friday_night: dict[str, JsonValue] = {"from": "22:00", "to": "06:00", "days": [5]}
    condition = row("time", "between_times", friday_night)
    assert holds(condition, request(now=at(23, day=6)))
    assert holds(condition, request(now=at(5, 59, day=7)))
    assert not holds(condition, request(now=at(5, day=6)))
    assert not holds(condition, request(now=at(6, day=7)))
    assert not holds(condition, request(now=at(23, day=7)))
    sunday_night = row("time", "between_times", {**friday_night, "days": [7]})
    assert holds(sunday_night, request(now=at(1, day=9)))


def b_G11_between_times_knows_days_of_the_week_and_whole_days() -> None:
    weekend = row("time", "between_times", {"from": "00:00", "to": "24:00", "days": [6, 7]})
    assert not holds(weekend, request(now=at(12, day=6)))
    assert holds(weekend, request(now=at(23, 59, day=8)))


def b_G11_between_times_reads_dates_in_attributes() -> None:
    condition = fact("at", "between_times", {"from": "09:00", "to": "18:00", "zone": "Asia/Shanghai"})
    assert holds(condition, request(attributes={"at": "2026-03-02T01:30:00Z"}))
    assert holds(condition, request(attributes={"at": "2026-03-02T09:30:00"}))
    assert not holds(condition, request(attributes={"at": "2026-03-02T10:30:00Z"}))


def b_G11_the_time_can_be_compared_with_a_date() -> None:
    condition = row("time", "greater_than", "2026-03-01")
    assert holds(condition, request(now=at(0, 1)))
    assert not holds(row("time", "greater_than", "2026-03-03"), request(now=at(23)))
    assert refusals(row("time", "greater_than", 5)) == [("matchers[0].value", "date_needed")]
