"""Decides what one model call may see: `resolve`, `search`, `check_availability`, and `preview` for people who ask."""

from .availability import check_availability
from .catalog import CatalogStamp, TenantCatalog
from .contexts import make_context
from .decided import Resolution
from .disclosing import discloses_strictly, format_for, make_deferred
from .entry import MOST_META_RESULTS
from .exporting import export_allowed
from .formats import read_format
from .names import ExportedNames
from .permission import Decision, Permission
from .profiles import judge_groups, pick_profile, profile_of_snapshot
from .replay import replay_exposure
from .resolver import preview, resolve
from .searching import SearchPlan, answer_plan, find_hidden, find_tools, plan_search, search
from .session_tools import SessionTools
from .session_writing import set_session_tools
from .sessions import NO_MEMORY, SessionMemory, append_turn, forget_session, read_session, read_session_tools
from .snapshot import answer_request, explain, measure_usage
from .store import CATALOGS, read_catalog, read_stamp

__all__ = [
    "CATALOGS",
    "MOST_META_RESULTS",
    "NO_MEMORY",
    "CatalogStamp",
    "Decision",
    "ExportedNames",
    "Permission",
    "Resolution",
    "SearchPlan",
    "SessionMemory",
    "SessionTools",
    "TenantCatalog",
    "answer_plan",
    "answer_request",
    "append_turn",
    "check_availability",
    "discloses_strictly",
    "explain",
    "export_allowed",
    "find_hidden",
    "find_tools",
    "forget_session",
    "format_for",
    "judge_groups",
    "make_context",
    "make_deferred",
    "measure_usage",
    "pick_profile",
    "plan_search",
    "preview",
    "profile_of_snapshot",
    "read_catalog",
    "read_format",
    "read_session",
    "read_session_tools",
    "read_stamp",
    "replay_exposure",
    "resolve",
    "search",
    "set_session_tools",
]
