"""From Java's regular expressions to RE2's: a walk over the pattern that rewrites or refuses construct by construct."""

from __future__ import annotations

import sys
from collections.abc import Callable
from string import hexdigits
from typing import NamedTuple

import re2

from .problems import BrokenCondition

LINE_ENDS = ("\r", "\x85", "\u2028", "\u2029")
"""Characters that end a line beside LF. Texts and patterns have LF in their place."""

MOST_REPEATS = 1_000


class Refusal(NamedTuple):
    """Something that RE2 lacks: a stable word, and a sentence that names another way."""

    code: str
    sentence: str


_BLANKS = r"\t \x{a0}\x{1680}\x{180e}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}"
_VERTICAL = r"\n\x{b}\x{c}\r\x{85}\x{2028}\x{2029}"
_CLASS_ESCAPES = {"h": _BLANKS, "v": _VERTICAL}
_NEGATED_CLASS_ESCAPES = {"H": _BLANKS, "V": _VERTICAL}
_SIMPLE_ESCAPES = {"Z": r"\z", "e": r"\x{1b}"}
_REFUSED_ESCAPES = "GXNCK"
_POSIX_NAMES = frozenset(
    "alnum alpha ascii blank cntrl digit graph lower print punct space upper xdigit".split()  # noqa: SIM905 (one line)
)
_PROPERTY_PREFIXES = ("script=", "sc=", "general_category=", "gc=", "is")

LOOKAROUND = Refusal(
    "lookaround",
    "A pattern cannot look ahead or behind: (?=…), (?!…), (?<=…) and (?<!…) are not supported. Use two conditions in "
    "the same set instead, one for what must be there and one with “not” ticked for what must not.",
)
BACKREFERENCE = Refusal(
    "backreference",
    "A pattern cannot repeat what an earlier bracket matched: \\1, \\k<name> and (?P=name) are not supported. Write "
    "the alternatives out, for example (aa|bb).",
)
POSSESSIVE = Refusal(
    "possessive",
    "A second “+” after a repetition (*+, ++, ?+, {…}+) is not supported. Leave it out: patterns always run in linear "
    "time here, so it has no use.",
)
ATOMIC = Refusal(
    "atomic",
    "An atomic group (?>…) is not supported. Write (?:…): patterns always run in linear time here.",
)
INTERSECTION = Refusal(
    "intersection",
    "“&&” inside square brackets is not supported. Write out the characters that remain, for example [ac-z] instead "
    "of [a-z&&[^b]], or use two conditions.",
)
NESTED_CLASS = Refusal(
    "nested_class",
    "Square brackets inside square brackets are not supported. Put all characters into one pair, or write \\[ for "
    "the character.",
)
COMMENT_MODE = Refusal(
    "comment_mode",
    "The comment mode (?x) is not supported. Remove it, together with the spaces and comments it allows.",
)
UNKNOWN_FLAG = Refusal(
    "unknown_flag", "Only the switches i, m and s are supported, for example (?i). Remove the others."
)
UNKNOWN_GROUP = Refusal(
    "unknown_group",
    "This kind of bracket is not supported. Use (…), (?:…) or (?<name>…).",
)
UNKNOWN_ESCAPE = Refusal(
    "unknown_escape", "This backslash escape is not supported. Write the characters that are meant."
)
HALF_CHARACTER = Refusal("bad_pattern", "A \\u escape stands for half a character. Write the whole one.")
BAD_CODE = Refusal(
    "bad_pattern", "A \\u or \\x escape needs hexadecimal digits, for example \\u8ba2. Complete or remove it."
)
REPEAT_TOO_LARGE = Refusal(
    "repeat_too_large",
    f"A repetition count is too large: up to {MOST_REPEATS} are possible. Use “*” or “+” where the count does not "
    "matter.",
)


def translate_pattern(written: str) -> str:
    """The same pattern as RE2 writes it. Raises BrokenCondition on `value` for what RE2 lacks or would misread.

    Plain syntax errors are left for RE2 to find.
    """
    return _Translator(written).run()


def _refuse(refusal: Refusal) -> BrokenCondition:
    return BrokenCondition("value", refusal.code, refusal.sentence)


