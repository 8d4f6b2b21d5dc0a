"""Whether one tool would be in the answer of resolve, and why: the same decision, asked of one name."""

from __future__ import annotations

from django.db import transaction

from toolcatalog.contract.reasons import REASONS_IN, RETRYABLE_REASONS, Reason, soften_reason
from toolcatalog.contract.resolve import Availability, Caller, ResolveRequest

from .decided import Resolution
from .names import ExportedNames
from .resolver import preview
from .snapshot import disclosed_tools
from .store import CATALOGS

_DETAILS = {
    Reason.RESIDENT: "The profile always sends it.",
    Reason.TARGETING_MATCH: "A matching group brings it.",
    Reason.SEARCH_HIT: "The conversation found it.",
    Reason.SESSION: "It is a tool of the session.",
    Reason.CALLER: "The caller brings it.",
    Reason.ENTRY: "It is the entry tool of the search.",
    Reason.NO_MATCH: "No group that has it matches, and no search has found it yet.",
    Reason.ACCESS_RESTRICTED: "Groups restrict access to it, and none of their conditions holds for this caller.",
    Reason.OUT_OF_SCOPE: "The profile does not include it.",
    Reason.DISABLED: "It is disabled.",
    Reason.PENDING_REVIEW: "It is not published yet.",
    Reason.RETIRED: "It is retired.",
    Reason.NO_CALLBACK: "This server does not have the code that runs it.",
    Reason.NO_SUCH_VERSION: "The version asked for does not exist.",
    Reason.NOT_EXPORTABLE: "It cannot be written in this format.",
    Reason.OVER_BUDGET: "More tools match than fit.",
    Reason.HIDDEN_BY_OWN: "Your own tool of that name stands before it.",
    Reason.ERROR: "A rule or an engine failed.",
    Reason.UNKNOWN: "There is no such tool for this caller.",
    Reason.NOT_GRANTED: "It is shared, and no grant gives it to this tenant.",
}


def check_availability(name: str, request: ResolveRequest, caller: Caller) -> Availability:
    """Whether `name` would be in the answer. Writes nothing: nothing is shown."""
    with transaction.atomic():
        catalog = CATALOGS.get(caller.tenant_id)
        resolution = preview(catalog, request, caller)
    reason = find_reason(resolution, names_of(resolution).read(name))
    told = reason if caller.may_curate else soften_reason(reason)
    return Availability(reason in REASONS_IN, told, told in RETRYABLE_REASONS, _DETAILS[told], resolution.notices)


def names_of(resolution: Resolution) -> ExportedNames:
    """The names of the tools of this request, those of its session among them."""
    return resolution.permission.catalog.names(resolution.reading.format)


def find_reason(resolution: Resolution, name: str) -> Reason:
    """Why this tool is in the answer, or why it is not."""
    for sent in disclosed_tools(resolution):
        if sent.line.name == name:
            return sent.line.reasons[0]
    for omission in resolution.omitted:
        if omission.name == name:
            return omission.reason
    return resolution.permission.decide(name).reason or Reason.NO_MATCH
