"""Embedders turn texts into vectors, so that search meets meaning and not words alone. Off unless switched on."""

from .embedder import Embedder, EmbeddingFailed, Vector, embed_texts
from .registry import active_embedder, is_switched_on, vector_version
from .texts import describe_tool

__all__ = [
    "Embedder",
    "EmbeddingFailed",
    "Vector",
    "active_embedder",
    "describe_tool",
    "embed_texts",
    "is_switched_on",
    "vector_version",
]
