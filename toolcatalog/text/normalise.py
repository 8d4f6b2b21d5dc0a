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
    (0xE0000, 0xE0FFF),
)
_DROP = {code: None for first, last in _INVISIBLE_RANGES for code in range(first, last + 1)}
_DOTTED_I = "i\u0307"


def normalise_text(text: str) -> str:
    """NFKC, case folded, invisible characters dropped, white space folded to single blanks, not stripped of meaning.

    `ＯＲＤＥＲ` becomes `order`, `ﬁ` `fi`, `订<zero width space>单` `订单`. Traditional and simplified characters stay
    different, and so do letters with other accents. Idempotent.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).translate(_DROP).casefold()
    folded = unicodedata.normalize("NFKC", folded).translate(_DROP).replace(_DOTTED_I, "i")
    return " ".join(folded.split())


def is_blank(text: str) -> bool:
    """Whether nothing is left of `text` once white space, invisible characters and punctuation are taken away (T7)."""
    visible = unicodedata.normalize("NFKC", text).translate(_DROP)
    return not any(unicodedata.category(character)[0] in "LNMS" for character in visible)
