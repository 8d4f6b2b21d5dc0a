"""Measuring a provider on questions whose answers are known, through the same code as every search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from .metrics import mean, ndcg_at, percentile, recall_at, reciprocal_rank_at

PLACES = 10
RECALL_PLACES = (1, 3, 5, 10)

Search = Callable[[str, int], Sequence[str]]
"""Answers at most so many tool names to a query, best first."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the names of the tools that should be found."""

    query: str
    relevant: Collection[str]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one query brought, and how long it took."""

    question: Question
    ranked: Sequence[str]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Means over all queries; `zero_result_rate` is the share of queries that found nothing."""

    recall: Mapping[int, float]
    ndcg: float
    mrr: float
    zero_result_rate: float
    p50_ms: float
    p95_ms: float
    queries: int
    tools: int

    def as_json(self) -> dict[str, float | int]:
        """The figures under the names that the command's JSON has."""
        return {
            **{f"recall@{places}": round(value, 4) for places, value in self.recall.items()},
            f"ndcg@{PLACES}": round(self.ndcg, 4),
            f"mrr@{PLACES}": round(self.mrr, 4),
            "zero_result_rate": round(self.zero_result_rate, 4),
            "p50_ms": round(self.p50_ms, 2),
            "p95_ms": round(self.p95_ms, 2),
            "queries": self.queries,
            "tools": self.tools,
        }


def evaluate(search: Search, questions: Sequence[Question], *, tools: int) -> Evaluation:
    """Ask every question once, and judge the first `PLACES` answers. Questions without a relevant tool are left out.

    `tools` is the size of the catalog, for the report.
    """
    return summarise([ask(search, question) for question in questions if question.relevant], tools=tools)


def ask(search: Search, question: Question) -> Judgement:
    """Ask one question."""
    started = perf_counter()
    ranked = search(question.query, PLACES)
    return Judgement(question, ranked, (perf_counter() - started) * 1000)


def summarise(judgements: Sequence[Judgement], *, tools: int) -> Evaluation:
    """The means over all queries."""
    pairs = [(judgement.ranked, judgement.question.relevant) for judgement in judgements]
    times = [judgement.milliseconds for judgement in judgements]
    return Evaluation(
        recall={places: mean([recall_at(*pair, places) for pair in pairs]) for places in RECALL_PLACES},
        ndcg=mean([ndcg_at(*pair, PLACES) for pair in pairs]),
        mrr=mean([reciprocal_rank_at(*pair, PLACES) for pair in pairs]),
        zero_result_rate=mean([0.0 if ranked else 1.0 for ranked, _ in pairs]),
        p50_ms=percentile(times, 0.5),
        p95_ms=percentile(times, 0.95),
        queries=len(pairs),
        tools=tools,
    )
