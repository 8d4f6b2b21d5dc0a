"""How well a search tells questions that nothing answers from those that something does, at every threshold.

Each question is asked twice: of the whole catalog, and with the tools that answer it taken out, so that nothing right
is left. A signal (how sure the search is, or how high its best score) below the threshold means "nothing fits". A
threshold costs answerable questions that are lost, and wins unanswerable ones that are recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .metrics import mean

LOST_SHARES = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1)


@dataclass(frozen=True, slots=True)
class Signal:
    """What a search said of one question: how sure it was, and its best score (0 where it found nothing)."""

    confidence: float
    score: float


@dataclass(frozen=True, slots=True)
class Trial:
    """One question, answered with everything there, and with the right tools taken out."""

    answerable: Signal
    unanswerable: Signal


@dataclass(frozen=True, slots=True)
class Point:
    """At this threshold this share of answerable questions is lost, and this share of unanswerable ones recognised."""

    threshold: float
    lost: float
    recognised: float


def measure_point(pairs: Sequence[tuple[float, float]], threshold: float) -> Point:
    """What a threshold does on pairs of (signal with the right tools there, signal without them)."""
    return Point(
        threshold,
        mean([float(present < threshold) for present, _ in pairs]),
        mean([float(absent < threshold) for _, absent in pairs]),
    )


def trace_curve(pairs: Sequence[tuple[float, float]], shares: Iterable[float] = LOST_SHARES) -> list[Point]:
    """For each share, the highest threshold that loses no more of the answerable questions than that."""
    present = sorted(signal for signal, _ in pairs)
    if not present:
        return []
    return [measure_point(pairs, present[min(len(present) - 1, int(share * len(present)))]) for share in shares]


def confidences(trials: Iterable[Trial]) -> list[tuple[float, float]]:
    """How sure the search was."""
    return [(trial.answerable.confidence, trial.unanswerable.confidence) for trial in trials]


def scores(trials: Iterable[Trial]) -> list[tuple[float, float]]:
    """The best score: what a plain score threshold goes by."""
    return [(trial.answerable.score, trial.unanswerable.score) for trial in trials]
