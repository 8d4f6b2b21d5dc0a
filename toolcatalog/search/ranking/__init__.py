"""How lexical search ranks, as pure functions: shared by the providers, so that each gives the same answer."""

from .answer import RankedTool, Ranking, make_result, make_typo_result, smallest_score
from .impacts import IndexedTool, Posting, index_document
from .query import Asked, read_query
from .typos import SCORE_FACTOR, KnownWord, allowed_slips, correct_words, find_doubtful_words
from .weights import MAX_CONTINUATIONS, IndexFacts, Term, WeighedQuery, weigh_query

__all__ = [
    "MAX_CONTINUATIONS",
    "SCORE_FACTOR",
    "Asked",
    "IndexFacts",
    "IndexedTool",
    "KnownWord",
    "Posting",
    "RankedTool",
    "Ranking",
    "Term",
    "WeighedQuery",
    "allowed_slips",
    "correct_words",
    "find_doubtful_words",
    "index_document",
    "make_result",
    "make_typo_result",
    "read_query",
    "smallest_score",
    "weigh_query",
]
