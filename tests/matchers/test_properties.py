"""What holds for all rules and all requests."""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.matchers.builders import MONDAY_NOON, NO_PLUGINS, row
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.json import JsonObject, JsonValue
from toolcatalog.contract.matching import GroupOutcome, GroupRules, MatcherRow, Operator, Source
from toolcatalog.contract.reasons import Reason
from toolcatalog.matchers import (
    check_rules,
    compile_group,
    compile_rules,
    describe_rules,
    evaluate_groups,
    has_access_conditions,
    lint_rules,
)
from toolcatalog.matchers.operators.keywords import prepare_keyword
from toolcatalog.matchers.pattern_index import CHUNK_SIZE, SET_TEXT_LIMIT, build_index
from toolcatalog.matchers.patterns import compile_pattern
from toolcatalog.matchers.problems import BrokenCondition
from toolcatalog.matchers.subject import Subject, TextForm
from toolcatalog.text import normalise_text


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    logger = logging.getLogger("toolcatalog.matchers")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(level)


words = st.sampled_from(
    ["订单", "物流", "order", "Ｏrder", "a", "", " ", "premium", "5", "true", "g0", "g1", "(a|订)+"]
)
dates = st.sampled_from(["2026-01-31", "2026-03-02T12:00:00+08:00", "2026-13-01"])
scalars = st.one_of(words, dates, st.booleans(), st.integers(-3, 3), st.floats(allow_nan=False), st.none(), st.text())
times = st.fixed_dictionaries(
    {"from": st.sampled_from(["09:00", "22:00", "x"]), "to": st.sampled_from(["06:00", "18:00"])},
    optional={"zone": st.sampled_from(["Asia/Shanghai", "Nowhere"]), "days": st.lists(st.integers(0, 8))},
)
values: st.SearchStrategy[JsonValue] = st.one_of(scalars, st.lists(scalars, max_size=3), times)
rows = st.builds(
    MatcherRow,
    source=st.one_of(st.sampled_from(list(Source)), st.just("nowhere")),
    operator=st.one_of(st.sampled_from(list(Operator)), st.just("nothing")),
    value=values,
    attribute=st.sampled_from(["", "plan", "user.plan", "missing"]),
    condition_set=st.integers(1, 2),
    negate=st.booleans(),
    ignore_case=st.none() | st.booleans(),
    whole_word=st.booleans(),
    normalise=st.none() | st.booleans(),
)
attributes: st.SearchStrategy[JsonObject] = st.fixed_dictionaries(
    {}, optional={"plan": values, "user": st.fixed_dictionaries({}, optional={"plan": values})}
)
contexts = st.builds(
    EvaluationContext,
    tenant=st.just("acme"),
    now=st.just(MONDAY_NOON),
    message=st.one_of(st.none(), words, st.text(), st.text("订单物流order \n", min_size=300, max_size=400)),
    model=st.none() | words,
    account_id=st.none() | words,
    attributes=attributes,
)
groups_of_rules = st.lists(
    st.tuples(
        st.sampled_from(["g0", "g1", "g2", "g3"]),
        st.sampled_from(["always", "rules", "rules", "rules", "nobody"]),
        st.lists(rows, max_size=4).map(tuple),
        st.booleans(),
    ).map(lambda parts: GroupRules(parts[0], parts[1], parts[2], restricts_access=parts[3])),
    max_size=4,
)


def judge_by_loop(groups: list[GroupRules], context: EvaluationContext, *, explain: bool) -> tuple[GroupOutcome, ...]:
    compiled = [compile_group(group, matchers_registry=NO_PLUGINS) for group in groups]
    return evaluate_groups(compiled, context, explain=explain)


@given(groups_of_rules, contexts)
def test_evaluation__any_rules_and_request__never_raises_and_changes_nothing(
    groups: list[GroupRules], context: EvaluationContext
) -> None:
    before = copy.deepcopy((groups, context))
    outcomes = judge_by_loop(groups, context, explain=False)
    assert [outcome.name for outcome in outcomes] == [group.name for group in groups]
    assert (groups, context) == before


