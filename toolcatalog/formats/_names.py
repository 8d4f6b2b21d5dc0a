"""Names that a provider takes, made from names that it does not; the same for tool names and for argument keys."""

from __future__ import annotations

import hashlib
import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

LETTERS = frozenset(string.ascii_letters)
WORD = LETTERS | frozenset(string.digits + "_")
WORD_AND_HYPHEN = WORD | {"-"}

_HASH_LENGTHS = (8, 16, 32)
_SALTED_HASH_LENGTH = 48


@dataclass(frozen=True, slots=True)
class NameRule:
    """Which names a provider takes: allowed characters, allowed first characters, and the greatest length.

    `prefix` goes before a name whose first character is not allowed; `stem` stands for a name in which nothing is.
    With `always_hashes` every replacement ends with a hash, so that nobody else has such a name by chance.
    """

    characters: frozenset[str]
    first: frozenset[str]
    prefix: str
    stem: str
    max_length: int = 64
    always_hashes: bool = False

    def allows(self, name: str) -> bool:
        """Whether `name` can be sent as it stands."""
        return 0 < len(name) <= self.max_length and name[0] in self.first and self.characters.issuperset(name)

    def make_legal(self, name: str) -> str:
        """An allowed name as near to `name` as can be; `name` itself where that is allowed. Blind to other names.

        What is not allowed becomes `_`. Letters of other scripts and what does not fit are left out, and a hash of the
        whole name is put in their place, so that names that differ only there stay different.
        """
        if self.allows(name):
            return name
        legible, is_complete = _transcribe(name, self.characters)
        if not legible:
            return add_hash(self.stem, name, self.max_length)
        if legible[0] not in self.first:
            legible = f"{self.prefix}_{legible}"
        if is_complete and len(legible) <= self.max_length and not self.always_hashes:
            return legible
        return add_hash(legible, name, self.max_length)


def allocate_names(rule: NameRule, names: Iterable[str]) -> dict[str, str]:
    """An allowed name for each of `names`, no two alike: a pure function of the set of names.

    Of names that would become one, the one that is allowed as it stands keeps it; all others get a hash, and a longer
    one where even that collides.
    """
    distinct = sorted(set(names))
    chosen = {name: rule.make_legal(name) for name in distinct}
    readable = dict(chosen)
    attempts: dict[str, int] = defaultdict(int)
    while clashing := _find_clashing(chosen):
        for name in clashing:
            chosen[name] = _lengthen(readable[name], name, attempts[name], rule.max_length)
            attempts[name] += 1
    return chosen


def add_hash(head: str, name: str, max_length: int, digits: int = 8) -> str:
    """`head`, cut where needed, then `_` and the first hexadecimal digits of the SHA-256 of `name`."""
    return f"{head[: max_length - digits - 1]}_{_digest(name)[:digits]}"


def _find_clashing(chosen: dict[str, str]) -> list[str]:
    owners: dict[str, list[str]] = defaultdict(list)
    for name, exported in chosen.items():
        owners[exported].append(name)
    return [name for group in owners.values() if len(group) > 1 for name in group if name != chosen[name]]


def _lengthen(head: str, name: str, attempt: int, max_length: int) -> str:
    if attempt < len(_HASH_LENGTHS):
        return add_hash(head, name, max_length, _HASH_LENGTHS[attempt])
    return add_hash(head, f"{name}#{attempt}", max_length, _SALTED_HASH_LENGTH)


def _transcribe(name: str, allowed: frozenset[str]) -> tuple[str, bool]:
    """What of the name can be read in the allowed characters, and whether that is all of it."""
    decomposed = unicodedata.normalize("NFKD", name)
    legible = "".join(_transcribe_character(character, allowed) for character in decomposed)
    if decomposed.isascii():
        return legible, bool(legible.strip("_-."))
    return legible.strip("_-."), False


def _transcribe_character(character: str, allowed: frozenset[str]) -> str:
    if character in allowed:
        return character
    return "_" if character.isascii() or character.isspace() else ""


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
