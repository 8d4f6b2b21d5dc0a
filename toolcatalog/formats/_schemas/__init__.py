"""Building blocks that turn a canonical JSON Schema into what one provider takes.

The usual order is tidy, inline, root, keys, then the provider's own subset. Every function makes new dicts and changes
none of its arguments; after `tidy_schema` all of them may rely on well-formed keywords and a bounded depth.
"""

from .arrays import fill_items
from .gemini import to_gemini_schema
from .inline import drop_unknown_refs, has_odd_refs, has_refs, inline_refs
from .keys import find_hidden_characters, has_refused_keys, rename_data, rename_keys
from .keywords import Schema
from .nullable import spread_type_lists
from .root import COMBINATORS, CONDITIONS, Root, needs_repair, repair_root
from .strict import (
    ANTHROPIC_STRICT,
    OPENAI_STRICT,
    NotStrictError,
    StrictDialect,
    count_optional_and_unions,
    make_strict,
)
from .tidy import tidy_schema

__all__ = [
    "ANTHROPIC_STRICT",
    "COMBINATORS",
    "CONDITIONS",
    "OPENAI_STRICT",
    "NotStrictError",
    "Root",
    "Schema",
    "StrictDialect",
    "count_optional_and_unions",
    "drop_unknown_refs",
    "fill_items",
    "find_hidden_characters",
    "has_odd_refs",
    "has_refs",
    "has_refused_keys",
    "inline_refs",
    "make_strict",
    "needs_repair",
    "rename_data",
    "rename_keys",
    "repair_root",
    "spread_type_lists",
    "tidy_schema",
    "to_gemini_schema",
]
