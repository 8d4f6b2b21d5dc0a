"""Exposures for auditors: who was shown what, with the names that people know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from django.db.models import Q, QuerySet

from toolcatalog.contract.sessions import session_tool_id
from toolcatalog.models import AgentProfile, ApiKey, Exposure, ExposureContent, Revision, Tool, ToolGroup


def exposures_of(tenant_id: int) -> QuerySet[Exposure]:
    """The tenant's exposures, newest first."""
    return Exposure.objects.filter(tenant_id=tenant_id).order_by("-at", "-id")


def showing_tool(exposures: QuerySet[Exposure], tenant_id: int, name: str) -> QuerySet[Exposure]:
    """Those that showed a tool which has, or once had, this name: one of the catalog's, or a session's own."""
    ids = [*_ids_of_name(Tool, Revision.Kind.TOOL, tenant_id, name), session_tool_id(name)]
    hashes = ExposureContent.objects.filter(tenant_id=tenant_id, tool_ids__overlap=ids).values("sha256")
    return exposures.filter(snapshot_sha256__in=hashes)


def matching_group(exposures: QuerySet[Exposure], tenant_id: int, name: str) -> QuerySet[Exposure]:
    """Those in which a group matched which has, or once had, this name."""
    ids = _ids_of_name(ToolGroup, Revision.Kind.GROUP, tenant_id, name)
    hashes = ExposureContent.objects.filter(tenant_id=tenant_id, group_ids__overlap=ids).values("sha256")
    return exposures.filter(snapshot_sha256__in=hashes)


def _ids_of_name(model: type[Tool] | type[ToolGroup], kind: str, tenant_id: int, name: str) -> list[int]:
    owned = Q(owner_id=tenant_id) | Q(owner_id=None)
    now = model.objects.filter(owned, name=name).values_list("pk", flat=True)
    once = Revision.objects.filter(owned, kind=kind, name=name).values_list("object_id", flat=True)
    return sorted({*now, *once})


def render_exposures(exposures: Sequence[Exposure], *, whole: bool = False) -> list[dict[str, Any]]:
    """Exposures as JSON objects: three queries for any number. With `whole`, the exact snapshot and context are in."""
    bodies = _read_bodies(exposures)
    keys = {key.pk: key for key in ApiKey.objects.filter(pk__in={e.api_key_id for e in exposures})}
    profiles = dict(AgentProfile.objects.filter(pk__in={e.profile_id for e in exposures}).values_list("pk", "slug"))
    return [_render(exposure, bodies, keys, profiles, whole=whole) for exposure in exposures]


def _read_bodies(exposures: Iterable[Exposure]) -> dict[bytes, bytes]:
    hashes = {bytes(h) for e in exposures for h in (e.snapshot_sha256, e.context_sha256) if h is not None}
    rows = ExposureContent.objects.filter(pk__in=hashes).values_list("sha256", "body")
    return {bytes(sha256): bytes(body) for sha256, body in rows}


def _render(
    exposure: Exposure, bodies: dict[bytes, bytes], keys: dict[int, ApiKey], profiles: dict[int, str], *, whole: bool
) -> dict[str, Any]:
    snapshot = bodies.get(bytes(exposure.snapshot_sha256), b"{}")
    body = orjson.loads(snapshot)
    key = keys.get(exposure.api_key_id) if exposure.api_key_id is not None else None
    rendered: dict[str, Any] = {
        "id": exposure.id,
        "at": exposure.at,
        "kind": exposure.kind,
        "outcome": exposure.outcome,
        "profile": body.get("profile") or profiles.get(exposure.profile_id or 0),
        "api_key": None if key is None else {"name": key.name, "prefix": key.prefix},
        "account": exposure.account,
        "model": exposure.model,
        "conversation_id": exposure.conversation_id,
        "session_id": exposure.session_id,
        "correlation_id": exposure.correlation_id,
        "request_id": exposure.request_id,
        "catalog_revision": exposure.catalog_revision,
        "digest": f"sha256:{bytes(exposure.snapshot_sha256).hex()}",
        "tool_names": [tool["name"] for tool in body.get("tools", [])],
        "groups": [group["name"] for group in body.get("groups", [])],
        "text_digest": None if exposure.text_digest is None else bytes(exposure.text_digest).hex(),
        "text": exposure.text,
    }
    if whole:
        context = bodies.get(bytes(exposure.context_sha256), b"{}") if exposure.context_sha256 is not None else b"{}"
        rendered |= {"context": orjson.Fragment(context), "snapshot": orjson.Fragment(snapshot)}
    return rendered
