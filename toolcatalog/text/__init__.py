"""Text as people type it, brought to one form: the same one for rules, for the search index and for queries."""

from .model_tokens import TOKENIZER, count_model_tokens
from .names import (
    ENTRY_TOOL_NAME,
    META_TOOL_NAMES,
    check_tool_name,
    is_reserved,
    last_segment,
    name_key,
    propose_tool_name,
)
from .normalise import is_blank, normalise_text

__all__ = [
    "ENTRY_TOOL_NAME",
    "META_TOOL_NAMES",
    "TOKENIZER",
    "check_tool_name",
    "count_model_tokens",
    "is_blank",
    "is_reserved",
    "last_segment",
    "name_key",
    "normalise_text",
    "propose_tool_name",
]
