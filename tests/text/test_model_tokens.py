"""Tokens are counted with a real tokenizer, whatever the language."""

from __future__ import annotations

import pytest

from toolcatalog.text import TOKENIZER, count_model_tokens

PAIRS = [
    ("Query the real-time weather and the forecast of a city.", "查询指定城市的实时天气和未来预报。"),
    ("Look up the status of an order by its number.", "根据订单号查询订单状态。"),
    ("Send an e-mail to one or more people.", "给一个或多个人发送电子邮件。"),
]


@pytest.mark.parametrize("texts", PAIRS)
def case_T01_chinese_and_english_of_one_meaning__cost_alike(texts: tuple[str, str]) -> None:
    english, chinese = map(count_model_tokens, texts)
    assert english * 0.6 <= chinese <= english * 1.7


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hello world", 2),
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("你好，世界！", 4),
        *zip((text for pair in PAIRS for text in pair), (12, 11, 11, 7, 10, 9), strict=True),
    ],
)
def case_T01_known_texts__have_their_known_number(text: str, tokens: int) -> None:
    """The stated error against the tokenizer that is named is 0: it is that tokenizer, offline."""
    assert TOKENIZER == "o200k_base"
    assert count_model_tokens(text) == tokens
