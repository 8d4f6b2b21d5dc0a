"""Words and meaning in one order: the surer the words are of this query, the more they count.

    order(t) = confidence * lexical order (see `ranking.fusion`; the best tool has about 1)
             + (1 - confidence) * cosine

`confidence` is that of the words (`ranking.confidence`): some 0.6 where they name what is wanted, 0.3 where a sentence
only hints at it. So meaning decides where no tool holds the query's words. The lexical part is relative to the best
tool of this query, the cosine is taken as it is. On eight public sets this beats every fixed share (docs/search.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolcatalog.search.ranking import NAME_WEIGHT, RankedTool

_BEST_SCORE = 0.99


@dataclass(frozen=True, slots=True)
class BlendedTool:
    """A tool in its place. `fields` is the bit set of those that held the query's words; 0: only its meaning fits."""

    tool_id: int
    name: str
    score: float
    fields: int


def blend(
    lexical: Iterable[RankedTool],
    confidence: float,
    similarities: Mapping[int, float],
    near: Iterable[tuple[int, str]],
) -> Sequence[BlendedTool]:
    """The tools that either side answers with, best first; ties by name, then by id.

    `confidence`, from 0 to 1, is how sure the words are.
    `similarities` are those of all tools that have a vector, `near` the tools that meaning alone makes an answer.
    """
    words = {tool.tool_id: tool for tool in lexical}
    names = {tool.tool_id: tool.name for tool in words.values()} | dict(near)
    best_order = confidence * (1 + NAME_WEIGHT) + (1 - confidence)
    blended = []
    for tool_id, name in names.items():
        word = words.get(tool_id)
        order = confidence * (word.order if word else 0.0)
        order += (1 - confidence) * max(0.0, similarities.get(tool_id, 0.0))
        blended.append(BlendedTool(tool_id, name, min(_BEST_SCORE, order / best_order), word.fields if word else 0))
    blended.sort(key=lambda tool: (-tool.score, tool.name, tool.tool_id))
    return blended
