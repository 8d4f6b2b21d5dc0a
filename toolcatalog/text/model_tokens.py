"""Tokens as a language model counts them."""

from __future__ import annotations

from functools import cache
from typing import Protocol

TOKENIZER = "o200k_base"


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@cache
def _encoding() -> _Encoding:
    """Loaded on first use: it costs half a second and some 100 MB."""
    import bpe_openai  # noqa: PLC0415  # not before it is needed

    return bpe_openai.get_encoding(TOKENIZER)  # type: ignore[no-any-return]  # untyped package


def count_model_tokens(text: str) -> int:
    """How many tokens of OpenAI's o200k_base vocabulary `text` takes. Other vendors' models differ by some percent."""
    return len(_encoding().encode_ordinary(text))
