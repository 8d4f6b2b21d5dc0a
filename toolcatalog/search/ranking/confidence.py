"""How sure it is that anything fits: what decides between an answer and "nothing fits" (S4).

    confidence = 0.45 score + 0.4 information + 0.15 name, of the tool that meets most of the query

where `score` is the share of the query, by rarity, that it meets in the best place, `information` what it meets in
words, as a multiple of what is required at all (four times or more: 1), and `name` the share of its name that the
query speaks of. A threshold on this tells more questions without an answer from those with one than a threshold on the
score alone does (measured: docs/search.md, "When nothing fits"; `evaluate_search --abstention` measures it again).
"""

from __future__ import annotations

from collections.abc import Iterable

from toolcatalog.contract.catalog import Caution

from .fusion import Candidate, cover_name, weigh_speech
from .plan import SearchPlan
from .query import Asked

ENOUGH_INFORMATION = 4
THRESHOLDS = {Caution.OFF: 0.0, Caution.NORMAL: 0.165, Caution.STRICT: 0.245}
"""Below these, lexical search answers with nothing."""

_SCORE, _INFORMATION, _NAME = 0.45, 0.4, 0.15


def measure_confidence(asked: Asked, plan: SearchPlan, candidates: Iterable[Candidate]) -> float:
    """From 0 (nothing was found) to 1."""
    best = max(candidates, key=lambda each: (each.score, each.information, -each.tool_id), default=None)
    if best is None or not plan.whole.ceiling:
        return 0.0
    score = min(1.0, best.score / plan.whole.ceiling)
    needed = ENOUGH_INFORMATION * plan.whole.required
    information = min(1.0, best.information / needed) if needed else 1.0
    return _SCORE * score + _INFORMATION * information + _NAME * cover_name(best.name, weigh_speech(asked))
