"""Whether one way of searching is better than another, judged on the same questions pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from .evaluation import PLACES, Judgement
from .metrics import mean, ndcg_at

RESAMPLES = 2_000
_SEED = 20
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Change:
    """A question that the two answer differently well, with what each found first."""

    query: str
    before: float
    after: float
    found_before: Sequence[str]
    found_after: Sequence[str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean difference of nDCG (after less before), the interval that holds it in 95 of 100 resamples, and changes.

    The interval is the percentile bootstrap's (Efron and Tibshirani, "An Introduction to the Bootstrap", chapter 13).
    """

    difference: float
    lowest: float
    highest: float
    better: int
    worse: int
    changes: Sequence[Change]

    def as_json(self) -> dict[str, float | int]:
        """The figures, without the single questions."""
        return {
            "difference": round(self.difference, 4),
            "lowest": round(self.lowest, 4),
            "highest": round(self.highest, 4),
            "better": self.better,
            "worse": self.worse,
        }


def compare(before: Sequence[Judgement], after: Sequence[Judgement]) -> Comparison:
    """Compare two answers to the same questions, in the same order; changes come worst first."""
    changes = [_change(*pair) for pair in zip(before, after, strict=True)]
    differences = [change.after - change.before for change in changes]
    lowest, highest = _resample(differences)
    changed = sorted((each for each in changes if each.after != each.before), key=lambda each: each.after - each.before)
    better = sum(each.after > each.before for each in changed)
    return Comparison(mean(differences), lowest, highest, better, len(changed) - better, changed)


def _change(before: Judgement, after: Judgement) -> Change:
    relevant = before.question.relevant
    return Change(
        before.question.query,
        ndcg_at(before.ranked, relevant, PLACES),
        ndcg_at(after.ranked, relevant, PLACES),
        before.ranked[:3],
        after.ranked[:3],
    )


def _resample(differences: Sequence[float]) -> tuple[float, float]:
    if not differences:
        return 0.0, 0.0
    random = Random(_SEED)  # noqa: S311 (no secret: the same interval each time)
    means = sorted(mean(random.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    tail = round((1 - _LEVEL) / 2 * RESAMPLES)
    return means[tail], means[-tail - 1]
