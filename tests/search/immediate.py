"""Providers of meaning for tests whose transaction never ends."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from toolcatalog.contract.tools import SearchDocument
from toolcatalog.search.embedding import active_embedder
from toolcatalog.search.providers.semantic import HybridProvider, SemanticProvider, has_vectors, work_off


class Immediate:
    """Makes vectors at once instead of after the transaction, which a test never ends."""

    def save_all(self, documents: Iterable[SearchDocument]) -> None:
        super().save_all(documents)  # type: ignore[misc]  # the provider it is mixed into
        work_off(active_embedder())


class ImmediateSemantic(Immediate, SemanticProvider):
    """See `Immediate`."""


class ImmediateHybrid(Immediate, HybridProvider):
    """See `Immediate`."""


def need_vectors() -> None:
    if not has_vectors():
        pytest.skip("this server has no pgvector")
