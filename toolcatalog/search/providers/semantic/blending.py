"""Words and meaning in one order: half the lexical order, half the similarity of the vectors.

    order(t) = 0.5 * lexical order (see `ranking.fusion`; the best tool has about 1) + 0.5 * cosine

The lexical part is relative to the best tool of this query, but never relative to less than a tenth of what the query
could be met by, so that where no tool holds its words (another language) meaning decides. The cosine is taken as it
is. Weights were measured on eight public sets at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolcatalog.search.ranking import NAME_WEIGHT, RankedTool

LEXICAL_SHARE = 0.5
_BEST_ORDER = LEXICAL_SHARE * (1 + NAME_WEIGHT) + (1 - LEXICAL_SHARE)
_BEST_SCORE = 0.99


@dataclass(frozen=True, slots=True)
class BlendedTool:
    """A tool in its place. `fields` is the bit set of those that held the query's words; 0: only its meaning fits."""

    tool_id: int
    name: str
    score: float
    fields: int


def blend(
    lexical: Iterable[RankedTool], similarities: Mapping[int, float], near: Iterable[tuple[int, str]]
) -> Sequence[BlendedTool]:
    """The tools that either side answers with, best first; ties by name, then by id.

    `similarities` are those of all tools that have a vector, `near` the tools that meaning alone makes an answer.
    """
    words = {tool.tool_id: tool for tool in lexical}
    names = {tool.tool_id: tool.name for tool in words.values()} | dict(near)
    blended = []
    for tool_id, name in names.items():
        word = words.get(tool_id)
        order = LEXICAL_SHARE * (word.order if word else 0.0)
        order += (1 - LEXICAL_SHARE) * max(0.0, similarities.get(tool_id, 0.0))
        blended.append(BlendedTool(tool_id, name, min(_BEST_SCORE, order / _BEST_ORDER), word.fields if word else 0))
    blended.sort(key=lambda tool: (-tool.score, tool.name, tool.tool_id))
    return blended
