"""Filling an index."""

from __future__ import annotations

from collections.abc import Iterable

from toolcatalog.contract.tools import SearchDocument

from .provider import SearchProvider


def save_documents(provider: SearchProvider, documents: Iterable[SearchDocument]) -> None:
    """Insert or replace tools, many at once where the provider can."""
    save_all = getattr(provider, "save_all", None)
    if save_all is not None:
        save_all(documents)
        return
    for document in documents:
        provider.save(document)
