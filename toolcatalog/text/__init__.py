"""Text as people type it, brought to one form: the same one for rules, for the search index and for queries."""

from .normalise import is_blank, normalise_text

__all__ = ["is_blank", "normalise_text"]
