"""The metrics, on examples worked out by hand, and the command that prints them."""

from __future__ import annotations

import json
from io import StringIO
from math import log2
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from toolcatalog.curation import create_tenant
from toolcatalog.management.trial import trial_tenant
from toolcatalog.models import Tenant
from toolcatalog.models.search import SearchEntry, SearchTerm
from toolcatalog.search.calibration import Point, measure_point, trace_curve
from toolcatalog.search.comparison import compare
from toolcatalog.search.evaluation import Judgement, Question, evaluate
from toolcatalog.search.metrics import mean, ndcg_at, percentile, recall_at, reciprocal_rank_at

KEYS = [
    "recall@1", "recall@3", "recall@5", "recall@10", "ndcg@10", "mrr@10", "zero_result_rate", "p50_ms", "p95_ms",
    "queries", "tools",
]  # fmt: skip
TOOLS: list[dict[str, Any]] = [
    {"name": "getWeather", "description": "查询天气", "parameters": {"type": "object", "properties": {}}},
    {"name": "send mail!", "description": "Sends a letter", "category": "", "tags": []},
    {"name": "send_mail", "description": "Sends a parcel", "category": "post", "tags": ["post"]},
    {"name": "toolSearch", "description": "Looks for hammers", "keywords": {"en": ["pliers"]}},
]


def test_recall__two_of_three_in_the_first_five__two_thirds() -> None:
    assert recall_at(["x", "a", "y", "z", "b", "c"], ["a", "b", "c"], 5) == pytest.approx(2 / 3)


def test_ndcg__hits_at_places_two_and_three__as_by_hand() -> None:
    best = 1 + 1 / log2(3)
    assert ndcg_at(["x", "a", "b"], {"a", "b"}, 10) == pytest.approx((1 / log2(3) + 1 / 2) / best)


@pytest.mark.parametrize(
    ("ranked", "relevant", "value"),
    [
        (["a"], {"a"}, 1.0),
        (["x", "a"], {"a"}, 1 / log2(3)),
        (["x"], {"a"}, 0),
        ([], {"a"}, 0),
        (["a", "b"], {"b", "a"}, 1),
    ],
)
def test_ndcg__small_rankings__as_by_hand(ranked: list[str], relevant: set[str], value: float) -> None:
    assert ndcg_at(ranked, relevant, 10) == pytest.approx(value)


def test_ndcg__more_relevant_than_places__the_best_order_fills_the_places() -> None:
    assert ndcg_at(["a"], {"a", "b", "c"}, 1) == 1.0


@pytest.mark.parametrize(("ranked", "value"), [(["a"], 1.0), (["x", "y", "a"], 1 / 3), (["x", "y", "z", "a"], 0.0)])
def test_reciprocal_rank__in_the_first_three__as_by_hand(ranked: list[str], value: float) -> None:
    assert reciprocal_rank_at(ranked, ["a"], 3) == pytest.approx(value)


