"""Sets the tools that one session brings along (R13)."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from toolcatalog.contract.catalog import Eviction
from toolcatalog.contract.errors import Conflict, FieldError, InvalidInput
from toolcatalog.contract.resolve import Caller
from toolcatalog.contract.sessions import SessionToolsAnswer, SessionToolsRequest
from toolcatalog.text import is_reserved

from .catalog import TenantCatalog
from .profiles import pick_profile
from .session_tools import dump_definitions
from .sessions import keep_tools
from .store import CATALOGS


def set_session_tools(request: SessionToolsRequest, caller: Caller) -> SessionToolsAnswer:
    """Give the session these searchable tools in place of those it had. All of them, or nothing.

    The definitions have been checked each by itself. Raises InvalidInput with every name that is not free for them,
    Conflict `no_sessions` where the tenant keeps no sessions.
    """
    with transaction.atomic():
        catalog = CATALOGS.get(caller.tenant_id)
        profile = pick_profile(catalog, request.profile, caller.profiles)
        if catalog.tenant.eviction is Eviction.ALWAYS:
            message = "This tenant forgets every session at once. Pass the tools with each resolve instead, as `tools`."
            raise Conflict(message, code="no_sessions")
        errors = list(find_name_errors(catalog, request))
        if errors:
            raise InvalidInput(errors, code=errors[0].code if len(errors) == 1 else None)
        keep_tools(catalog.tenant, profile.id, request.session_id, dump_definitions(request.tools))
    return SessionToolsAnswer(request.session_id, profile.slug, tuple(tool.name for tool in request.tools))


def find_name_errors(catalog: TenantCatalog, request: SessionToolsRequest) -> Iterator[FieldError]:
    """Names that are the search's own, that the tenant's catalog has, or that come twice."""
    reserved = catalog.reserved_names()
    seen: set[str] = set()
    for index, tool in enumerate(request.tools):
        path = f"tools[{index}].name"
        if is_reserved(tool.name, reserved):
            message = f"“{tool.name}” is the name of the catalog's own tool. Rename the session's."
            yield FieldError(path, "reserved_name", message)
        elif catalog.takes_name(tool.name):
            message = f"The catalog has a tool “{tool.name}”. Rename the session's, such as with a prefix."
            yield FieldError(path, "name_taken", message)
        elif tool.name in seen:
            yield FieldError(path, "duplicate_tool", f"“{tool.name}” is there twice. Send each tool once.")
        seen.add(tool.name)
