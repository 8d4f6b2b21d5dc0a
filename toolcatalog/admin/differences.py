"""What differs between two states of a document, part by part, for people."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.json import JsonValue, dump_json, hash_json
from toolcatalog.contract.matching import RULES, GroupRules, MatcherRow

from .rule_words import say_rules
from .words import APPLIES, DISCLOSURES, EVICTIONS, EXECUTIONS, POLICIES, STATUSES, TEXT_POLICIES, Words, say

LONGEST_COMPARED = 20_000
_SHORT = 60
_WORDS = re.compile(r"[A-Za-z\u00c0-\u024f]+|\d+|\s+|.", re.DOTALL)  # letters of Chinese texts stand alone

PARTS = {
    "name": _("name"),
    "slug": _("slug"),
    "title": _("title"),
    "description": _("description"),
    "category": _("category"),
    "tags": _("tags"),
    "keywords": _("keywords"),
    "parameters": _("parameters"),
    "output_schema": _("output schema"),
    "annotations": _("annotations"),
    "metadata": _("metadata"),
    "version": _("version"),
    "replaced_by": _("replaced by"),
    "execution": _("run by"),
    "callback": _("callback"),
    "searchable": _("searchable"),
    "status": _("status"),
    "system_prompt": _("system prompt"),
    "tools": _("tools"),
    "position": _("position"),
    "match": _("applies"),
    "match_params": _("matcher parameters"),
    "restricts_access": _("restricts access"),
    "for_all_tenants": _("for all tenants"),
    "matchers": _("conditions"),
    "groups": _("groups"),
    "resident_tools": _("resident tools"),
    "search": _("search"),
    "versions": _("pinned versions"),
}


WORDS_OF: Mapping[str, Words] = {
    "status": STATUSES,
    "match": APPLIES,
    "execution": EXECUTIONS,
    "exposure_policy": POLICIES,
    "disclosure": DISCLOSURES,
    "text_policy": TEXT_POLICIES,
    "eviction": EVICTIONS,
}
"""Parts whose values have words."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: `kind` is same, removed or added."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One part that differs. Long texts have `pieces`, lists what was `removed` and `added`, the rest both values."""

    label: str
    before: str = ""
    after: str = ""
    pieces: tuple[Piece, ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    is_list: bool = False


def compare_documents(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Every part that differs, in the order of the document. Parts that `after` does not have are removed ones."""
    return tuple(_compare_mappings(before, after, ""))


def _compare_mappings(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> Iterator[Change]:
    for key in dict.fromkeys((*before, *after)):
        where = f"{path} › {key}" if path else str(PARTS.get(key, key))
        yield from _compare(before.get(key), after.get(key), where, key)


def _compare(before: Any, after: Any, where: str, key: str) -> Iterator[Change]:
    if _same(before, after) or (_is_empty(before) and _is_empty(after)):
        return
    if key in WORDS_OF and isinstance(before, str | None) and isinstance(after, str | None):
        before, after = say(WORDS_OF[key], before), say(WORDS_OF[key], after)
    if key == "matchers":
        yield _compare_lists(_say_rows(before), _say_rows(after), where)
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _compare_mappings(before, after, where)
    elif _is_list_of_text(before) and _is_list_of_text(after):
        yield _compare_lists(before, after, where)
    elif isinstance(before, str) and isinstance(after, str) and max(len(before), len(after)) > _SHORT:
        yield Change(where, pieces=tuple(compare_texts(before, after)))
    elif _is_empty(before):
        yield Change(where, added=(show_value(after),), is_list=True)
    elif _is_empty(after):
        yield Change(where, removed=(show_value(before),), is_list=True)
    else:
        yield Change(where, show_value(before), show_value(after))


def _same(before: Any, after: Any) -> bool:
    return hash_json(before) == hash_json(after)


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {}, ())


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _compare_lists(before: Sequence[str], after: Sequence[str], where: str) -> Change:
    removed = tuple(item for item in before if item not in after)
    added = tuple(item for item in after if item not in before)
    if not removed and not added:
        return Change(where, ", ".join(before), ", ".join(after))
    return Change(where, removed=removed, added=added, is_list=True)


def _say_rows(rows: Any) -> list[str]:
    said = []
    for row in rows or ():
        fields = {key: value for key, value in row.items() if key in MatcherRow.__slots__}
        matcher = MatcherRow(**{**fields, "attribute": fields.get("attribute") or ""})
        sentence = say_rules(GroupRules("", RULES, (matcher,))).sentences[0]
        said.append(gettext("Set %(number)s: %(sentence)s") % {"number": matcher.condition_set, "sentence": sentence})
    return said


def show_value(value: JsonValue) -> str:
    """One value as people write it."""
    if value is None or value in ("", [], {}):
        return "—"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return ", ".join(str(item) for item in value)
    return dump_json(value).decode()


def compare_texts(before: str, after: str) -> Iterator[Piece]:
    """The pieces of both texts in reading order; very long texts are compared line by line."""
    if len(before) + len(after) > LONGEST_COMPARED:
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    else:
        old, new = _WORDS.findall(before), _WORDS.findall(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=len(old) > 2000)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            yield Piece("same", "".join(old[old_from:old_to]))
            continue
        if old_to > old_from:
            yield Piece("removed", "".join(old[old_from:old_to]))
        if new_to > new_from:
            yield Piece("added", "".join(new[new_from:new_to]))