class _Translator:
    """A position in the pattern and what was written so far."""

    def __init__(self, written: str) -> None:
        self.written = written
        self.at = 0
        self.done: list[str] = []

    def run(self) -> str:
        steps: dict[str, Callable[[], None]] = {"\\": self.escape, "[": self.character_class, "(": self.group}
        steps |= dict.fromkeys("*+?{", self.repetition)
        while self.at < len(self.written):
            steps.get(self.written[self.at], self.copy)()
        return "".join(self.done)

    # Reading

    def sees(self, *starts: str) -> bool:
        return self.written.startswith(starts, self.at)

    def copy(self, count: int = 1) -> None:
        self.done.append(self.written[self.at : self.at + count])
        self.at += count

    def take(self, count: int) -> str:
        taken = self.written[self.at : self.at + count]
        self.at += count
        return taken

    def take_until(self, end: str) -> str:
        """What stands before `end`, going on after it; all the rest where there is no `end`."""
        found = self.written.find(end, self.at)
        stop = len(self.written) if found < 0 else found
        taken = self.written[self.at : stop]
        self.at = min(stop + len(end), len(self.written))
        return taken

    # Repetitions

    def repetition(self) -> None:
        if self.sees("{"):
            counted = self.written[self.at + 1 : self.written.find("}", self.at) + 1]
            low, _, high = counted.removesuffix("}").partition(",")
            if not (counted.endswith("}") and counted.isascii() and low.isdecimal() and (high.isdecimal() or not high)):
                self.copy()
                return
            if max(int(low), int(high or 0)) > MOST_REPEATS:
                raise _refuse(REPEAT_TOO_LARGE)
            self.copy(len(counted))
        self.copy()
        if self.sees("+"):
            raise _refuse(POSSESSIVE)
        if self.sees("?"):
            self.copy()

    # Square brackets

    def character_class(self) -> None:
        self.copy()
        if self.sees("^"):
            self.copy()
        if self.sees("]"):
            self.copy()
        while self.at < len(self.written) and not self.sees("]"):
            self.class_member()
        self.copy()

    def class_member(self) -> None:
        if self.sees("&&"):
            raise _refuse(INTERSECTION)
        if self.sees("\\"):
            self.escape(in_class=True)
        elif self.sees("[:"):
            self.done.append(f"{self.take_until(':]')}:]")
        elif self.sees("["):
            rest = self.written[self.at :]
            raise _refuse(INTERSECTION if "&&" in rest.partition("]")[2][:2] else NESTED_CLASS)
        else:
            self.copy()

    # Round brackets

    def group(self) -> None:
        if not self.sees("(?"):
            self.copy()
        elif self.sees("(?=", "(?!", "(?<=", "(?<!"):
            raise _refuse(LOOKAROUND)
        elif self.sees("(?>"):
            raise _refuse(ATOMIC)
        elif self.sees("(?P=", "(?P>"):
            raise _refuse(BACKREFERENCE)
        elif self.sees("(?:", "(?<", "(?P<"):
            self.copy(3)
        else:
            self.flags()

    def flags(self) -> None:
        self.at += 2
        start = self.at
        while self.at < len(self.written) and (self.written[self.at].isalpha() or self.sees("-")):
            self.at += 1
        switched_on, _, switched_off = self.written[start : self.at].partition("-")
        end = self.take(1)
        if end not in {")", ":"}:
            raise _refuse(UNKNOWN_GROUP)
        kept_on, kept_off = keep_flags(switched_on, refused="x"), keep_flags(switched_off, refused="")
        kept = kept_on + (f"-{kept_off}" if kept_off else "")
        if kept or end == ":":
            self.done.append(f"(?{kept}{end}")

    # Backslashes

    def escape(self, *, in_class: bool = False) -> None:
        self.at += 1
        letter = self.take(1)
        if letter == "u":
            self.write_character(self.read_utf16())
        elif letter in {"p", "P"}:
            self.property(negated=letter == "P", in_class=in_class)
        elif letter == "Q":
            self.done.append(re2.escape(self.take_until("\\E")))
        elif letter == "x":
            self.hexadecimal()
        elif letter == "r":
            self.at += 2 if self.sees("\\n") and not in_class else 0
            self.done.append("\\n")
        elif letter == "0":
            self.octal()
        elif letter == "c":
            self.write_character(ord(self.take(1).upper() or "@") ^ 64)
        else:
            self.done.append(translate_letter(letter, in_class=in_class, braced=self.sees("{")))

    def write_character(self, code: int) -> None:
        self.done.append("\\n" if chr(code) in LINE_ENDS else f"\\x{{{code:x}}}")

    def read_utf16(self) -> int:
        r"""The character of one `\u` escape, or of two that form a surrogate pair; the position is after the `\u`."""
        if self.sees("{"):
            self.at += 1
            return parse_code(self.take_until("}"))
        code = parse_code(self.take(4), length=4)
        if 0xD800 <= code < 0xDC00 and self.sees("\\u"):
            self.at += 2
            low = parse_code(self.take(4), length=4)
            if 0xDC00 <= low < 0xE000:
                return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
        if 0xD800 <= code < 0xE000:
            raise _refuse(HALF_CHARACTER)
        return code

    def hexadecimal(self) -> None:
        if self.sees("{"):
            self.at += 1
            self.write_character(parse_code(self.take_until("}")))
        else:
            self.write_character(parse_code(self.take(2), length=2))

    def octal(self) -> None:
        digits = ""
        while len(digits) < 3 and self.at < len(self.written) and self.written[self.at] in "01234567":
            digits += self.take(1)
        self.write_character(int(digits or "0", 8))

    def property(self, *, negated: bool, in_class: bool) -> None:
        mark = "P" if negated else "p"
        if not self.sees("{"):
            self.done.append(f"\\{mark}{self.take(1)}")
            return
        self.at += 1
        name = self.take_until("}").strip()
        if name.startswith("^"):
            negated, mark, name = not negated, "p" if negated else "P", name[1:]
        posix = name.casefold() in _POSIX_NAMES
        self.done.append(translate_posix(name, negated, in_class) if posix else f"\\{mark}{{{name_property(name)}}}")