@given(groups_of_rules, contexts)
def test_evaluation__explained_or_not__same_outcome(groups: list[GroupRules], context: EvaluationContext) -> None:
    plain = judge_by_loop(groups, context, explain=False)
    explained = judge_by_loop(groups, context, explain=True)
    assert tuple(replace(outcome, condition_sets=()) for outcome in explained) == plain
    for outcome in explained:
        if outcome.condition_sets:
            assert outcome.matched is any(found.result for found in outcome.condition_sets)
            for found in outcome.condition_sets:
                assert found.result is all(matcher.result for matcher in found.matchers)


@given(groups_of_rules, contexts)
def test_evaluation__by_book_or_by_loop__same_outcome(groups: list[GroupRules], context: EvaluationContext) -> None:
    book = compile_rules(groups, matchers_registry=NO_PLUGINS)
    assert book.evaluate(context, explain=True) == judge_by_loop(groups, context, explain=True)


@given(groups_of_rules, contexts)
def test_evaluation__outcome__is_consistent(groups: list[GroupRules], context: EvaluationContext) -> None:
    for group, outcome in zip(groups, judge_by_loop(groups, context, explain=False), strict=True):
        assert outcome.access or not outcome.matched
        assert outcome.access or group.restricts_access
        assert (outcome.reason is Reason.TARGETING_MATCH) is outcome.matched
        if outcome.reason is Reason.ACCESS_RESTRICTED:
            assert not outcome.access
        if outcome.problems and not outcome.matched:
            assert outcome.reason is Reason.ERROR


@given(groups_of_rules, contexts, st.none() | words)
def test_access__another_message__same_access_unless_something_is_broken(
    groups: list[GroupRules], context: EvaluationContext, message: str | None
) -> None:
    one = judge_by_loop(groups, context, explain=False)
    other = judge_by_loop(groups, replace(context, message=message), explain=False)
    if not any(outcome.problems for outcome in (*one, *other)):
        assert [outcome.access for outcome in one] == [outcome.access for outcome in other]


@given(rows, contexts)
def test_negation__sound_row__is_the_exact_complement(condition: MatcherRow, context: EvaluationContext) -> None:
    negated = replace(condition, negate=not condition.negate)
    one, other = (
        judge_by_loop([GroupRules("g", "rules", (it,))], context, explain=False)[0] for it in (condition, negated)
    )
    no_text = condition.source == Source.MESSAGE and not (context.message or "").strip()
    assert one.problems == other.problems
    if one.problems or no_text:
        assert not one.matched
        assert not other.matched
    else:
        assert one.matched is not other.matched


@given(st.sampled_from([("equals", "not_equals"), ("in", "not_in")]), rows, contexts)
def test_negation__negated_operator__is_the_negation(
    pair: tuple[str, str], condition: MatcherRow, context: EvaluationContext
) -> None:
    one = replace(condition, operator=pair[0], negate=True)
    other = replace(condition, operator=pair[1], negate=False)
    outcomes = [judge_by_loop([GroupRules("g", "rules", (it,))], context, explain=False)[0] for it in (one, other)]
    assert outcomes[0].matched is outcomes[1].matched
    assert outcomes[0].reason is outcomes[1].reason


@given(groups_of_rules)
def test_check__refused_rows__are_those_that_are_broken(groups: list[GroupRules]) -> None:
    for group in groups:
        by_rows = replace(group, match="rules")
        refused = {error.path.partition(".")[0] for error in check_rules(by_rows) if error.code != "group_itself"}
        broken = [row for row in compile_group(by_rows).compiled_rows if row.problem]
        assert len(broken) == len(refused - {"matchers"})
        assert len(describe_rules(group)) >= min(1, len(group.rows))
        lint_rules(group, known_attributes=["plan"])
        has_access_conditions(group)


@given(st.text(), st.booleans())
def test_normalising__twice__is_once(text: str, fold_case: bool) -> None:
    once = normalise_text(text, fold_case=fold_case)
    assert normalise_text(once, fold_case=fold_case) == once


@given(st.text("iIİı̣̇́ſßｶﾞ\u200b\ufe0f 订a\u1160\uffa0ﬁ"))
def test_normalising__letters_that_compose__twice_is_once(text: str) -> None:
    assert normalise_text(normalise_text(text)) == normalise_text(text)


SYNTAX = [
    r"\u8ba2",
    r"\p{IsHan}",
    "(?i)",
    "(?:",
    "(",
    ")",
    "[",
    "]",
    "^",
    "$",
    "*",
    "+",
    "?",
    "{2}",
    "|",
    "\\",
    "&&",
    "a",
    "订",
]


