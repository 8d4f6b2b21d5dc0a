"""Reads the catalog of one tenant as plain records: the one place where rows become what requests are decided on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL

from toolcatalog.contract.catalog import (
    LIVE_STATUSES,
    Disclosure,
    Effect,
    Eviction,
    Execution,
    GrantRecord,
    GroupRecord,
    PinnedContent,
    Policy,
    ProfileRecord,
    SearchMode,
    SearchSettings,
    TenantRecord,
    TextPolicy,
    ToolContent,
    ToolRecord,
    ToolStatus,
)
from toolcatalog.contract.json import dump_json
from toolcatalog.contract.matching import GroupRules, MatcherRow
from toolcatalog.matchers import has_access_conditions
from toolcatalog.models import (
    AgentProfile,
    GroupTool,
    Matcher,
    ProfileGroup,
    ProfileTool,
    Revision,
    Tag,
    Tenant,
    Tool,
    ToolGroup,
)
from toolcatalog.models import Grant as GrantModel

_TOOL_COLUMNS = (
    "id", "owner_id", "name", "title", "description", "parameters", "output_schema", "annotations", "version",
    "status", "revision", "sha256", "category__slug", "tag_slugs", "source__slug", "execution", "callback",
    "searchable", "replaced_by__name", "tokens", "gone_at",
)  # fmt: skip


def read_tenant(tenant_id: int) -> TenantRecord:
    """The tenant. Raises Tenant.DoesNotExist."""
    tenant = Tenant.objects.get(pk=tenant_id)
    return TenantRecord(
        id=tenant.pk,
        slug=tenant.slug,
        is_active=tenant.is_active,
        text_policy=TextPolicy(tenant.text_policy),
        text_salt=bytes(tenant.text_salt),
        eviction=Eviction(tenant.eviction),
        max_sessions=tenant.max_sessions,
        session_ttl_seconds=tenant.session_ttl_seconds,
    )


def read_tools(tenant_id: int, ids: Collection[int] | None = None) -> list[ToolRecord]:
    """The tenant's own tools and every shared one, in every status.

    With `ids` only those, and those that name one of them as their replacement: a record holds its name.
    """
    tools = Tool.objects.filter(Q(owner=tenant_id) | Q(owner=None))
    if ids is not None:
        tools = tools.filter(Q(pk__in=ids) | Q(replaced_by__in=ids))
    pinnable = _read_pinnable(tools)
    tags = ArraySubquery(Tag.objects.filter(tools=OuterRef("pk")).order_by("slug").values("slug"))
    rows = tools.order_by("name", "pk").annotate(tag_slugs=tags).values_list(*_TOOL_COLUMNS)
    return [_make_tool(row, pinnable.get(row[0], ())) for row in rows.iterator(chunk_size=2000)]


def _make_tool(row: tuple[Any, ...], pinnable: Iterable[PinnedContent]) -> ToolRecord:
    (
        pk, owner_id, name, title, description, parameters, output_schema, annotations, version,
        status, revision, sha256, category, tags, source, execution, callback, searchable, replaced_by, tokens,
        gone_at,
    ) = row  # fmt: skip
    return ToolRecord(
        id=pk,
        owner_id=owner_id,
        content=ToolContent(
            name=name,
            title=title,
            description=description,
            parameters=dump_json(parameters),
            output_schema=None if output_schema is None else dump_json(output_schema),
            annotations=annotations or {},
            version=version,
        ),
        status=ToolStatus(status) if gone_at is None else _status_of_gone(ToolStatus(status)),
        revision=revision,
        sha256=bytes(sha256),
        category=category,
        tags=tuple(tags),
        source=source,
        execution=Execution(execution),
        callback=callback,
        searchable=searchable,
        replaced_by=replaced_by,
        tokens=tokens,
        pinnable=tuple(pinnable),
    )


def _status_of_gone(status: ToolStatus) -> ToolStatus:
    """A tool that its source does not list any more is as if switched off: hidden, and still hiding a shared one."""
    return ToolStatus.DISABLED if status in LIVE_STATUSES else status


def _read_pinnable(tools: QuerySet[Tool]) -> dict[int, list[PinnedContent]]:
    """For every tool: the latest approved revision, live at its time, of each version label other than the live one."""
    live = dict(tools.filter(revision__gt=1).values_list("pk", "version"))
    revisions = (
        Revision.objects.filter(kind=Revision.Kind.TOOL, status=Revision.Status.APPROVED, object_id__in=list(live))
        .annotate(stood=RawSQL("content::json ->> 'status'", ()))
        .filter(stood__in=[status.value for status in LIVE_STATUSES])
        .order_by("object_id", "version", "-number")
        .distinct("object_id", "version")
    )
    pinnable: dict[int, list[PinnedContent]] = defaultdict(list)
    for revision in revisions.iterator(chunk_size=2000):
        if revision.version != live[revision.object_id]:
            pinnable[revision.object_id].append(_make_pinned(revision))
    return pinnable


def _make_pinned(revision: Revision) -> PinnedContent:
    content: dict[str, Any] = revision.content
    output_schema = content.get("output_schema")
    return PinnedContent(
        version=revision.version,
        revision=revision.number,
        sha256=bytes(revision.sha256),
        content=ToolContent(
            name=content["name"],
            title=content.get("title", ""),
            description=content.get("description", ""),
            parameters=dump_json(content["parameters"]),
            output_schema=None if output_schema is None else dump_json(output_schema),
            annotations=content.get("annotations") or {},
            version=revision.version,
        ),
    )


def read_revision_parameters(tool_id: int, number: int) -> bytes | None:
    """The arguments schema of one revision of a tool, as JSON; None when there is no such revision."""
    contents = Revision.objects.filter(kind=Revision.Kind.TOOL, object_id=tool_id, number=number)
    content = contents.values_list("content", flat=True).first()
    return None if content is None else dump_json(content["parameters"])


def read_origin(tool_id: int) -> tuple[str, dict[str, Any]]:
    """What the source calls the tool, and what a runner has to know of it beside that, as last accepted."""
    accepted: dict[str, Any] = Tool.objects.filter(pk=tool_id).values_list("accepted_import", flat=True).first() or {}
    return accepted.get("name", ""), accepted.get("origin") or {}


def read_grants(tenant_id: int) -> tuple[GrantRecord, ...]:
    """Every grant to the tenant."""
    rows = GrantModel.objects.filter(tenant=tenant_id).values_list(
        "effect", "tool_id", "category__slug", "tag__slug", "source__slug", "everything"
    )
    return tuple(GrantRecord(Effect(row[0]), *row[1:]) for row in rows)


def read_groups(tenant_id: int) -> tuple[GroupRecord, ...]:
    """The published groups that the tenant may use: its own, shared ones for all, shared ones that a profile lists."""
    usable = Q(owner=tenant_id) | Q(owner=None, for_all_tenants=True) | Q(owner=None, profiles__tenant=tenant_id)
    groups = list(
        ToolGroup.objects.filter(usable, status=ToolStatus.PUBLISHED).distinct().order_by("position", "name", "pk")
    )
    ids = [group.pk for group in groups]
    rows: dict[int, list[MatcherRow]] = defaultdict(list)
    for matcher in Matcher.objects.filter(group__in=ids):
        rows[matcher.group_id].append(make_matcher_row(matcher))
    tools: dict[int, list[str]] = defaultdict(list)
    for group_id, name in GroupTool.objects.filter(group__in=ids).values_list("group_id", "tool__name"):
        tools[group_id].append(name)
    return tuple(_make_group(group, tuple(rows[group.pk]), tuple(dict.fromkeys(tools[group.pk]))) for group in groups)


def make_matcher_row(matcher: Matcher) -> MatcherRow:
    """The condition as the rules package reads it."""
    return MatcherRow(
        source=matcher.source,
        operator=matcher.operator,
        value=matcher.value,
        attribute=matcher.attribute,
        condition_set=matcher.condition_set,
        negate=matcher.negate,
        ignore_case=matcher.ignore_case,
        whole_word=matcher.whole_word,
        normalise=matcher.normalise,
        note=matcher.note,
    )


def make_group_rules(group: ToolGroup, rows: tuple[MatcherRow, ...]) -> GroupRules:
    """The rules of a group; whether it restricts access follows from its conditions where the curator left it open."""
    rules = GroupRules(name=group.name, match=group.match, rows=rows, params=group.match_params or {})
    restricts = group.restricts_access if group.restricts_access is not None else has_access_conditions(rules)
    return GroupRules(rules.name, rules.match, rules.rows, rules.params, restricts)


def _make_group(group: ToolGroup, rows: tuple[MatcherRow, ...], tools: tuple[str, ...]) -> GroupRecord:
    return GroupRecord(
        id=group.pk,
        owner_id=group.owner_id,
        rules=make_group_rules(group, rows),
        system_prompt=group.system_prompt,
        tools=tools,
        position=group.position,
        revision=group.revision,
        for_all_tenants=group.for_all_tenants,
        offers_search=group.offers_search,
    )


def read_profiles(tenant_id: int) -> tuple[ProfileRecord, ...]:
    """Every profile of the tenant, with its resident tools and groups in order."""
    residents: dict[int, list[str]] = defaultdict(list)
    for profile_id, name in ProfileTool.objects.filter(profile__tenant=tenant_id).values_list(
        "profile_id", "tool__name"
    ):
        residents[profile_id].append(name)
    groups: dict[int, list[int]] = defaultdict(list)
    for profile_id, group_id in ProfileGroup.objects.filter(profile__tenant=tenant_id).values_list(
        "profile_id", "group_id"
    ):
        groups[profile_id].append(group_id)
    return tuple(
        _make_profile(profile, tuple(residents[profile.pk]), None if profile.all_groups else tuple(groups[profile.pk]))
        for profile in AgentProfile.objects.filter(tenant=tenant_id)
    )


def _make_profile(profile: AgentProfile, residents: tuple[str, ...], groups: tuple[int, ...] | None) -> ProfileRecord:
    versions: dict[str, str] = profile.versions or {}
    return ProfileRecord(
        id=profile.pk,
        slug=profile.slug,
        is_default=profile.is_default,
        resident_tools=tuple(dict.fromkeys(residents)),
        groups=groups,
        search=SearchSettings(
            mode=SearchMode(profile.search_mode),
            provider=profile.search_provider,
            entry_tool=profile.entry_tool,
            default_results=profile.default_results,
            max_results=profile.max_results,
            min_score=profile.min_score,
            prefer_used=profile.prefer_used,
            categories=None if profile.search_categories is None else frozenset(profile.search_categories),
            tags=None if profile.search_tags is None else frozenset(profile.search_tags),
            exclude_tools=frozenset(profile.exclude_tools),
            inline_below_tokens=profile.inline_below_tokens,
            suffix=profile.system_prompt_suffix,
        ),
        exposure_policy=Policy(profile.exposure_policy),
        disclosure=Disclosure(profile.disclosure),
        strict=profile.strict,
        versions=tuple(sorted(versions.items())),
        default_model=profile.default_model or None,
        max_tools=profile.max_tools,
        execute_gate=profile.execute_gate,
        gate_hours=profile.gate_hours,
        valid_for_seconds=profile.valid_for_seconds,
    )
