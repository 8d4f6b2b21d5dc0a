"""How lexical search ranks, as pure functions: shared by the providers, so that each gives the same answer."""

from .answer import Ranking, describe_ranking, is_sure, make_result, name_stage, take_places
from .confidence import measure_confidence
from .fields import Field, name_fields
from .fusion import NAME_WEIGHT, Candidate, RankedTool, rank_candidates
from .impacts import IndexedTool, Posting, index_document
from .plan import SPARE_PLACES, AskTerm, SearchPlan, plan_search
from .query import Asked, cut_request, read_query
from .typos import SCORE_FACTOR, KnownWord, allowed_slips, correct_words, find_doubtful_words, may_be_slip
from .weights import MAX_CONTINUATIONS, IndexFacts, Term, WeighedQuery, weigh_query

__all__ = [
    "MAX_CONTINUATIONS",
    "NAME_WEIGHT",
    "SCORE_FACTOR",
    "SPARE_PLACES",
    "AskTerm",
    "Asked",
    "Candidate",
    "Field",
    "IndexFacts",
    "IndexedTool",
    "KnownWord",
    "Posting",
    "RankedTool",
    "Ranking",
    "SearchPlan",
    "Term",
    "WeighedQuery",
    "allowed_slips",
    "correct_words",
    "cut_request",
    "describe_ranking",
    "find_doubtful_words",
    "index_document",
    "is_sure",
    "make_result",
    "may_be_slip",
    "measure_confidence",
    "name_fields",
    "name_stage",
    "plan_search",
    "rank_candidates",
    "read_query",
    "take_places",
    "weigh_query",
]
