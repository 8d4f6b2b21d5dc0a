"""Reading the index: two statements a search, each with the permission filter inside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from toolcatalog.search.provider import SearchQuery
from toolcatalog.search.ranking import (
    MAX_CONTINUATIONS,
    Asked,
    Candidate,
    IndexFacts,
    KnownWord,
    SearchPlan,
    allowed_slips,
    may_be_slip,
)
from toolcatalog.text.tokens import Word, make_word

from . import statements
from .arrays import write_array, write_numbers
from .owners import owner_keys
from .permission import write_condition

_LAST_CHARACTER = "\U0010ffff"
"""Every text that begins with a given one is not after the given one with this behind it."""


class PostgresIndex:
    """The index as the search sees it (see `LexicalIndex`). Holds no state."""

    def read_facts(self, query: SearchQuery, asked: Asked) -> IndexFacts:
        """How frequent the query's terms are, and which words begin with its words."""
        words = {word.written: word for word in asked.words}
        parameters: dict[str, Any] = {
            "owners": owner_keys(query.owners),
            "lexemes": write_array([statements.ALL_TOOLS, *asked.all_lexemes]),
            "words": write_array(words),
            "last": _LAST_CHARACTER,
            "continuations": MAX_CONTINUATIONS,
        }
        frequencies: dict[str, int] = {}
        continuations: defaultdict[Word, list[Word]] = defaultdict(list)
        with connection.cursor() as cursor:
            cursor.execute(statements.READ_FACTS, parameters)
            for kind, beginning, written, lexeme, tools in cursor.fetchall():
                frequencies[lexeme] = tools
                if kind == "word":
                    continuations[words[beginning]].append(Word(written, lexeme))
        return IndexFacts(frequencies.pop(statements.ALL_TOOLS, 0), frequencies, continuations)

    def find(
        self, query: SearchQuery, asked: Asked, plan: SearchPlan, places: int
    ) -> tuple[Sequence[int], Sequence[Candidate]]:
        """See `LexicalIndex`."""
        allowed = write_condition(query.allowed)
        terms = list(plan.list_terms())
        parameters: dict[str, Any] = {
            "owners": owner_keys(query.owners),
            **allowed.parameters,
            "places": places,
            "limit": query.limit,
            "lexemes": write_array(each.term.lexeme for each in terms),
            "weights": write_numbers(each.term.weight for each in terms),
            "information": write_numbers(each.term.information for each in terms),
            "asks": write_numbers(each.ask for each in terms),
            "ask_weights": write_numbers(each.weight for each in terms),
            "required": plan.whole.required,
            "name": asked.name,
            "key": None if asked.name is None else asked.key,
        }
        with connection.cursor() as cursor:
            cursor.execute(statements.write_find(allowed.condition, len(plan.asks)), parameters)
            rows = cursor.fetchall()
        named = sorted((place, tool_id) for tool_id, _, place, *_ in rows if place)
        candidates = [
            Candidate(tool_id, name, score, information, fields, asks)
            for tool_id, name, place, score, information, fields, *asks in rows
            if not place
        ]
        return [tool_id for _, tool_id in named], candidates

    def read_known_words(self, query: SearchQuery, words: Sequence[Word]) -> Mapping[Word, Sequence[KnownWord]]:
        """For each word, the words and name keys of the index that begin alike and are about as long."""
        asked = {word.written: word for word in words}
        looked_up = [(written, beginning) for written in asked for beginning in _find_beginnings(written)]
        parameters: dict[str, Any] = {
            "owners": owner_keys(query.owners),
            "words": [written for written, _ in looked_up],
            "slips": [allowed_slips(written) for written, _ in looked_up],
            "beginnings": [beginning for _, beginning in looked_up],
            "last": _LAST_CHARACTER,
        }
        known: defaultdict[Word, list[KnownWord]] = defaultdict(list)
        with connection.cursor() as cursor:
            cursor.execute(statements.READ_KNOWN_WORDS, parameters)
            for written, found, tools in cursor.fetchall():
                if may_be_slip(written, found):
                    known[asked[written]].append(KnownWord(make_word(found), tools))
        return known


def _find_beginnings(written: str) -> set[str]:
    """How words begin that this one may stand for: its first letter, or its first two exchanged."""
    return {written[0], written[1::-1]}
