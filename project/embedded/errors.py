"""The one error of the embedded database."""

from __future__ import annotations


class EmbeddedDatabaseError(Exception):
    """The embedded database cannot be used here. The text is one sentence that says what to do."""
