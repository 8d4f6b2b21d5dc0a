"""One normal form for text: compatibility forms, letter case and invisible characters make no difference."""

from __future__ import annotations

import unicodedata

_INVISIBLE_RANGES = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
_DROP = {code: None for first, last in _INVISIBLE_RANGES for code in range(first, last + 1)}
_DOTTED_I = "i\u0307"


def normalise_text(text: str, *, fold_case: bool = True) -> str:
    """NFKC, case folded, invisible characters dropped, white space folded to single blanks, not stripped of meaning.

    `ＯＲＤＥＲ` becomes `order`, `ﬁ` `fi`, `订<zero width space>单` `订单`. Traditional and simplified characters stay
    different, and so do letters with other accents. With `fold_case` false upper and lower case stay apart.
    Idempotent.
    """
    if text.isascii():
        return " ".join((text.lower() if fold_case else text).split())
    folded = _fold(text, fold_case)
    while fold_case and _DOTTED_I in folded:
        folded = _fold(folded.replace(_DOTTED_I, "i"), fold_case)
    return " ".join(folded.split())


def _fold(text: str, fold_case: bool) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(_DROP)
    # A second time, since dropping and case folding bring letters and marks together that compose.
    return unicodedata.normalize("NFKC", folded.casefold() if fold_case else folded).translate(_DROP)


def is_blank(text: str) -> bool:
    """Whether nothing is left of `text` once white space, invisible characters and punctuation are taken away (T7)."""
    visible = unicodedata.normalize("NFKC", text).translate(_DROP)
    return not any(unicodedata.category(character)[0] in "LNMS" for character in visible)
