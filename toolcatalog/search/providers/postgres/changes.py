"""How many tools hold a lexeme or a word, kept up to date by differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.db import connection

from toolcatalog.text.tokens import Word

from . import statements
from .arrays import write_array

STATEMENT_SIZE = 5_000
"""So many counts go into one statement."""


class Changes:
    """Differences gathered over one batch. What a tool held before and holds after costs no write."""

    def __init__(self) -> None:
        self._terms: Counter[tuple[int, str]] = Counter()
        self._words: Counter[tuple[int, str]] = Counter()
        self._lexemes: dict[str, str] = {}

    def count_term(self, owner: int, lexeme: str, change: int) -> None:
        """One tool of the owner more, or less, holds the lexeme."""
        self._terms[owner, lexeme] += change

    def count_word(self, owner: int, word: Word, change: int) -> None:
        """One tool of the owner more, or less, holds the word. The lexeme may be left empty where there is one less."""
        self._words[owner, word.written] += change
        if word.lexeme:
            self._lexemes[word.written] = word.lexeme

    def apply(self) -> None:
        """Write the differences, in the order of the keys: two writers never wait for each other in a circle."""
        self._write(statements.COUNT_TERMS, statements.FORGET_TERMS, self._terms, None)
        self._write(statements.COUNT_WORDS, statements.FORGET_WORDS, self._words, self._lexemes)

    @staticmethod
    def _write(count: str, forget: str, changes: Counter[tuple[int, str]], lexemes: Mapping[str, str] | None) -> None:
        changed = sorted((key, change) for key, change in changes.items() if change)
        for start in range(0, len(changed), STATEMENT_SIZE):
            Changes._write_some(count, forget, changed[start : start + STATEMENT_SIZE], lexemes)

    @staticmethod
    def _write_some(
        count: str,
        forget: str,
        changed: Sequence[tuple[tuple[int, str], int]],
        lexemes: Mapping[str, str] | None,
    ) -> None:
        owners = [owner for (owner, _), _ in changed]
        texts = [text for (_, text), _ in changed]
        described = [] if lexemes is None else [[lexemes.get(text, "") for text in texts]]
        fewer = [key for key, change in changed if change < 0]
        with connection.cursor() as cursor:
            columns: list[Iterable[object]] = [owners, texts, *described, [change for _, change in changed]]
            cursor.execute(count, [write_array(column) for column in columns])
            if fewer:
                cursor.execute(forget, [[owner for owner, _ in fewer], [text for _, text in fewer]])
