"""G10: patterns. Reliability R1 to R6, R11, R12: linear time, Java's dialect, what is refused and how it is said."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import toolcatalog.matchers
from tests.matchers.builders import holds, is_broken, refusals, request, row, rules
from toolcatalog.contract.matching import MatcherRow
from toolcatalog.matchers import check_rules
from toolcatalog.matchers.patterns import compile_pattern

SAMPLE = "(?i)(订单|快递|物流).*(查询|状态|到哪)"


def pattern(written: str, **parts: object) -> MatcherRow:
    return row("message", "matches_regex", written, **parts)


def b_G10_a_pattern_is_found_anywhere() -> None:
    assert holds(pattern(SAMPLE), request("请问我的订单现在到哪了？"))
    assert not holds(pattern(SAMPLE), request("到哪了，我的订单"))
    assert not holds(pattern("^订单"), request("我的订单"))


def b_G10_letter_case_counts_unless_the_pattern_or_the_row_says_otherwise() -> None:
    assert not holds(pattern("order"), request("ORDER"))
    assert holds(pattern("(?i)order"), request("ORDER"))
    assert holds(pattern("order|x", ignore_case=True), request("ORDER"))


def b_G10_raw_text_is_matched_unless_normalise_is_ticked() -> None:
    assert not holds(pattern("order"), request("ｏｒｄｅｒ"))
    assert holds(pattern("order", normalise=True), request("ｏｒｄｅｒ"))
    assert not holds(pattern("order", normalise=True), request("ＯＲＤＥＲ"))
    assert holds(pattern("订单", normalise=True), request("订\u200b单"))


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n", "\x85", "\u2028", "\u2029"])
def b_G10_line_ends_become_lf_and_a_final_one_is_dropped(line_end: str) -> None:
    assert holds(pattern("状态$"), request(f"状态{line_end}"))
    assert not holds(pattern("a.b"), request(f"a{line_end}b"))
    assert holds(pattern(r"a\nb"), request(f"a{line_end}b"))
    assert holds(pattern(r"a\r\nb"), request(f"a{line_end}b"))
    assert holds(pattern(r"a\Rb"), request(f"a{line_end}b"))


@pytest.mark.parametrize("written", ["", "  ", "\n"])
def rel_R11_an_empty_pattern_is_refused(written: str) -> None:
    assert refusals(pattern(written)) == [("matchers[0].value", "empty_pattern")]
    assert is_broken(pattern(written), request("anything"))


def rel_R6_a_pattern_of_more_than_500_characters_is_refused() -> None:
    assert refusals(pattern("订" * 500)) == []
    assert refusals(pattern("订" * 501)) == [("matchers[0].value", "pattern_too_long")]
    assert is_broken(pattern("订" * 501), request("订" * 600))


def rel_R4_a_range_of_escapes_saves_and_matches() -> None:
    condition = pattern(r"[\u4e00-\u9fa5]+")
    assert refusals(condition) == []
    assert holds(condition, request("abc 订单"))
    assert not holds(condition, request("abc"))


TRANSLATED = [
    (r"\u8ba2\u5355", "订单", "定单"),
    (r"\uD83D\uDE00", "😀", "😁"),
    (r"\u{1F600}", "😀", "😁"),
    (r"\p{IsHan}", "订", "a"),
    (r"\p{script=Han}", "订", "a"),
    (r"\p{sc=HAN}", "订", "a"),
    (r"[^\p{IsHan}]", "a", "订"),
    (r"\P{IsHan}", "a", "订"),
    (r"\p{gc=Lu}", "É", "é"),
    (r"\p{Alpha}", "a", "订"),
    (r"[\p{Digit}_]", "_", "a"),
    (r"状态\Z", "状态\n", "状态了"),
    (r"a\hb", "a\u3000b", "a\nb"),
    (r"a[\h]b", "a\u00a0b", "ab"),
    (r"a\Hb", "axb", "a b"),
    (r"a\vb", "a\x0bb", "a b"),
    ("(?u)a", "a", "A"),
    ("(?iu)a", "A", "b"),
    ("(?u:a)b", "ab", "b"),
    ("(?<number>a)", "a", "b"),
    (r"\Qa.b[\E]", "a.b[]", "axb[]"),
    (r"[\Q]^\E]", "^", "a"),
    (r"\x41\x{42}", "AB", "41"),
    (r"\0101", "A", "1"),
    (r"\cI", "\t", "I"),
    (r"\e", "\x1b", "e"),
    ("[[:alpha:]]", "a", "订"),
    ("a{,3}", "a{,3}", "aaa"),
    ("[]a]", "]", "b"),
    (r"(?s)a.b", "a\nb", "ab"),
    (r"(?m)^b$", "a\nb\nc", "ab"),
    (r"&&", "a && b", "a & b"),
    (r"[a\&&]", "&", "b"),
]


@pytest.mark.parametrize(("written", "hit", "miss"), TRANSLATED)
def rel_R3_java_syntax_is_translated(written: str, hit: str, miss: str) -> None:
    assert refusals(pattern(written)) == []
    assert holds(pattern(written), request(f"-{hit}" if written != "(?m)^b$" else hit))
    assert not holds(pattern(written), request(miss))


MAPPED = [
    ("search, not a whole match", "单", "订单号", True),
    ("\\w is ASCII", r"^\w+$", "é", False),
    ("\\d is ASCII", r"\d", "٣", False),
    ("\\s is ASCII", r"\s", "a\u3000b", False),
    ("(?i) folds Latin", "(?i)ORDER", "order", True),
    ("(?i) folds full width too", "(?i)ａ", "Ａ", True),
    ("(?i) folds Greek too", "(?i)σ", "Σ", True),
    ("\\b stands beside Chinese", r"\border\b", "查order单", True),
    ("\\b does not stand in a word", r"\border\b", "border", False),
    ("the dot stops at a line end", "a.b", "a\u2028b", False),
    ("$ is the end of the text", "a$", "a\nb", False),
]


@pytest.mark.parametrize(("written", "text", "found"), [case[1:] for case in MAPPED], ids=[case[0] for case in MAPPED])
def rel_R3_patterns_mean_what_the_table_says(written: str, text: str, found: bool) -> None:
    assert holds(pattern(written), request(text)) is found


REFUSED = [
    ("订单(?=号)", "lookaround", "two conditions"),
    ("订单(?!号)", "lookaround", "not"),
    ("(?<=我的)订单", "lookaround", "two conditions"),
    ("(?<!我的)订单", "lookaround", "not"),
    (r"(a)\1", "backreference", "alternatives"),
    (r"(?<n>a)\k<n>", "backreference", "alternatives"),
    ("(?P<n>a)(?P=n)", "backreference", "alternatives"),
    ("a*+", "possessive", "Leave it out"),
    ("a++", "possessive", "Leave it out"),
    ("a?+", "possessive", "Leave it out"),
    ("a{2,3}+", "possessive", "Leave it out"),
    ("(?>a)", "atomic", "(?:…)"),
    ("[a-z&&[^b]]", "intersection", "[ac-z]"),
    ("[[a-z]&&[^b]]", "intersection", "[ac-z]"),
    ("[a-z&&b]", "intersection", "[ac-z]"),
    ("[a[bc]]", "nested_class", "one pair"),
    ("(?x) a b", "comment_mode", "Remove it"),
    ("(?ix)a", "comment_mode", "Remove it"),
    ("(?U)a", "unknown_flag", "i, m and s"),
    ("(?#note)a", "unknown_group", "(?:…)"),
    (r"\Ga", "unknown_escape", "Write the characters"),
    ("a{1001}", "repeat_too_large", "1000"),
    ("(a{500}){500}", "bad_pattern", "1000"),
    (r"\ud83d", "bad_pattern", "half"),
    (r"\u12", "bad_pattern", "hexadecimal"),
    ("(a", "bad_pattern", "Close it"),
    ("a)", "bad_pattern", "“(”"),
    ("[a", "bad_pattern", "Close it"),
    ("*a", "bad_pattern", "nothing to repeat"),
    ("a**", "bad_pattern", "Keep one"),
    ("[z-a]", "bad_pattern", "range"),
    (r"\p{Foo}", "bad_pattern", r"\p{Han}"),
    (r"\y", "bad_pattern", "Remove the backslash"),
    ("a\\", "bad_pattern", "backslash"),
]


@pytest.mark.parametrize(("written", "code", "advice"), REFUSED)
def rel_R5_what_the_engine_lacks_is_refused_with_another_way(written: str, code: str, advice: str) -> None:
    (error,) = check_rules(rules("group", pattern(written)))
    assert (error.path, error.code) == ("matchers[0].value", code)
    assert advice in error.message


@pytest.mark.parametrize(("written", "code", "advice"), REFUSED)
def rel_R10_a_refused_pattern_that_is_stored_anyway_never_matches(written: str, code: str, advice: str) -> None:
    for negate in (False, True):
        assert is_broken(pattern(written, negate=negate), request("aa 订单号"))


def test_check__pattern_is_no_text__refused() -> None:
    assert refusals(row("message", "matches_regex", 5)) == [("matchers[0].value", "text_needed")]


def test_check__python_would_read_it_otherwise__engine_is_re2() -> None:
    assert type(compile_pattern("a", ignore_case=False, normalise=False).compiled).__module__ == "re2"


HOSTILE = """
from datetime import UTC, datetime
from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.matching import GroupRules, MatcherRow
from toolcatalog.matchers import compile_rules

