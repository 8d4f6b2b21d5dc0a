"""The snapshot of one resolution: the bytes that are hashed and recorded, and the answer that the caller reads."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson

from toolcatalog.auditing import ExposureEntry, digest_text, record_exposure
from toolcatalog.contract.catalog import TenantRecord, TextPolicy
from toolcatalog.contract.export import ArgumentMap
from toolcatalog.contract.json import JsonObject, dump_canonical_json, dump_json
from toolcatalog.contract.reasons import soften_reason
from toolcatalog.contract.resolve import (
    Caller,
    Explanation,
    GroupAnswer,
    Omission,
    ResolveAnswer,
    SnapshotStamp,
    ToolTrace,
    Usage,
)
from toolcatalog.matchers import hide_other_tenants_in
from toolcatalog.text import TOKENIZER, count_model_tokens

from .catalog import TenantCatalog
from .decided import Resolution
from .exporting import SentTool, wrapper_tokens

RESOLVER_VERSION = 1


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the database made of a snapshot: its exposure's id and time, and the digest of its body."""

    id: UUID
    at: datetime
    digest: str


def record_resolution(catalog: TenantCatalog, resolution: Resolution, caller: Caller) -> Recorded:
    """Write the exposure of a resolution in the current transaction."""
    reading = resolution.reading
    body = snapshot_body(catalog.tenant, resolution)
    digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
    exposure_id, at = record_exposure(
        ExposureEntry(
            kind="resolve",
            outcome="unchanged" if reading.request.if_digest == digest else "resolved",
            tenant=catalog.tenant,
            api_key_id=caller.key_id,
            profile_id=reading.profile.id,
            request_id=caller.request_id,
            catalog_revision=catalog.stamp.revision,
            resolver_version=RESOLVER_VERSION,
            context=reading.context,
            body=body,
            tool_ids=shown_ids(resolution),
            group_ids=tuple(group.id for group in resolution.matching),
            session_id=reading.request.session_id,
            correlation_id=reading.request.correlation_id,
            text=reading.context.message,
            groups=reading.request.groups,
        )
    )
    return Recorded(exposure_id, at, digest)


def shown_ids(resolution: Resolution) -> tuple[int, ...]:
    """The ids of all tools that this snapshot discloses: sent, or found in a disclosure that sends none.

    Those of a session's own tools stand for their names.
    """
    sent = (one.line for one in resolution.sent.tools if one.line.decision is not None)
    names = (*(line.name for line in sent), *resolution.active_tools)
    tools = (resolution.permission.catalog.find(name) for name in dict.fromkeys(names))
    return tuple(tool.id for tool in tools if tool is not None)


def snapshot_body(tenant: TenantRecord, resolution: Resolution) -> bytes:
    """The canonical bytes of what was shown. Names the tenant, so that no two tenants ever share a body.

    The caller's own system text is message text: unless the tenant keeps texts, only its keyed digest is in here,
    beside the additions that the catalog made.
    """
    reading = resolution.reading
    system_prompt: Any = resolution.prompted.system_prompt
    keeps_text = tenant.text_policy is TextPolicy.FULL or not resolution.has_base_prompt
    return dump_canonical_json(
        {
            "kind": "resolve",
            "tenant": tenant.slug,
            "profile": reading.profile.slug,
            "format": reading.format.name,
            "disclosure": reading.disclosure,
            "found": [_tool_body(sent) for sent in resolution.disclosed.found],
            "deferred": resolution.disclosed.deferred,
            "groups": [{"name": g.name, "id": g.id, "revision": g.revision} for g in resolution.matching],
            "vendor_tools": resolution.vendor_entries,
            "tools": [_tool_body(sent) for sent in resolution.sent.tools],
            "versions": dict(reading.request.versions),
            "additions": resolution.additions,
            "system_prompt": system_prompt if keeps_text else None,
            "system_prompt_digest": None
            if keeps_text
            else digest_text(tenant, dump_json(system_prompt).decode()).hex(),
        }
    )


def _tool_body(sent: SentTool) -> JsonObject:
    line, decision = sent.line, sent.line.decision
    body: dict[str, Any] = {
        "name": line.name,
        "exported_name": sent.tool.name,
        "reasons": line.reasons,
        "groups": line.groups,
        "definition": orjson.Fragment(sent.json),
    }
    if decision is not None and decision.tool is not None and decision.content is not None:
        body |= {"sha256": decision.sha256.hex(), "version": decision.content.version}
        if not decision.tool.of_session:
            body |= {"id": decision.tool.id, "revision": decision.revision}
    if sent.tool.arguments:
        body["arguments"] = render_argument_map(sent.tool.arguments)
    return body


