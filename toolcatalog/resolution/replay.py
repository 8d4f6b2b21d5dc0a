"""Replay: what an earlier request would be answered today, and what of it differs. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from toolcatalog.auditing import StoredRequest, find_request
from toolcatalog.contract.errors import Conflict, InvalidInput, NotFound
from toolcatalog.contract.json import JsonValue
from toolcatalog.contract.reasons import Reason
from toolcatalog.contract.replay import ReplayAnswer
from toolcatalog.contract.resolve import Caller, ResolveRequest
from toolcatalog.models import Exposure

from .catalog import TenantCatalog
from .decided import Resolution
from .differences import compare
from .formats import read_format
from .profiles import profile_of_snapshot
from .resolver import NOTHING_FOUND, decide_resolution, read_request
from .sessions import read_session_tools
from .store import CATALOGS


def replay_exposure(exposure_id: UUID, caller: Caller) -> ReplayAnswer:
    """Resolve the request of an exposure again, and say what differs.

    What the conversation had found is taken from the record, and authorised anew; so are the caller's own tools, and
    those of the session as they are now. Writes no exposure and touches no session. Raises NotFound; Conflict
    `context_not_stored` where the text policy kept no message, `not_a_resolve` for a search, and whatever word says
    why the request cannot be answered at all today.
    """
    with transaction.atomic():
        catalog = CATALOGS.get(caller.tenant_id)
        stored = find_request(catalog.tenant, exposure_id)
        if stored is None:
            raise NotFound("There is no such exposure.")
        refuse_incomplete(stored)
        try:
            resolution = resolve_again(catalog, stored, caller)
        except InvalidInput as error:
            raise Conflict(f"The request cannot be answered today. {error.detail}", code=error.code) from error
    return compare(stored, resolution, caller)


def refuse_incomplete(stored: StoredRequest) -> None:
    """Raise Conflict where not enough of the request is on record."""
    if stored.kind != Exposure.Kind.RESOLVE:
        raise Conflict("This exposure is of a search. Replay one of kind “resolve”.", code="not_a_resolve")
    if stored.had_text and stored.text is None:
        message = "The tenant's text policy kept no message. Requests after it is set to “full” can be replayed."
        raise Conflict(message, code="context_not_stored")


def resolve_again(catalog: TenantCatalog, stored: StoredRequest, caller: Caller) -> Resolution:
    """Today's decision. Raises InvalidInput."""
    profile = profile_of_snapshot(catalog, stored.snapshot.stored.profile_id, ())
    request = make_request(stored, profile.slug)
    reading = read_request(catalog, request, Caller(caller.tenant_id, scopes=caller.scopes))
    own = read_session_tools(catalog.tenant, profile.id, stored.snapshot.stored.session_id)
    return decide_resolution(catalog.with_session(own), reading, NOTHING_FOUND)


def make_request(stored: StoredRequest, profile: str) -> ResolveRequest:
    """The request as the record tells it. Without a user's text there is a conversation, but an empty one."""
    body = stored.snapshot.body
    has_text = stored.text is not None
    return ResolveRequest(
        messages=None if has_text else [],
        prompt=stored.text if has_text else None,
        profile=profile,
        context=stored.snapshot.stored.context,
        tools=[*body.get("vendor_tools", ()), *read_callers_tools(body)],
        groups=stored.groups,
        active_tools=tuple(dict.fromkeys(name_found(body))),
        versions=body.get("versions", {}),
        disclosure=body["disclosure"],
        format=body["format"],
    )


def read_callers_tools(body: Mapping[str, Any]) -> Iterable[JsonValue]:
    """The caller's own tools as neutral definitions, under the names that the caller gave them."""
    format_ = read_format(body["format"])
    for tool in body["tools"]:
        if Reason.CALLER in tool["reasons"]:
            (read,) = format_.read_tools([tool["definition"]])
            yield {
                "name": tool["name"],
                "description": read.description,
                "parameters": read.parameters,
                **read.members,
            }


def name_found(body: Mapping[str, Any]) -> Iterable[str]:
    """The names of the tools that searches had found."""
    for tool in (*body["tools"], *body.get("found", ())):
        if Reason.SEARCH_HIT in tool["reasons"]:
            yield tool["name"]
