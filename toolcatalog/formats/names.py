"""The names under which a whole set of tools is sent."""

from __future__ import annotations

from collections.abc import Iterable

from ._names import allocate_names
from .base import Format


def export_names(format_: Format, names: Iterable[str]) -> dict[str, str]:
    """A legal exported name for every catalog name, no two alike: a pure function of the set of names.

    Of tools that would get one name, the one whose name is legal as it stands keeps it, the others get `_` and the
    first digits of the SHA-256 of their name. The order of `names` plays no part.
    """
    if format_.name_rule is None:
        return {name: name for name in names}
    return allocate_names(format_.name_rule, names)
