r"""The provider `regex`: patterns over names, which the model writes, as the vendors' regex tool search takes them.

- `get_*_data`: `*` stands for any characters; the whole name has to fit.
- `order|invoice`, `^crm\.`, `(?i)weather`: a regular expression, found anywhere in the name.
- Anything else, and what is no regular expression, is words: a name that holds one of them fits, more words better.

Letter case makes no difference. Patterns are run by RE2, in time linear in the names. Nothing but names is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import re2
from django.db import connection, transaction

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.provider import SearchHit, SearchQuery, SearchResult
from toolcatalog.search.ranking import SearchPlan, WeighedQuery, read_query
from toolcatalog.text.normalise import normalise_text
from toolcatalog.text.tokens import tokenize_parts

from .memory import rate_name
from .postgres import PostgresProvider
from .postgres.owners import owner_keys
from .postgres.permission import write_condition
from .postgres.reading import PostgresIndex

LONGEST_PATTERN = 500
MAX_WORDS = 32
PATTERN_MEMORY = 2 * 2**20
"""Bytes that RE2 may use for one pattern; larger ones are words."""

_BEST_SCORE = 0.99
_SIGNS = frozenset(r"\^$()[]{}+?|")
_NO_PLAN = SearchPlan(WeighedQuery((), 0, 0))
_NAMES = """
SELECT tool_id, name, deprecated
  FROM toolcatalog_searchentry
 WHERE owner_key = ANY(%(owners)s::bigint[]) AND {is_allowed}
"""

Rating = Callable[[str], float]
"""How well a name fits, from 0 (not at all) to 1."""


class RegexProvider(PostgresProvider):
    """See the module. It keeps the index of `postgres`."""

    name = "regex"
    scores = "With a pattern the share of the name that it covers, with words the share of them in it; 1: its name."

    def search(self, query: SearchQuery) -> SearchResult:
        """At most `query.limit` allowed tools whose names fit; exact names are always first (T14)."""
        kind, rate = read_pattern(query.text.strip())
        if not query.allowed or not query.owners or query.limit < 1:
            return SearchResult((), "none", {"read_as": kind, "below_min_score": 0})
        with transaction.atomic():
            named, _ = PostgresIndex().find(query, read_query(query.text), _NO_PLAN, 0)
            fitting = _rate_names(_read_names(query), rate)
        return _make_result(query, kind, named, fitting)

    def search_documents(self, query: SearchQuery, documents: Sequence[SearchDocument]) -> SearchResult:
        """The same search over documents that are in no index."""
        kind, rate = read_pattern(query.text.strip())
        asked = read_query(query.text)
        exact = [(rung, each) for each in documents if (rung := rate_name(each.name, asked)) is not None]
        exact.sort(key=lambda item: (item[0], len(item[1].name), item[1].name))
        names = (_Name(each.tool_id, each.name, each.deprecated) for each in documents)
        return _make_result(query, kind, [each.tool_id for _, each in exact], _rate_names(names, rate))


def _make_result(
    query: SearchQuery, kind: str, named: Sequence[int], fitting: Iterable[tuple[float, int]]
) -> SearchResult:
    """Tools of exactly the asked name, then those whose names fit, without what scores too low."""
    hits = {tool_id: SearchHit(tool_id, 1.0, ("name",)) for tool_id in named}
    below = 0
    for score, tool_id in fitting:
        if query.min_score is not None and score < query.min_score:
            below += tool_id not in hits
        else:
            hits.setdefault(tool_id, SearchHit(tool_id, score, ("name",)))
    stage = "name" if named else "pattern" if hits else "none"
    return SearchResult(tuple(hits.values())[: query.limit], stage, {"read_as": kind, "below_min_score": below})


@lru_cache(256)
def read_pattern(text: str) -> tuple[str, Rating]:
    """How a query is read (`wildcards`, `regex` or `words`), and the rating of names that it makes."""
    if len(text) <= LONGEST_PATTERN and not any(character.isspace() for character in text):
        if "*" in text and ".*" not in text and _SIGNS.isdisjoint(text):
            return "wildcards", _rate_by(f"^{'.*'.join(map(re2.escape, text.split('*')))}$") or _rate_words(text)
        rate = None if _SIGNS.isdisjoint(text) and "*" not in text else _rate_by(text)
        if rate is not None:
            return "regex", rate
    return "words", _rate_words(text)


def _rate_by(expression: str) -> Rating | None:
    """A rating by the share of the name that is matched; None when RE2 cannot run the expression."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = PATTERN_MEMORY
    options.case_sensitive = False
    try:
        compiled = re2.compile(expression.encode(), options)
    except (re2.error, UnicodeEncodeError):
        return None

    def rate(name: str) -> float:
        encoded = name.encode()
        found = compiled.search(encoded)
        return 0.0 if found is None or found.end() == found.start() else len(found.group()) / len(encoded)

    return rate


def _rate_words(text: str) -> Rating:
    """A rating by the share of the words that the name holds, as a word or within one."""
    words = tuple(dict.fromkeys(tokenize_parts(text)))[:MAX_WORDS]

    def rate(name: str) -> float:
        parts, whole = set(tokenize_parts(name)), normalise_text(name)
        held = sum(1.0 if word in parts else 0.5 for word in words if word in parts or word in whole)
        return held / len(words) if words else 0.0

    return rate


@dataclass(frozen=True, slots=True)
class _Name:
    tool_id: int
    name: str
    deprecated: bool


def _read_names(query: SearchQuery) -> list[_Name]:
    allowed = write_condition(query.allowed)
    with connection.cursor() as cursor:
        statement = _NAMES.format(is_allowed=allowed.condition)
        cursor.execute(statement, {"owners": owner_keys(query.owners), **allowed.parameters})
        return [_Name(*row) for row in cursor.fetchall()]


def _rate_names(names: Iterable[_Name], rate: Rating) -> list[tuple[float, int]]:
    """Scores and ids of the names that fit, best first; equals: not deprecated, short, by name."""
    rated = [(min(_BEST_SCORE, rate(each.name)), each) for each in names]
    fitting = [(score, each) for score, each in rated if score > 0]
    fitting.sort(key=lambda item: (-item[0], item[1].deprecated, len(item[1].name), item[1].name, item[1].tool_id))
    return [(score, each.tool_id) for score, each in fitting]
