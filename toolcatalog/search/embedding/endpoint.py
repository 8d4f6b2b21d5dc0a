"""An embedder behind an endpoint of OpenAI's form: `POST {url}/embeddings` with `{"model", "input": [...]}`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import httpx2

from .embedder import EmbeddingFailed, Vector

_BATCH = 64


@dataclass(frozen=True)
class EmbeddingsEndpoint:
    """`url` is the API's base, such as `https://api.example.org/v1`; `name` the model; `key` is sent as a bearer token.

    A request that is not answered within `timeout_seconds` has failed. The key is in no error message.
    """

    url: str
    name: str
    key: str = ""
    timeout_seconds: float = 1.0

    @property
    def model(self) -> str:
        """The model's name, and whose it is."""
        return f"{self.name}@{httpx2.URL(self.url).host}"

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors, in the order of the texts."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), _BATCH):
            vectors.extend(self._ask(list(texts[start : start + _BATCH])))
        return vectors

    @cached_property
    def _client(self) -> httpx2.Client:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx2.Client(headers=headers, timeout=self.timeout_seconds, trust_env=False)

    def _ask(self, texts: list[str]) -> list[Vector]:
        try:
            answer = self._client.post(f"{self.url.rstrip('/')}/embeddings", json={"model": self.name, "input": texts})
        except httpx2.HTTPError as error:
            raise EmbeddingFailed(f"{self.model} cannot be reached ({type(error).__name__}).") from error
        if answer.status_code != 200:
            raise EmbeddingFailed(f"{self.model} answered with status {answer.status_code}.")
        try:
            return _read_vectors(answer.json())
        except (KeyError, TypeError, ValueError) as error:
            raise EmbeddingFailed(f"{self.model} did not answer with a list of embeddings.") from error


def _read_vectors(answer: Any) -> list[Vector]:
    rows = sorted(answer["data"], key=lambda row: int(row["index"]))
    return [[float(number) for number in row["embedding"]] for row in rows]
