"""The tables. Logic lives in `curation` (writes) and `selectors` (reads)."""

from .calls import Call, CallClaim, CallEnd, ToolUsage
from .exposures import Exposure, ExposureContent
from .fields import OrderedJsonField
from .grants import Grant
from .groups import GroupTool, Matcher, ToolGroup
from .profiles import AgentProfile, ProfileGroup, ProfileTool
from .search import EmbeddingJob, SearchEntry, SearchPosting, SearchTerm, SearchWord
from .sessions import Session
from .state import CatalogChange, CatalogState
from .taxonomy import Category, Tag, ToolSource
from .tenants import ApiKey, Tenant
from .tools import Revision, Tool

__all__ = [
    "AgentProfile",
    "ApiKey",
    "Call",
    "CallClaim",
    "CallEnd",
    "CatalogChange",
    "CatalogState",
    "Category",
    "EmbeddingJob",
    "Exposure",
    "ExposureContent",
    "Grant",
    "GroupTool",
    "Matcher",
    "OrderedJsonField",
    "ProfileGroup",
    "ProfileTool",
    "Revision",
    "SearchEntry",
    "SearchPosting",
    "SearchTerm",
    "SearchWord",
    "Session",
    "Tag",
    "Tenant",
    "Tool",
    "ToolGroup",
    "ToolSource",
    "ToolUsage",
]