def keep_flags(flags: str, *, refused: str) -> str:
    """The switches that RE2 has, without those that change nothing here. Raises BrokenCondition for the others."""
    if set(flags) & set(refused):
        raise _refuse(COMMENT_MODE)
    kept = "".join(flag for flag in flags if flag not in "udx")
    if set(kept) - set("ims"):
        raise _refuse(UNKNOWN_FLAG)
    return kept


def translate_letter(letter: str, *, in_class: bool, braced: bool) -> str:
    """What one letter after a backslash means to RE2. `braced`: an opening brace follows."""
    if not letter:
        return "\\"
    if letter in "123456789kg" and not in_class:
        raise _refuse(BACKREFERENCE)
    if letter in _REFUSED_ESCAPES or (letter in "bB" and braced):
        raise _refuse(UNKNOWN_ESCAPE)
    if letter in _CLASS_ESCAPES:
        return _CLASS_ESCAPES[letter] if in_class else f"[{_CLASS_ESCAPES[letter]}]"
    if in_class and (letter in _NEGATED_CLASS_ESCAPES or letter in "RZ"):
        raise _refuse(UNKNOWN_ESCAPE)
    if letter in _NEGATED_CLASS_ESCAPES:
        return f"[^{_NEGATED_CLASS_ESCAPES[letter]}]"
    if letter == "R":
        return f"[{_VERTICAL}]"
    return _SIMPLE_ESCAPES.get(letter, f"\\{letter}")


def translate_posix(name: str, negated: bool, in_class: bool) -> str:
    r"""`\p{Alpha}` and its like: ASCII classes that RE2 writes between colons."""
    named = f"[:{'^' if negated else ''}{name.lower()}:]"
    return named if in_class else f"[{named}]"


def name_property(name: str) -> str:
    """The script or category that RE2 knows under a Java name: `IsHan`, `script=HAN` and `sc=Han` are all `Han`."""
    for prefix in _PROPERTY_PREFIXES:
        if name.casefold().startswith(prefix) and len(name) > len(prefix):
            name = name[len(prefix) :]
            break
    if len(name) <= 2:
        return name
    return "_".join(part.capitalize() for part in name.replace(" ", "_").split("_"))


def parse_code(digits: str, *, length: int | None = None) -> int:
    """A code point in hexadecimal, of so many digits. Raises BrokenCondition for anything else."""
    hexadecimal = bool(digits) and set(digits) <= set(hexdigits) and length in {None, len(digits)}
    if not hexadecimal or int(digits, 16) > sys.maxunicode:
        raise _refuse(BAD_CODE)
    return int(digits, 16)
