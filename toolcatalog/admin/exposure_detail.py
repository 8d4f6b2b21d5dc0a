"""One exposure as people read it: the stored bytes, put into words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from django.db.models import Q
from django.urls import reverse

from toolcatalog.models import AgentProfile, ApiKey, Exposure, ExposureContent, Revision, Tenant

from .reasons import ReasonWords, describe_reason
from .words import OUTCOMES


@dataclass(frozen=True, slots=True)
class ShownTool:
    """One tool as it was sent. `definition` is JSON as text; `revision_url` leads to the state that was shown."""

    name: str
    exported_name: str
    reasons: tuple[ReasonWords, ...]
    groups: tuple[str, ...]
    revision: int | None
    version: str
    sha256: str
    definition: str
    revision_url: str


@dataclass(frozen=True, slots=True)
class ShownExposure:
    """Everything that the record holds. `is_intact` says whether the stored bytes still have their hash."""

    exposure: Exposure
    tenant: Tenant | None
    profile: AgentProfile | None
    key: ApiKey | None
    outcome: str
    digest: str
    is_intact: bool
    tools: tuple[ShownTool, ...]
    groups: tuple[Mapping[str, Any], ...]
    additions: tuple[str, ...]
    system_prompt: str
    format: str
    context: str
    body: str
    playground: Mapping[str, str]


def describe_exposure(exposure: Exposure) -> ShownExposure:
    """The record with everything that it names."""
    contents = _read_contents(exposure)
    snapshot = contents.get(bytes(exposure.snapshot_sha256), b"{}")
    body = _read_json(snapshot)
    context = _read_json(contents.get(bytes(exposure.context_sha256 or b""), b"{}"))
    tenant = Tenant.objects.filter(pk=exposure.tenant_id).first()
    profile = AgentProfile.objects.filter(pk=exposure.profile_id).first() if exposure.profile_id else None
    return ShownExposure(
        exposure=exposure,
        tenant=tenant,
        profile=profile,
        key=ApiKey.objects.filter(pk=exposure.api_key_id).first() if exposure.api_key_id else None,
        outcome=str(OUTCOMES.get(exposure.outcome, exposure.outcome)),
        digest=bytes(exposure.snapshot_sha256).hex(),
        is_intact=hashlib.sha256(snapshot).digest() == bytes(exposure.snapshot_sha256),
        tools=_read_tools(body),
        groups=tuple(body.get("groups") or ()),
        additions=tuple(addition for addition in body.get("additions") or () if addition),
        system_prompt=_show(body.get("system_prompt")),
        format=str(body.get("format") or ""),
        context=_show({key: value for key, value in context.items() if key != "tenant" and value}),
        body=_show(body),
        playground=_playground_request(exposure, tenant, profile, context, body),
    )


def _read_contents(exposure: Exposure) -> dict[bytes, bytes]:
    hashes = [value for value in (exposure.snapshot_sha256, exposure.context_sha256) if value]
    rows = ExposureContent.objects.filter(sha256__in=hashes, tenant_id=exposure.tenant_id)
    return {bytes(row.sha256): bytes(row.body) for row in rows}


def _read_json(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _read_tools(body: Mapping[str, Any]) -> tuple[ShownTool, ...]:
    tools = [tool for tool in body.get("tools") or () if isinstance(tool, dict)]
    urls = _revision_urls([(tool["id"], tool["revision"]) for tool in tools if "id" in tool and "revision" in tool])
    return tuple(
        ShownTool(
            name=str(tool.get("name")),
            exported_name=str(tool.get("exported_name") or ""),
            reasons=tuple(describe_reason(reason) for reason in tool.get("reasons") or ()),
            groups=tuple(tool.get("groups") or ()),
            revision=tool.get("revision"),
            version=str(tool.get("version") or ""),
            sha256=str(tool.get("sha256") or ""),
            definition=_show(tool.get("definition")),
            revision_url=urls.get((tool.get("id"), tool.get("revision")), ""),
        )
        for tool in tools
    )


def _revision_urls(wanted: list[tuple[int, int]]) -> dict[tuple[Any, Any], str]:
    if not wanted:
        return {}
    meant = Q()
    for tool_id, number in wanted:
        meant |= Q(object_id=tool_id, number=number)
    found = Revision.objects.filter(meant, kind=Revision.Kind.TOOL).values_list("object_id", "number", "pk")
    return {(tool_id, number): reverse("admin:toolcatalog_revision_change", args=[pk]) for tool_id, number, pk in found}


def _show(value: Any) -> str:
    if value is None or value in ({}, [], ""):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def _playground_request(
    exposure: Exposure,
    tenant: Tenant | None,
    profile: AgentProfile | None,
    context: Mapping[str, Any],
    body: Mapping[str, Any],
) -> dict[str, str]:
    """The same request in the playground, as far as the record knows it: the message only where texts are kept."""
    if tenant is None:
        return {}
    attributes = context.get("attributes")
    known = {
        "tenant": tenant.slug,
        "profile": profile.slug if profile else None,
        "message": exposure.text,
        "account": exposure.account,
        "model": exposure.model,
        "conversation": exposure.conversation_id,
        "bot": context.get("bot_id"),
        "attributes": json.dumps(attributes, ensure_ascii=False) if attributes else None,
        "format": body.get("format"),
    }
    return {name: str(value) for name, value in known.items() if value}
