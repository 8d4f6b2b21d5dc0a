"""The provider `memory`: the same search in plain Python. The reference for others, and quick enough for tests.

It keeps what one process told it, knows no transactions, and forgets everything when the process ends.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest, nsmallest
from threading import RLock

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.provider import SearchQuery, SearchResult
from toolcatalog.search.ranking import (
    MAX_CONTINUATIONS,
    Asked,
    AskTerm,
    Candidate,
    IndexedTool,
    IndexFacts,
    KnownWord,
    Posting,
    SearchPlan,
    index_document,
)
from toolcatalog.text.names import last_segment, name_key
from toolcatalog.text.tokens import Word, make_word

from .lexical import search_index


@dataclass(slots=True)
class _Shelf:
    """The tools of one owner."""

    tools: set[int] = field(default_factory=set)
    postings: defaultdict[str, dict[int, Posting]] = field(default_factory=lambda: defaultdict(dict))
    words: dict[str, KnownWord] = field(default_factory=dict)
    sorted_words: list[str] = field(default_factory=list)

    def add(self, tool_id: int, indexed: IndexedTool) -> None:
        self.tools.add(tool_id)
        for lexeme, posting in indexed.postings.items():
            self.postings[lexeme][tool_id] = posting
        for word in indexed.words:
            self._count(word, 1)

    def remove(self, tool_id: int, indexed: IndexedTool) -> None:
        self.tools.discard(tool_id)
        for lexeme in indexed.postings:
            del self.postings[lexeme][tool_id]
            if not self.postings[lexeme]:
                del self.postings[lexeme]
        for word in indexed.words:
            self._count(word, -1)

    def begin_with(self, beginning: str) -> Iterator[str]:
        for place in range(bisect_left(self.sorted_words, beginning), len(self.sorted_words)):
            if not self.sorted_words[place].startswith(beginning):
                return
            yield self.sorted_words[place]

    def _count(self, word: Word, change: int) -> None:
        known = self.words.get(word.written)
        tools = (known.tools if known else 0) + change
        if known is None:
            insort(self.sorted_words, word.written)
        if tools:
            self.words[word.written] = KnownWord(word, tools)
        else:
            del self.words[word.written]
            del self.sorted_words[bisect_left(self.sorted_words, word.written)]


@dataclass(slots=True)
class _Sums:
    """What one tool meets of a plan."""

    asks: list[int]
    score: int = 0
    information: int = 0
    fields: int = 0

    def add(self, each: AskTerm, posting: Posting) -> None:
        self.score += each.term.weight * posting.impact
        self.information += each.term.information
        self.fields |= posting.fields
        if each.ask:
            self.asks[each.ask - 1] += each.weight * posting.impact


class MemoryProvider:
    """Thread-safe. Scores as `postgres` does: the share of the query, by rarity, that a tool meets (S12)."""

    name = "memory"
    limits_itself = True
    scores = "The share of the query's words, weighed by rarity, that the tool meets, in the best place; 1: its name."

    def __init__(self) -> None:
        self._lock = RLock()
        self._shelves: defaultdict[int | None, _Shelf] = defaultdict(_Shelf)
        self._documents: dict[int, SearchDocument] = {}
        self._indexed: dict[int, IndexedTool] = {}

    def save(self, document: SearchDocument) -> None:
        """Insert or replace the tool with this id."""
        indexed = index_document(document)
        with self._lock:
            self.remove(document.tool_id)
            self._documents[document.tool_id] = document
            self._indexed[document.tool_id] = indexed
            self._shelves[document.owner_id].add(document.tool_id, indexed)

    def find_by_name(self, owner_id: int | None, name: str) -> SearchDocument | None:
        """The owner's tool of exactly this name."""
        return next((document for document in self.find_all(owner_id) if document.name == name), None)

    def find_all(self, owner_id: int | None) -> tuple[SearchDocument, ...]:
        """Every tool of the owner, by name."""
        with self._lock:
            owned = [document for document in self._documents.values() if document.owner_id == owner_id]
        return tuple(sorted(owned, key=lambda document: (document.name, document.tool_id)))

    def search(self, query: SearchQuery) -> SearchResult:
        """At most `query.limit` allowed tools, best first; exact names are always first (T14)."""
        with self._lock:
            return search_index(self, query)

    def remove(self, tool_id: int) -> bool:
        """Forget one tool; False when it was not there."""
        with self._lock:
            document = self._documents.pop(tool_id, None)
            if document is None:
                return False
            self._shelves[document.owner_id].remove(tool_id, self._indexed.pop(tool_id))
            return True

    def clear(self, owner_id: int | None) -> int:
        """Forget every tool of the owner; answers how many there were."""
        with self._lock:
            return sum(self.remove(document.tool_id) for document in self.find_all(owner_id))

    def read_facts(self, query: SearchQuery, asked: Asked) -> IndexFacts:
        """See `LexicalIndex`."""
        shelves = self._select(query)
        continuations = {word: self._continue(shelves, word) for word in asked.words}
        lexemes = {*asked.all_lexemes, *(word.lexeme for words in continuations.values() for word in words)}
        frequencies = {lexeme: sum(len(shelf.postings.get(lexeme, ())) for shelf in shelves) for lexeme in lexemes}
        return IndexFacts(sum(len(shelf.tools) for shelf in shelves), frequencies, continuations)

    def find(
        self, query: SearchQuery, asked: Asked, plan: SearchPlan, places: int
    ) -> tuple[Sequence[int], Sequence[Candidate]]:
        """See `LexicalIndex`."""
        return self._find_named(query, asked), self._find_candidates(query, plan, places)

    def _find_candidates(self, query: SearchQuery, plan: SearchPlan, places: int) -> Sequence[Candidate]:
        met = self._meet(self._select(query), plan, set(query.allowed))
        best = nlargest(places, met, key=lambda each: each.score)
        chosen = {each.tool_id: each for each in met if best and each.score >= best[-1].score}
        for ask in range(len(plan.asks)):
            holding = [each for each in met if each.asks[ask]]
            best = nsmallest(places, holding, key=lambda each: (-each.asks[ask], each.tool_id))
            chosen.update((each.tool_id, each) for each in best)
        return list(chosen.values())

    def read_known_words(self, query: SearchQuery, words: Sequence[Word]) -> Mapping[Word, Sequence[KnownWord]]:
        """See `LexicalIndex`."""
        shelves = self._select(query)
        names = (name_key(self._documents[tool_id].name) for shelf in shelves for tool_id in shelf.tools)
        known = [known for shelf in shelves for known in shelf.words.values()]
        known.extend(KnownWord(make_word(name), 1) for name in names)
        return dict.fromkeys(words, known)

    def _find_named(self, query: SearchQuery, asked: Asked) -> Sequence[int]:
        if asked.name is None:
            return []
        allowed = set(query.allowed)
        owned = (self._documents[tool_id] for shelf in self._select(query) for tool_id in shelf.tools & allowed)
        named = [(rate_name(document.name, asked), document) for document in owned]
        found = [(rung, document) for rung, document in named if rung is not None]
        found.sort(key=lambda item: (item[0], item[1].deprecated, len(item[1].name), item[1].name, item[1].tool_id))
        return [document.tool_id for _, document in found[: query.limit]]

    def _select(self, query: SearchQuery) -> list[_Shelf]:
        return [self._shelves[owner_id] for owner_id in set(query.owners) if owner_id in self._shelves]

    def _continue(self, shelves: Sequence[_Shelf], word: Word) -> list[Word]:
        longer = {written for shelf in shelves for written in shelf.begin_with(word.written)} - {word.written}
        shortest = nsmallest(MAX_CONTINUATIONS, longer, key=lambda written: (len(written), written))
        return [next(shelf.words[written].word for shelf in shelves if written in shelf.words) for written in shortest]

    def _meet(self, shelves: Sequence[_Shelf], plan: SearchPlan, allowed: set[int]) -> list[Candidate]:
        sums: dict[int, _Sums] = {}
        for each in plan.list_terms():
            for shelf in shelves:
                for tool_id, posting in shelf.postings.get(each.term.lexeme, {}).items():
                    if tool_id in allowed:
                        sums.setdefault(tool_id, _Sums([0] * len(plan.asks))).add(each, posting)
        return [
            Candidate(tool_id, self._documents[tool_id].name, met.score, met.information, met.fields, met.asks)
            for tool_id, met in sums.items()
            if met.information >= plan.whole.required
        ]


def rate_name(name: str, asked: Asked) -> int | None:
    """How exactly a name was asked for (T14): 0 byte by byte, 1 spelt otherwise, 2 its last segment, None not."""
    if name == asked.name:
        return 0
    if name_key(name) == asked.key:
        return 1
    return 2 if name_key(last_segment(name)) == asked.key else None