def render_argument_map(how: ArgumentMap) -> JsonObject:
    """How to read the arguments of a call of an exported tool, as JSON."""
    return {"keys": dict(how.keys), "null_means_absent": list(how.null_means_absent)}


def answer_request(catalog: TenantCatalog, resolution: Resolution, recorded: Recorded, caller: Caller) -> ResolveAnswer:
    """The answer as the caller reads it."""
    reading = resolution.reading
    request = reading.request
    unchanged = request.if_digest == recorded.digest
    returns = frozenset() if unchanged else request.returns
    return ResolveAnswer(
        snapshot=SnapshotStamp(
            id=recorded.id,
            digest=recorded.digest,
            catalog_revision=catalog.stamp.revision,
            created_at=recorded.at,
            valid_until=recorded.at + timedelta(seconds=reading.profile.valid_for_seconds),
        ),
        unchanged=unchanged,
        request=_vendor_request(resolution),
        tools=list(resolution.disclosed.tools),
        system_prompt=resolution.prompted.system_prompt,
        messages=resolution.prompted.messages,
        tool_names=tuple(sent.line.name for sent in resolution.sent.tools),
        groups=tuple(GroupAnswer(g.record.name, g.outcome.matched, g.outcome.reason) for g in resolution.groups),
        active_tools=resolution.active_tools,
        omitted=tuple(_soften(omission, caller) for omission in resolution.omitted),
        name_map={sent.tool.name: sent.line.name for sent in disclosed_tools(resolution)},
        argument_maps=_argument_maps(resolution),
        usage=measure_usage(resolution),
        notices=resolution.notices,
        explanation=explain(resolution) if request.explain else None,
        returns=returns,
    )


def _vendor_request(resolution: Resolution) -> JsonObject:
    """The vendor's fields for tools and conversation, merged one level deep where both speak of the same field."""
    fields = dict(resolution.prompted.request)
    for key, value in resolution.disclosed.fields.items():
        present = fields.get(key)
        fields[key] = {**present, **value} if isinstance(present, Mapping) and isinstance(value, Mapping) else value
    return resolution.reading.format.complete_request(fields)


def _soften(omission: Omission, caller: Caller) -> Omission:
    return omission if caller.may_curate else Omission(omission.name, soften_reason(omission.reason))


def disclosed_tools(resolution: Resolution) -> tuple[SentTool, ...]:
    """Every tool that the model may call on the strength of this answer: sent, or found beside the list."""
    return (*resolution.sent.tools, *resolution.disclosed.found)


def _argument_maps(resolution: Resolution) -> dict[str, JsonObject]:
    return {
        sent.tool.name: render_argument_map(sent.tool.arguments)
        for sent in disclosed_tools(resolution)
        if sent.tool.arguments
    }


def measure_usage(resolution: Resolution) -> Usage:
    """Tokens sent against tokens of sending the whole catalog that this caller may have.

    Both sides count the caller's own tools. The catalog's side is the sum of its neutral definitions, measured when
    they were saved, plus what the format wraps around each tool.
    """
    scope = resolution.permission.search_scope()
    sent = sum(tool.tokens for tool in resolution.sent.tools)
    sent += count_model_tokens(resolution.added_prompt)
    own = sum(tool.tokens for tool in resolution.sent.tools if tool.line.caller is not None)
    catalog = scope.catalog_tokens + scope.catalog_tools * wrapper_tokens(resolution.reading.format) + own
    saved = 100 * (1 - sent / catalog) if catalog else 0.0
    return Usage(sent, catalog, round(saved, 1), TOKENIZER, scope.catalog_tools)


def explain(resolution: Resolution) -> Explanation:
    """Everything that led to the answer: every matcher's own result, every tool's reasons, which search decided.

    Conditions of shared groups on tenants name no other tenant.
    """
    tools = tuple(_trace(sent) for sent in resolution.sent.tools)
    reading = resolution.reading
    tenant = resolution.permission.catalog.tenant.slug
    groups = tuple(
        hide_other_tenants_in(group.outcome, tenant) if group.record.owner_id is None else group.outcome
        for group in resolution.groups
    )
    return Explanation(reading.profile.slug, groups, tools, resolution.found.trace, reading.problems)


def _trace(sent: SentTool) -> ToolTrace:
    line, decision = sent.line, sent.line.decision
    revision = version = None
    if decision is not None and decision.tool is not None and decision.content is not None:
        revision, version = decision.revision or None, decision.content.version
    return ToolTrace(line.name, line.reasons, line.groups, revision, version)
