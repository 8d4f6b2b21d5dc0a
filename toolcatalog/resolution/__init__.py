"""Decides what one model call may see: `resolve`, `search`, `check_availability`, and `preview` for people who ask."""

from .availability import check_availability
from .catalog import TenantCatalog
from .formats import read_format
from .resolver import Resolution, preview, resolve
from .searching import search
from .sessions import forget_session
from .snapshot import answer_request, explain, measure_usage
from .store import CATALOGS

__all__ = [
    "CATALOGS",
    "Resolution",
    "TenantCatalog",
    "answer_request",
    "check_availability",
    "explain",
    "forget_session",
    "measure_usage",
    "preview",
    "read_format",
    "resolve",
    "search",
]
