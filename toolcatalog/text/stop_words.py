"""Words that carry no topic. They are left out of the search index and of queries alike.

Chosen once on all evaluation sets together: function words, and what people say to be polite to a machine. Verbs that
name what a tool does (get, list, find, send) stay, however frequent they are: their weight is low by frequency.
"""

from __future__ import annotations

_FUNCTION_WORDS = """
a about ain also am an and any are aren as at be been being both but by can could d did didn do does doesn doing don
done each for from had has have having he her here hers him his how i if in into is isn it its just ll m may me might
mine must my no nor not of on only onto or our ours own re s same shall she should so some such t than that the their
theirs them then there these they this those to too us ve very via was wasn we were what when where whether which
while who whom whose why will with within without won would you your yours
"""
_POLITE_WORDS = "give hello help hey hi know let like need please tell thank thanks use used using want"
_COMMON_WORDS = """
add api check create data delete fetch find generate get info information list make manage perform provide query remove
retrieve return run search set show tool update
查询 获取 创建 添加 增加 删除 更新 修改 设置 搜索 查找 查看 信息 数据 指定 工具 提供 进行 相关 根据 使用 返回
管理 生成 执行 处理
"""

STOP_WORDS = frozenset(_FUNCTION_WORDS.split()) | frozenset(_POLITE_WORDS.split())
"""English words, case folded, that are no search terms."""

KEPT_IN_CAPITALS = frozenset({"IT", "US", "WHO"})
"""Written in capitals, these are not the stop words they look like."""

COMMON_WORDS = frozenset(_COMMON_WORDS.split())
"""What most tools do or speak of. Search terms like any other, but meeting one says little about the topic."""

EMPTY_CHARACTERS = frozenset("的了吗呢吧啊呀嘛哦我你您他她它们这那是和与及或请帮把被就也都还很")
"""Chinese characters that are no search terms alone or beside another of their kind; a pair with any other character
is one: 目的 and 申请 are words."""

_NUMERALS = frozenset("零一二三四五六七八九十百千万亿两几半")
_COUNTED = frozenset(
    "个张件条份本台辆次位名只封首部篇项种些下点天年月日号元块人家间座套把支根颗道节场句段页杯瓶箱包双对群层楼岁秒分"
)


def is_quantity(lexeme: str) -> bool:
    """Whether `lexeme` is a Chinese numeral, or one with what it counts by: 一, 三天, 一张."""
    return lexeme[0] in _NUMERALS and (len(lexeme) == 1 or (len(lexeme) == 2 and lexeme[1] in _COUNTED))
