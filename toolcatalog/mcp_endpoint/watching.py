"""Tells clients that their tools have changed when somebody edits the catalog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import anyio
import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, InterfaceError

from toolcatalog.resolution import CatalogStamp, TenantCatalog, read_catalog, read_stamp

from .threads import Threads
from .visits import McpSession, SessionBook

log = structlog.get_logger(__name__)

LOOK_EVERY_SECONDS = 2.0
SEND_SECONDS = 1.0
"""How long a client's stream may take a notification."""
GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError)


@dataclass(frozen=True, slots=True)
class Seen:
    """All that a tenant's clients could be shown a part of, at one moment."""

    tools: dict[str, Any]
    groups: tuple[Any, ...]
    profiles: dict[str, Any]


NOTHING = Seen({}, (), {})


def see(tenant_id: int) -> Seen:
    """What the tenant has now: what other tenants edit does not show in it. A tenant that is gone has nothing."""
    try:
        catalog: TenantCatalog = read_catalog(tenant_id)
    except ObjectDoesNotExist:
        return NOTHING
    tools = {name: catalog.find_in_catalog(name) for name in catalog.visible_names()}
    return Seen(tools, tuple(group.record for group in catalog.groups.groups), dict(catalog.profiles))


async def watch(book: SessionBook, threads: Threads) -> None:
    """Look at the catalog's revision for as long as there are sessions: one query for all of them."""
    stamp: CatalogStamp | None = None
    seen: dict[int, Seen] = {}
    while True:
        await anyio.sleep(LOOK_EVERY_SECONDS)
        sessions = book.open_sessions()
        tenants = {session.visit.caller.tenant_id for session in sessions}
        seen = {tenant_id: one for tenant_id, one in seen.items() if tenant_id in tenants}
        if not tenants:
            continue
        try:  # what happens here must not end the sessions, which go on without being told
            latest = await threads.read(read_stamp)
            if latest == stamp and tenants == seen.keys():
                continue
            now = {tenant_id: await threads.read(see, tenant_id) for tenant_id in tenants}
        except (DatabaseError, InterfaceError) as error:
            log.warning("catalog_not_watched", error=type(error).__name__)
            continue
        except Exception:  # a fault of ours in reading a catalog
            log.exception("catalog_not_watched")
            continue
        changed = {tenant_id for tenant_id, one in now.items() if tenant_id in seen and seen[tenant_id] != one}
        stamp, seen = latest, now
        await tell([session for session in sessions if session.visit.caller.tenant_id in changed])


async def tell(sessions: Sequence[McpSession]) -> None:
    """Tell these clients, all at once: one that does not read holds up no other."""
    async with anyio.create_task_group() as group:
        for session in sessions:
            group.start_soon(_tell_one, session)


async def _tell_one(session: McpSession) -> None:
    if session.channel is None:
        return
    try:
        with anyio.move_on_after(SEND_SECONDS):
            await session.channel.send_tool_list_changed()
    except GONE:
        log.debug("client_gone")
