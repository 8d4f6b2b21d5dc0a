"""Keeps, in each process, the compiled catalogs of the tenants in use, and brings them up to date."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from threading import Lock

from django.db import connection, transaction

from toolcatalog import selectors
from toolcatalog.contract.catalog import ToolRecord

from .catalog import CatalogStamp, TenantCatalog
from .compiling import compile_catalog

MAX_TENANTS = 1000
OPTIMISTIC_READS = 3
_TOOL_KINDS = frozenset({"tool", "revision"})
_LABEL_KINDS = frozenset({"category", "tag", "source"})
_CHANGES = "SELECT kind, object_id, revision, id FROM toolcatalog_change WHERE revision > %s OR id = %s"


class CatalogStore:
    """Compiled catalogs by tenant.

    `get` asks the database for the revision every time: an edit is in the next request. At most `most` catalogs are
    kept; the one not asked for longest goes first.
    """

    def __init__(self, *, most: int = MAX_TENANTS) -> None:
        self._most = most
        self._catalogs: OrderedDict[int, TenantCatalog] = OrderedDict()
        self._locks: dict[int, Lock] = {}
        self._lock = Lock()

    def get(self, tenant_id: int) -> TenantCatalog:
        """The tenant's catalog as committed now. One query when nothing changed."""
        catalog = self._look_up(tenant_id)
        if catalog is not None and catalog.stamp == read_stamp():
            return catalog
        with self._tenant_lock(tenant_id):
            # Read anew: while this thread waited, another one may have done the work, for a newer state even.
            stamp = read_stamp()
            catalog = self._catalogs.get(tenant_id)
            if catalog is None or catalog.stamp != stamp:
                catalog = read_consistently(catalog, tenant_id, stamp)
                self._keep(tenant_id, catalog)
        return catalog

    def _tenant_lock(self, tenant_id: int) -> Lock:
        with self._lock:
            return self._locks.setdefault(tenant_id, Lock())

    def _look_up(self, tenant_id: int) -> TenantCatalog | None:
        with self._lock:
            catalog = self._catalogs.get(tenant_id)
            if catalog is not None:
                self._catalogs.move_to_end(tenant_id)
            return catalog

    def _keep(self, tenant_id: int, catalog: TenantCatalog) -> None:
        with self._lock:
            self._catalogs[tenant_id] = catalog
            self._catalogs.move_to_end(tenant_id)
            while len(self._catalogs) > self._most:
                self._catalogs.popitem(last=False)


_STAMP = """
SELECT revision, transaction, (SELECT coalesce(max(id), 0) FROM toolcatalog_change)
FROM toolcatalog_state WHERE id = 1
"""
_LOCK = "SELECT 1 FROM toolcatalog_state WHERE id = 1 FOR SHARE"


def read_stamp(*, lock: bool = False) -> CatalogStamp:
    """The committed state of the catalog, or what this transaction made of it; with `lock` nobody can change it."""
    with connection.cursor() as cursor:
        if lock:
            cursor.execute(_LOCK)
        cursor.execute(_STAMP)
        row = cursor.fetchone()
    return CatalogStamp(*row) if row else CatalogStamp(0, 0, 0)


def read_consistently(old: TenantCatalog | None, tenant_id: int, stamp: CatalogStamp) -> TenantCatalog:
    """Read the catalog so that it is wholly of one committed state, although each statement sees its own moment.

    Nothing was committed in between when the stamp is the same before and after. Under steady edits the last try
    holds editors back.
    """
    for _ in range(OPTIMISTIC_READS):
        catalog = refresh_catalog(old, tenant_id, stamp)
        after = read_stamp()
        if after == stamp:
            return catalog
        stamp = after
    with transaction.atomic():
        return refresh_catalog(old, tenant_id, read_stamp(lock=True))


def refresh_catalog(old: TenantCatalog | None, tenant_id: int, stamp: CatalogStamp) -> TenantCatalog:
    """The catalog of `stamp`: tools that did not change are taken over from the old one."""
    return compile_catalog(
        stamp=stamp,
        tenant=selectors.read_tenant(tenant_id),
        tools=_refresh_tools(old, tenant_id, stamp),
        grants=selectors.read_grants(tenant_id),
        groups=selectors.read_groups(tenant_id),
        profiles=selectors.read_profiles(tenant_id),
    )


def _refresh_tools(old: TenantCatalog | None, tenant_id: int, stamp: CatalogStamp) -> dict[int, ToolRecord]:
    changed = None if old is None else _changed_tools(old.stamp, stamp)
    if old is None or changed is None:
        return {tool.id: tool for tool in selectors.read_tools(tenant_id)}
    if not changed:
        return dict(old.tools)
    tools = {tool_id: tool for tool_id, tool in old.tools.items() if tool_id not in changed}
    tools.update((tool.id, tool) for tool in selectors.read_tools(tenant_id, changed))
    return tools


def _changed_tools(old: CatalogStamp, new: CatalogStamp) -> Collection[int] | None:
    """The ids of the tools that changed between two states; None when that cannot be told, or touches them all.

    The log must still hold the end of the old state: where it does not, that state was rolled back.
    """
    if not old.revision < new.revision:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES, [old.revision, old.change])
        changes = cursor.fetchall()
    later = [(kind, object_id) for kind, object_id, revision, _ in changes if revision > old.revision]
    revisions = {revision for *_, revision, _ in changes if revision > old.revision}
    is_built_on_old = any((revision, entry) == (old.revision, old.change) for *_, revision, entry in changes)
    if not is_built_on_old or len(revisions) < new.revision - old.revision:
        return None
    if any(kind in _LABEL_KINDS for kind, _ in later):
        return None
    return {object_id for kind, object_id in later if kind in _TOOL_KINDS}


CATALOGS = CatalogStore()
"""The store of this process."""


def read_catalog(tenant_id: int) -> TenantCatalog:
    """The tenant's compiled catalog as committed now."""
    return CATALOGS.get(tenant_id)
