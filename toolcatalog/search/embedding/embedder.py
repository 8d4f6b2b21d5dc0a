"""The contract of an embedder: texts to vectors, so that texts of one meaning lie near each other.

Others plug in by the entry point group `toolcatalog.embedders`: a class or function that is called without arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt
from typing import Protocol

from toolcatalog.contract.errors import Unavailable

Vector = Sequence[float]


class EmbeddingFailed(Unavailable):
    """An embedder raised, is not installed, did not answer in time, or answered with what is no vector (S28)."""

    code = "embedding_failed"


class Embedder(Protocol):
    """Makes vectors. `model` names the model and its version: vectors of two models are never compared.

    The numbers of a vector lie about evenly on both sides of zero, as those of the usual models do: in a large catalog
    their signs choose the tools that are compared exactly.

    `embed` is called by several threads at once. It answers one vector for each text, in order, all of one length, or
    raises; whatever it raises counts as `EmbeddingFailed`.
    """

    @property
    def model(self) -> str:
        """Name and version of the model."""

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of some texts, none of them empty."""


def embed_texts(embedder: Embedder, texts: Sequence[str], *, length: int | None = None) -> list[list[float]]:
    """The vectors of `texts`, checked and brought to length 1. `length` is how many numbers each must have, if known.

    Raises EmbeddingFailed; what is wrong is said in words and no vector of the batch is used.
    """
    try:
        vectors = [[float(number) for number in vector] for vector in embedder.embed(texts)]
    except EmbeddingFailed:
        raise
    except Exception as error:  # an embedder may be somebody else's code
        raise EmbeddingFailed(f"The embedder {embedder.model} failed ({type(error).__name__}: {error}).") from error
    if len(vectors) != len(texts):
        raise EmbeddingFailed(f"{embedder.model} answered with {len(vectors)} vectors for {len(texts)} texts.")
    expected = length or len(vectors[0]) if vectors else 0
    return [_normalise(embedder.model, vector, expected) for vector in vectors]


def _normalise(model: str, vector: Sequence[float], length: int) -> list[float]:
    if not vector:
        raise EmbeddingFailed(f"{model} answered with an empty vector.")
    if len(vector) != length:
        raise EmbeddingFailed(f"{model} answered with a vector of {len(vector)} numbers; {length} were expected.")
    if not all(map(isfinite, vector)):
        raise EmbeddingFailed(f"{model} answered with a vector that holds what is no number.")
    norm = sqrt(sum(number * number for number in vector))
    if norm == 0:
        raise EmbeddingFailed(f"{model} answered with a vector of nothing but zeros.")
    return [number / norm for number in vector]
