"""Numbers of parcels: CF, eight digits, and a check digit that makes the sum of all digits divisible by 10."""

from __future__ import annotations

from toolcatalog.contract.context import EvaluationContext
from toolcatalog.contract.json import JsonObject

PREFIX = "CF"
DIGITS = 9


class MentionsParcelNumber:
    """Whether the message holds the number of a parcel, typing errors excluded. A group writes it as its `match`."""

    name = "mentions_parcel_number"

    def evaluate(self, context: EvaluationContext, params: JsonObject) -> bool:
        """True when there is a number; `params` may ask for at least so many: `{"at_least": 2}`."""
        wanted = params.get("at_least", 1)
        if not isinstance(wanted, int):
            raise TypeError("at_least is a whole number")
        return len(find_parcel_numbers(context.message or "")) >= wanted


def find_parcel_numbers(text: str) -> list[str]:
    """The numbers in the text, in order, without those whose check digit is wrong."""
    upper = text.upper()
    pieces = upper.split(PREFIX)[1:]
    return [PREFIX + piece[:DIGITS] for piece in pieces if _is_number(piece)]


def _is_number(piece: str) -> bool:
    digits, after = piece[:DIGITS], piece[DIGITS : DIGITS + 1]
    is_whole = len(digits) == DIGITS and digits.isascii() and digits.isdigit() and not after.isdigit()
    return is_whole and sum(map(int, digits)) % 10 == 0