@pytest.mark.parametrize(("share", "value"), [(0.5, 2.0), (0.95, 4.0), (0.25, 1.0), (1.0, 4.0), (0.0, 1.0)])
def test_percentile__four_values__nearest_rank(share: float, value: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == value


def test_means__of_nothing__are_zero() -> None:
    assert (mean([]), percentile([], 0.5)) == (0.0, 0.0)


def test_evaluate__three_questions__means_of_their_figures() -> None:
    answers = {"one": ["a", "x"], "two": ["x", "b"], "three": []}
    questions = [Question("one", {"a"}), Question("two", {"b", "c"}), Question("three", {"a"}), Question("none", ())]
    report = evaluate(lambda query, places: answers[query][:places], questions, tools=9).as_json()
    assert list(report) == KEYS
    assert report["recall@1"] == pytest.approx(1 / 3, abs=1e-4)
    assert report["recall@3"] == report["recall@10"] == pytest.approx((1 + 0.5) / 3, abs=1e-4)
    assert report["mrr@10"] == pytest.approx((1 + 0.5) / 3, abs=1e-4)
    assert report["zero_result_rate"] == pytest.approx(1 / 3, abs=1e-4)
    assert (report["queries"], report["tools"]) == (3, 9)


@pytest.mark.django_db
@pytest.mark.parametrize("provider", ["memory", "postgres"])
def test_trial_tenant__names_that_the_catalog_refuses__answered_as_given(provider: str) -> None:
    with trial_tenant(TOOLS, provider) as tenant:
        assert tenant.search("查询天气", 10) == ["getWeather"]
        assert set(tenant.search("send", 10)) == {"send mail!", "send_mail"}
        assert tenant.search("letter", 10) == ["send mail!"]
        assert tenant.search("pliers", 10) == ["toolSearch"]
        assert tenant.search("send_mail", 10)[0] == "send_mail"
        assert tenant.search("...", 10) == []
        assert tenant.refused == ()


def write_lines(path: Path, rows: list[Any]) -> str:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def run(folder: Path, *options: str, tools: list[Any] = TOOLS, questions: list[Any] | None = None) -> str:
    if questions is None:
        questions = [{"query": "天气", "relevant": ["getWeather"]}, {"query": "letter", "relevant": ["send mail!"]}]
    output = StringIO()
    call_command(
        "evaluate_search",
        "--tools",
        write_lines(folder / "tools.jsonl", tools),
        "--queries",
        write_lines(folder / "queries.jsonl", questions),
        *options,
        stdout=output,
    )
    return output.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("provider", ["postgres", "memory"])
def test_evaluate_search__json__all_figures_and_nothing_left_behind(tmp_path: Path, provider: str) -> None:
    report = json.loads(run(tmp_path, "--json", "--provider", provider))
    assert list(report) == KEYS
    assert (report["recall@1"], report["zero_result_rate"], report["queries"], report["tools"]) == (1.0, 0.0, 2, 4)
    assert not SearchEntry.objects.exists()
    assert not SearchTerm.objects.exists()
    assert not Tenant.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_trial_tenant__while_it_lasts__edits_of_others_do_not_wait() -> None:
    with trial_tenant(TOOLS, "postgres") as tenant:
        create_in_another_thread = Thread(target=_create_tenant)
        create_in_another_thread.start()
        create_in_another_thread.join()
        assert list(Tenant.objects.exclude(pk=tenant.tenant.pk).values_list("slug", flat=True)) == ["meanwhile"]
        assert tenant.search("letter", 10) == ["send mail!"]
    assert list(Tenant.objects.values_list("slug", flat=True)) == ["meanwhile"]


def _create_tenant() -> None:
    """Where the edit waited, the lock timeout of its session would end it."""
    try:
        create_tenant("meanwhile")
    finally:
        connections.close_all()


@pytest.mark.django_db
def test_evaluate_search__no_json__one_line_a_figure(tmp_path: Path) -> None:
    assert [line.split()[0] for line in run(tmp_path).splitlines()] == KEYS


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"tools": [{"description": "nameless"}]}, "name"),
        ({"tools": ["text"]}, "line 1"),
        ({"questions": [{"query": "x"}]}, "relevant"),
        ({"questions": [{"query": 1, "relevant": []}]}, "query"),
    ],
)
def test_evaluate_search__files_that_make_no_sense__say_so(
    tmp_path: Path, arguments: dict[str, list[Any]], word: str
) -> None:
    with pytest.raises(CommandError, match=word):
        run(tmp_path, **arguments)


@pytest.mark.django_db
def test_evaluate_search__no_such_provider__names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="postgres"):
        run(tmp_path, "--provider", "elastic")


@pytest.mark.django_db
def test_evaluate_search__a_folder__a_row_for_each_set_and_the_mean(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_lines(tmp_path / name / "tools.jsonl", TOOLS)
        write_lines(tmp_path / name / "queries.jsonl", [{"query": "天气", "relevant": ["getWeather"]}])
    output = StringIO()
    call_command("evaluate_search", "--folder", str(tmp_path), stdout=output)
    assert [line.split()[0] for line in output.getvalue().splitlines()[1:]] == ["one", "two", "mean"]
    output = StringIO()
    call_command("evaluate_search", "--folder", str(tmp_path), "--json", stdout=output)
    report = json.loads(output.getvalue())
    assert list(report["sets"]) == ["one", "two"]
    assert report["mean"]["recall@1"] == 1.0


@pytest.mark.django_db
def test_evaluate_search__against_another_and_abstention__told(tmp_path: Path) -> None:
    text = run(tmp_path, "--against", "memory", "--abstention")
    assert "nDCG +0.0000" in text
    assert "recognised" in text
    report = json.loads(run(tmp_path, "--against", "memory", "--abstention", "--json"))
    assert report["comparison"]["better"] == report["comparison"]["worse"] == 0
    assert report["abstention"]["confidence"][0]["lost"] == 0


def test_compare__one_question_better_one_worse__worst_first_and_zero_within() -> None:
    questions = [Question(str(number), {"a"}) for number in range(4)]
    before = [
        Judgement(question, found, 0) for question, found in zip(questions, [["a"], ["x"], ["a"], []], strict=True)
    ]
    after = [
        Judgement(question, found, 0) for question, found in zip(questions, [["x"], ["a"], ["a"], []], strict=True)
    ]
    comparison = compare(before, after)
    assert (comparison.better, comparison.worse, comparison.difference) == (1, 1, 0)
    assert [change.query for change in comparison.changes] == ["0", "1"]
    assert comparison.lowest < 0 < comparison.highest


def test_calibration__thresholds__as_by_hand() -> None:
    pairs = [(0.9, 0.1), (0.5, 0.4), (0.3, 0.2), (0.2, 0.2)]
    assert measure_point(pairs, 0.25) == Point(0.25, 0.25, 0.75)
    assert trace_curve(pairs, [0.0, 0.25]) == [Point(0.2, 0.0, 0.25), Point(0.3, 0.25, 0.75)]
    assert trace_curve([]) == []