@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(SYNTAX), max_size=12).map("".join)), st.text())
def test_patterns__anything_written__compiles_or_is_refused(written: str, text: str) -> None:
    try:
        pattern = compile_pattern(written, ignore_case=False, normalise=False)
    except BrokenCondition:
        event("refused")
    else:
        assert Subject(text).matches(pattern) in {True, False}


atoms = st.sampled_from(["订单", "物流", "状态", "a", "b", ".*", r"\d", "[ab]", "(a|订)", "^", "$", r"\b", "(?i)B"])
expressions = st.lists(atoms, min_size=1, max_size=5).map("".join)


@given(
    st.lists(st.tuples(expressions, st.booleans()), min_size=4, max_size=CHUNK_SIZE + 20),
    st.text("订单物流状态ab12 \nBé", max_size=60),
    st.sampled_from([1, SET_TEXT_LIMIT]),
)
@settings(max_examples=60)
def test_index__sets_and_loop__agree(written: list[tuple[str, bool]], text: str, repeats: int) -> None:
    patterns = [compile_pattern(one, ignore_case=False, normalise=normalise) for one, normalise in written]
    subject = Subject(text * repeats, build_index(patterns))
    lonely = Subject(text * repeats)
    assert [subject.matches(pattern) for pattern in patterns] == [lonely.matches(pattern) for pattern in patterns]


def test_index__set_too_large_for_re2__loop_answers() -> None:
    written = [rf"[\p{{Han}}\w]{{1,100}}{number}" for number in range(20)]
    patterns = [compile_pattern(one, ignore_case=False, normalise=False) for one in written]
    assert build_index(patterns).chunks == ()
    subject = Subject("订单7", build_index(patterns))
    assert [number for number, pattern in enumerate(patterns) if subject.matches(pattern)] == [7]


def test_index__set_without_its_sign_of_life__loop_answers() -> None:
    patterns = [compile_pattern(one, ignore_case=False, normalise=False) for one in ("a", "b", "c", "d")]
    (chunk,) = build_index(patterns).chunks
    exhausted = replace(chunk, compiled=Speechless())
    subject = Subject("a", replace(build_index(patterns), chunks=(exhausted,)))
    assert [subject.matches(pattern) for pattern in patterns] == [True, False, False, False]


class Speechless:
    """A set that ran out of memory: it reports no match at all, like the real one then does."""

    def Match(self, text: bytes) -> None:
        return None


@given(st.text("ab订单 ", min_size=1, max_size=5), st.text("abc订单物 ", min_size=200, max_size=400))
def test_keywords__long_text__found_exactly_where_python_finds_them(keyword: str, text: str) -> None:
    form = TextForm(normalise=False, ignore_case=False)
    assert prepare_keyword(keyword, whole_word=False).found_in(Subject(text), form) is (keyword in text)


def test_book__shared_by_threads__every_request_gets_its_own_answer() -> None:
    groups = [GroupRules(f"g{n}", "rules", (row("message", "matches_regex", f"订单{n}$"),)) for n in range(60)]
    book = compile_rules(groups, matchers_registry=NO_PLUGINS)

    def ask(number: int) -> list[str]:
        context = EvaluationContext(tenant="acme", now=MONDAY_NOON, message=f"查询订单{number % 60}")
        return [outcome.name for outcome in book.evaluate(context) if outcome.matched]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(480)))
    assert answers == [[f"g{number % 60}"] for number in range(480)]


def rel_R9_a_thousand_rules_are_asked_in_few_passes() -> None:
    """The work for a short message: one pass for each set, and none for a single pattern."""
    groups = [
        GroupRules(f"g{n}", "rules", (row("message", "matches_regex", f"(?i)(订单{n}|快递{n}).*(查询|状态)"),))
        for n in range(1_000)
    ]
    book = compile_rules(groups, matchers_registry=NO_PLUGINS)
    assert len(book.index.chunks) == 1_000 / CHUNK_SIZE
    answers = book.index.answer(lambda normalise: "订单7的状态".encode())
    keys = {row.pattern.key for group in book.groups for row in group.compiled_rows if row.pattern}
    assert keys == set(answers)
    context = EvaluationContext(tenant="acme", now=MONDAY_NOON, message="订单7的状态")
    assert [outcome.name for outcome in book.evaluate(context) if outcome.matched] == ["g7"]
