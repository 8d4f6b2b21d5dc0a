"""The several things that one request asks for, so that each of them may find its tool.

A request such as "convert 20 dollars to yen, and then mail the result to Ann" is two asks. Else a long one would be
answered by the tools that fit its longest part.
"""

from __future__ import annotations

import re

MAX_ASKS = 8

_BORDER = re.compile(
    r"(?<=[.!?;])\s+|[!?;\n。！？；]+|,\s*(?=(?:and|then|also|but)\b)"
    r"|\b(?:and then|and also|as well as|additionally|furthermore|moreover|finally|afterwards|next|lastly|also)\b[,，]?"
    r"|然后|同时|另外|此外|接着|最后|以及|并且|还有",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\w")
_SHORTEST_WITH_BLANKS = 12
_SHORTEST_WITHOUT_BLANKS = 5


def split_asks(text: str) -> list[str]:
    """The asks of `text` in order, at most `MAX_ASKS`; none where it is only one.

    A piece too short to be an ask ("Thanks!", "请", "e.g.") belongs to the one before it.
    """
    asks: list[str] = []
    for piece in _BORDER.split(text):
        stripped = piece.strip(" ,，")
        if not stripped:
            continue
        if asks and _is_short(stripped):
            asks[-1] = f"{asks[-1]} {stripped}"
        else:
            asks.append(stripped)
    return asks[:MAX_ASKS] if len(asks) > 1 else []


def _is_short(piece: str) -> bool:
    shortest = _SHORTEST_WITH_BLANKS if piece.isascii() else _SHORTEST_WITHOUT_BLANKS
    return len(_LETTER.findall(piece)) < shortest
