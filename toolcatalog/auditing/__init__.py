"""The audit: writes exposures in the transaction of the answer, and reads them for auditors."""

from .exposures import exposures_of, matching_group, render_exposures, showing_tool
from .reading import StoredContext, find_context, read_content
from .record import ExposureEntry, digest_text, record_exposure

__all__ = [
    "ExposureEntry",
    "StoredContext",
    "digest_text",
    "exposures_of",
    "find_context",
    "matching_group",
    "read_content",
    "record_exposure",
    "render_exposures",
    "showing_tool",
]
