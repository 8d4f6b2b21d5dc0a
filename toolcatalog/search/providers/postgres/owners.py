"""Owners as the index stores them."""

from __future__ import annotations

from collections.abc import Iterable

SHARED_KEY = 0
"""Stands for "no owner": unlike NULL, it can be part of a key."""


def owner_key(owner_id: int | None) -> int:
    """The owner as the index stores it: the tenant's id, or 0 for what is shared."""
    return SHARED_KEY if owner_id is None else owner_id


def owner_keys(owner_ids: Iterable[int | None]) -> list[int]:
    """The distinct keys of several owners, in order."""
    return sorted({owner_key(owner_id) for owner_id in owner_ids})


def read_owner(key: int) -> int | None:
    """The owner that a key stands for."""
    return None if key == SHARED_KEY else key