sample = "(?i)(订单|快递|物流).*(查询|状态|到哪)"
patterns = [sample, r"(a+)+$", r"(x+x+)+y", r"^(\\w+\\s?)*$", r"^(?:[\\s\\S]*)*\\x00"]
texts = ["订单" * 32_000, "a" * 63_000 + "!", "x" * 63_000, "word " * 12_000 + "!", "a" * 900 + "!"]
rows = [MatcherRow("message", "matches_regex", pattern) for pattern in patterns]
book = compile_rules(GroupRules(str(index), "rules", (row,)) for index, row in enumerate(rows))
for text in texts:
    outcomes = book.evaluate(EvaluationContext(tenant="acme", now=datetime.now(UTC), message=text))
    print("".join("01"[outcome.matched] for outcome in outcomes))
"""


def rel_R1_R2_patterns_that_stop_other_engines_are_answered() -> None:
    """With an engine that tries out combinations, each of these takes longer than the life of the process."""
    answer = subprocess.run(  # the limit is a hundred times what it takes
        [sys.executable, "-c", HOSTILE], capture_output=True, text=True, timeout=60, check=True
    )
    assert answer.stdout.split() == ["00000", "00000", "00010", "00000", "00000"]


def case_S25_a_costly_pattern_may_be_saved_since_it_costs_nothing_here() -> None:
    assert refusals(pattern(r"^(?:[\s\S]*)*\x00")) == []
    assert refusals(pattern("(a+)+$")) == []


def rel_R12_no_module_of_the_matchers_imports_another_engine() -> None:
    folder = Path(toolcatalog.matchers.__file__).parent
    files = [*folder.rglob("*.py"), *(folder.parent / "contract").rglob("*.py")]
    assert len(files) > 20
    for file in files:
        tree = ast.parse(file.read_text())
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert imported.isdisjoint({"re", "regex", "fnmatch"}), file
