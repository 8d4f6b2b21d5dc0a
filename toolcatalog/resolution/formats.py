"""Which format a request asks for."""

from __future__ import annotations

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.formats import FORMATS, Format, get_format


def read_format(name: str) -> Format:
    """The format of this name. Raises InvalidInput that lists the ones there are."""
    if name not in FORMATS:
        known = ", ".join(sorted(FORMATS))
        raise InvalidInput.single("format", "unknown_format", f"There is no format “{name}”. Choose one of: {known}.")
    return get_format(name)
