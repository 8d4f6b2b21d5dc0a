"""Tool names: which are legal, which are reserved, and which are the same to somebody who types one from memory."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator

from toolcatalog.contract.errors import FieldError

from .normalise import normalise_text

MAX_NAME_LENGTH = 128
ENTRY_TOOL_NAME = "toolSearch"
META_TOOL_NAMES = ("search_tools", "execute_dynamic_tool")

_PUNCTUATION = frozenset("_./-")
_SEPARATORS = str.maketrans("", "", " _./-")
_ROUTE_SEGMENTS = frozenset({"execute", "availability"})
_ROUTE_NAMES = frozenset({"popular"})
_RESERVED = frozenset(normalise_text(name) for name in (ENTRY_TOOL_NAME, *META_TOOL_NAMES))
_FALLBACK = "tool"
_HASH_LENGTH = 8


def name_key(name: str) -> str:
    """The name without what people do not remember: letter case and separators (blank, `_`, `.`, `/`, `-`).

    `getWeather`, `Get Weather`, `get_weather` and `GET-WEATHER` have one key; letters with other accents differ.
    """
    return normalise_text(name).translate(_SEPARATORS)


def last_segment(name: str) -> str:
    """What follows the last `.`, `/` or `__` of a namespaced name; the whole name when nothing precedes or follows one.

    `crm/orders.get_order` and `crm__get_order` give `get_order`; `__init` and `v2.` have no namespace and stay whole.
    """
    ends = [(name.rfind(separator), len(separator)) for separator in (".", "/", "__")]
    position, width = max(ends, key=lambda end: end[0] + end[1] if end[0] >= 0 else -1)
    if position <= 0 or not name[position + width :].strip("_"):
        return name
    return name[position + width :]


def check_tool_name(name: str) -> FieldError | None:
    """Say why `name` cannot be a catalog name (T16), proposing one that can; None when it is legal.

    A letter is a character that Unicode calls one, or a vowel sign or tone mark that its script writes onto letters.
    """
    problem = _find_problem(name)
    if problem is None:
        return None
    code, sentence = problem
    if code != "required":
        sentence = f'{sentence} "{propose_tool_name(name)}" would do.'
    return FieldError("name", code, sentence)


def propose_tool_name(text: str) -> str:
    """A legal, unreserved name as near to `text` as can be, for any input.

    What is not allowed becomes `_`; a name that has to be cut ends with a hash of the whole, so that two long names
    that begin alike stay different. Pure: equal texts give equal proposals.
    """
    segments = (_propose_segment(segment) for segment in unicodedata.normalize("NFC", text).split("/"))
    name = "/".join(segment for segment in segments if segment).lstrip(".-/") or _FALLBACK
    if _find_route_problem(name) or is_reserved(name):
        name = f"{name}_{_FALLBACK}"
    if len(name) > MAX_NAME_LENGTH:
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_HASH_LENGTH]
        name = f"{name[: MAX_NAME_LENGTH - _HASH_LENGTH - 1]}_{digest}"
    return name


def is_reserved(name: str, entry_names: Iterable[str] = ()) -> bool:
    """Whether `name` is, in any letter case, the entry tool's, a meta tool's or one of the profiles' `entry_names`."""
    folded = normalise_text(name)
    return folded in _RESERVED or any(folded == normalise_text(entry_name) for entry_name in entry_names)


def _find_problem(name: str) -> tuple[str, str] | None:
    if not name.strip():
        return "required", "A tool needs a name."
    if len(name) > MAX_NAME_LENGTH:
        return "too_long", f"The name has {len(name)} characters; {MAX_NAME_LENGTH} are allowed."
    foreign = sorted({character for character, is_legal in _judge_characters(name) if not is_legal})
    if foreign:
        return "bad_character", f"The name may not contain {', '.join(_show(character) for character in foreign[:5])}."
    if not _may_start(name[0]):
        return "bad_start", "The name has to start with a letter, a digit or an underscore."
    return _find_route_problem(name)


def _find_route_problem(name: str) -> tuple[str, str] | None:
    """Names stand in paths such as `/tools/{name}/execute`, so they must not be read as another path."""
    segments = name.split("/")
    if any(segment in {"", ".", ".."} for segment in segments):
        return "bad_segment", "Between slashes there has to be more than dots, and the name may not end with a slash."
    if segments[-1].casefold() in _ROUTE_SEGMENTS or name.casefold() in _ROUTE_NAMES:
        return "reserved_path", f'A name that ends with "{segments[-1]}" would collide with an address of the API.'
    return None


def _judge_characters(name: str) -> Iterator[tuple[str, bool]]:
    """Every character with whether a name may hold it at the place where it stands."""
    after_letter = False
    for character in name:
        is_mark = after_letter and _is_mark_of_script(character)
        yield character, is_mark or _may_start(character) or character in _PUNCTUATION
        after_letter = is_mark or character.isalpha()


def _may_start(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    is_visible_letter = character.isalpha() and bool(normalise_text(character))
    return is_visible_letter or character.isdecimal()


def _is_mark_of_script(character: str) -> bool:
    """Vowel signs of Indic scripts, Thai tone marks and their like; not the accents that fit onto every script."""
    if unicodedata.category(character) not in {"Mn", "Mc"} or not normalise_text(character):
        return False
    return not unicodedata.name(character, "COMBINING").startswith(("COMBINING", "VARIATION SELECTOR"))


def _propose_segment(segment: str) -> str:
    visible = "".join(character for character in segment if character.isspace() or normalise_text(character))
    kept = "".join(character if is_legal else " " for character, is_legal in _judge_characters(visible))
    proposal = "_".join(kept.split())
    return "" if proposal in {".", ".."} else proposal


def _show(character: str) -> str:
    if character == " ":
        return "a blank"
    is_visible = character.isprintable() and normalise_text(character) and not unicodedata.combining(character)
    return f'"{character}"' if is_visible else f"U+{ord(character):04X}"
