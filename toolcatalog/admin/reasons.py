"""The closed list of reasons, as a curator would say them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.reasons import REASONS_IN, Reason


@dataclass(frozen=True, slots=True)
class ReasonWords:
    """A reason in a few words, and in a sentence."""

    title: str | Promise
    sentence: str | Promise


REASONS: dict[Reason, ReasonWords] = {
    Reason.RESIDENT: ReasonWords(_("Always sent"), _("The profile names it among its resident tools.")),
    Reason.TARGETING_MATCH: ReasonWords(_("Group matched"), _("A group that lists it matched this request.")),
    Reason.SEARCH_HIT: ReasonWords(_("Found by search"), _("A search of this conversation found it.")),
    Reason.CALLER: ReasonWords(_("Caller’s own"), _("The caller passed it in.")),
    Reason.SESSION: ReasonWords(_("Session’s own"), _("It belongs to this session alone.")),
    Reason.ENTRY: ReasonWords(_("Tool search"), _("Through this tool the model searches for others.")),
    Reason.NO_MATCH: ReasonWords(
        _("No match"), _("It is available, but neither a matching group nor a search brings it.")
    ),
    Reason.ACCESS_RESTRICTED: ReasonWords(
        _("Access restricted"), _("A group restricts access to it, and its conditions do not hold for this request.")
    ),
    Reason.OUT_OF_SCOPE: ReasonWords(
        _("Out of scope"),
        _("No group or resident list of the profile names it, and the profile’s search may not find it."),
    ),
    Reason.DISABLED: ReasonWords(_("Switched off"), _("A curator switched the tool off.")),
    Reason.PENDING_REVIEW: ReasonWords(
        _("Not published"), _("The tool is a draft or waits for review. Publish it first.")
    ),
    Reason.RETIRED: ReasonWords(_("Retired"), _("The tool is retired.")),
    Reason.NO_CALLBACK: ReasonWords(
        _("Cannot run here"), _("This server should run it, and the function for that is not installed.")
    ),
    Reason.NO_SUCH_VERSION: ReasonWords(_("No such version"), _("The pinned version label does not exist.")),
    Reason.NOT_EXPORTABLE: ReasonWords(
        _("Vendor refuses it"), _("The tool cannot be written in this vendor’s format.")
    ),
    Reason.OVER_BUDGET: ReasonWords(
        _("Too many tools"), _("The answer holds as many tools as the profile or vendor allows.")
    ),
    Reason.HIDDEN_BY_OWN: ReasonWords(
        _("Hidden by own tool"), _("The tenant has a tool of its own of that name, which stands before the shared one.")
    ),
    Reason.ERROR: ReasonWords(_("Error"), _("A rule is broken. See what is said beside it.")),
    Reason.UNKNOWN: ReasonWords(_("Unknown"), _("There is no such tool for this tenant.")),
    Reason.NOT_GRANTED: ReasonWords(_("Not granted"), _("The tool is shared, and no grant gives it to this tenant.")),
}


def describe_reason(reason: str) -> ReasonWords:
    """The words for a reason; one that is not on the list is shown as it is."""
    return REASONS[Reason(reason)] if reason in set(Reason) else ReasonWords(reason, "")


def is_good(reason: str) -> bool:
    """Whether it says why something is in, not why it is out."""
    return reason in REASONS_IN
