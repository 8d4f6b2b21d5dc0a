"""How a request is read: its arguments, its asks, and words for the same thing."""

from __future__ import annotations

import pytest

from toolcatalog.text.arguments import replace_arguments
from toolcatalog.text.asks import MAX_ASKS, split_asks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("save it to /srv/notes/rome.md", "save it to file markdown"),
        ("read ./tables/people.xlsx now", "read file excel now"),
        ("what is in /srv/music/", "what is in music"),
        ("see https://www.example.org/a/b?c=d now", "see example url now"),
        ("decode " + "aB3/" * 40, "decode"),
        ("TCP/IP and/or km/h", "TCP/IP and/or km/h"),
        ("北京/上海/广州的天气", "北京/上海/广州的天气"),
        ("crm/orders.get_order", "crm/orders.get_order"),
        ("call /login", "call /login"),
    ],
)
def test_arguments__paths_addresses_and_data__words_for_their_kind(text: str, words: str) -> None:
    assert replace_arguments(text).split() == words.split()


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Book a room in Rome", []),
        (
            "Book a room in Rome, and then mail the bill to Ann. Thanks!",
            ["Book a room in Rome", "mail the bill to Ann. Thanks"],
        ),
        ("帮我查一下明天的天气。然后给妈妈发一封邮件", ["帮我查一下明天的天气", "给妈妈发一封邮件"]),
        ("!!! ... ???", []),
        ("", []),
    ],
)
def test_asks__one_or_several__apart(text: str, asks: list[str]) -> None:
    assert split_asks(text) == asks


def test_asks__a_great_many__at_most_so_many() -> None:
    assert len(split_asks("Please do this thing for me. " * 500)) == MAX_ASKS
