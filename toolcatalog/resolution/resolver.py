"""Resolve: which tools and which system prompt this one model call gets."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from toolcatalog.contract.catalog import Disclosure, GroupRecord, Policy, ProfileRecord, SearchMode
from toolcatalog.contract.conversation import find_last_user_text
from toolcatalog.contract.errors import FieldError, InvalidInput
from toolcatalog.contract.resolve import Caller, Notice, Omission, ResolveAnswer, ResolveRequest
from toolcatalog.formats import detect_format
from toolcatalog.matchers import cap_message
from toolcatalog.text import META_TOOL_NAMES

from .assembling import Assembly
from .catalog import TenantCatalog
from .choices import read_choice
from .contexts import make_context
from .decided import Reading, Resolution
from .disclosing import choose_disclosure, disclose, drop_stale, format_for
from .entry import EntryKind, EntryTool, search_instructions
from .exporting import SentTools, export_lines
from .formats import read_format
from .found import Found, Turns, read_found
from .names import ExportedNames
from .permission import Permission
from .profiles import judge_groups, pick_profile, select_groups
from .scopes import SearchScope
from .sessions import read_session
from .snapshot import answer_request, record_resolution
from .store import CATALOGS

NOTHING_FOUND: Turns = ()
ENTRY_KINDS = {
    Disclosure.INLINE: (EntryKind.SEARCH,),
    Disclosure.NATIVE: (EntryKind.SEARCH,),
    Disclosure.META: (EntryKind.META_SEARCH, EntryKind.META_EXECUTE),
}


def resolve(request: ResolveRequest, caller: Caller) -> ResolveAnswer:
    """Answer one request and write its exposure, in one transaction: no record, no answer.

    Raises InvalidInput for what cannot be understood, Unavailable for a database that does not answer.
    """
    with transaction.atomic():
        catalog = CATALOGS.get(caller.tenant_id)
        resolution = preview(catalog, request, caller)
        stamp = record_resolution(catalog, resolution, caller)
    return answer_request(catalog, resolution, stamp, caller)


def preview(catalog: TenantCatalog, request: ResolveRequest, caller: Caller) -> Resolution:
    """Decide one request without a record of it: for `resolve`, and for people who ask "what if"."""
    catalog = catalog.for_caller(caller)
    reading = read_request(catalog, request, caller)
    if request.session_id is None:
        return decide_resolution(catalog, reading, NOTHING_FOUND)
    memory = read_session(catalog.tenant, reading.profile.id, request.session_id)
    return decide_resolution(catalog.with_session(memory.tools), reading, memory.turns)


def read_request(catalog: TenantCatalog, request: ResolveRequest, caller: Caller) -> Reading:
    """Understand the request: profile, format, messages, context."""
    profile = pick_profile(catalog, request.profile, caller.profiles)
    disclosure = choose_disclosure(request, profile)
    format_ = format_for(read_format(request.format), disclosure)
    if (request.messages is None) == (request.prompt is None):
        message = "Give either `messages` or `prompt`, one of them."
        raise InvalidInput([FieldError("messages", "messages_or_prompt", message)], code="messages_or_prompt")
    dialect = format_ if request.messages is None else detect_format(request.messages, format_)
    messages = () if request.messages is None else dialect.read_messages(request.messages)
    text = request.prompt if request.messages is None else find_last_user_text(messages)
    notices = []
    if text is not None:
        text, cut = cap_message(text)
        if cut:
            notices.append(Notice("message_capped", "", "Rules saw only the first 64,000 characters of the message."))
    context, problems = make_context(catalog, profile, request.context, text)
    return Reading(request, profile, format_, dialect, messages, context, disclosure, tuple(notices), tuple(problems))


def decide_resolution(catalog: TenantCatalog, reading: Reading, turns: Turns) -> Resolution:
    """Match groups, find tools, put them in order, fit the budget, merge the prompt, write the format. Pure."""
    request, profile = reading.request, reading.profile
    judged, opened = judge_groups(catalog, profile, reading.context, explain=request.explain)
    groups, notices = select_groups(judged, request.groups)
    notices += hidden_notices(catalog)
    matching = [group.record for group in groups if group.outcome.matched]
    permission = Permission(catalog, profile, opened, read_pins(catalog, reading))

    found = find_tools(catalog, reading, turns)
    assembly = assemble(permission, reading, matching, found)
    sent = export_lines(
        catalog,
        reading.format,
        list(assembly.lines.values()),
        strict=profile.strict == "on",
        limit=tool_limit(reading),
        vendor_entries=assembly.vendor_entries,
    )
    additions = merge_additions(matching, reading, catalog.names(reading.format), sent)
    entries = tuple(assembly.vendor_entries)
    disclosed = disclose(catalog, reading, permission, sent, vendor_entries=entries, active_tools=assembly.active_tools)
    messages, dropped = drop_stale(reading, permission, sent, disclosed, entries)
    prompted = reading.format.merge_prompt(
        messages=messages, prompt=request.prompt, base=request.system_prompt, additions=additions
    )
    carried = [Notice(finding.code, "", finding.message) for finding in prompted.findings]
    omitted = [*(Omission(name, reason) for name, reason in assembly.omitted.items()), *sent.omitted]
    omitted += disclosed.omitted
    return Resolution(
        reading=reading,
        permission=permission,
        groups=groups,
        found=found,
        sent=sent,
        disclosed=disclosed,
        vendor_entries=entries,
        additions=tuple(additions),
        prompted=prompted,
        active_tools=tuple(assembly.active_tools),
        omitted=tuple(omitted),
        notices=(
            *reading.notices,
            *notices,
            *assembly.notices,
            *sent.notices,
            *disclosed.notices,
            *dropped,
            *carried,
        ),
    )


def hidden_notices(catalog: TenantCatalog) -> list[Notice]:
    """A notice for each of the session's own tools that has given way to one of the catalog's."""
    hidden = catalog.session.hidden if catalog.session is not None else ()
    detail = "The session's own tool “{name}” is hidden by the catalog's tool of that name. Rename the session's."
    return [Notice("hides_session_tool", name, detail.replace("{name}", name)) for name in hidden]


def read_pins(catalog: TenantCatalog, reading: Reading) -> dict[str, str]:
    """The versions that the request pins, by catalog name."""
    if not reading.request.versions:
        return {}
    names = catalog.names(reading.format)
    return {names.read(name): label for name, label in reading.request.versions.items()}


def find_tools(catalog: TenantCatalog, reading: Reading, turns: Turns) -> Found:
    """The searches that count, with catalog names.

    Names were exported for the format; a caller that writes its messages anew may have used those of the dialect.
    """
    request, profile = reading.request, reading.profile
    entry = profile.search.entry_tool
    native = reading.format.native.search_call_name if reading.format.native is not None else None
    others = META_TOOL_NAMES[:1] if reading.disclosure is Disclosure.META else () if native is None else (native,)
    sent, written = catalog.names(reading.format), catalog.names(reading.dialect)
    return read_found(
        messages=reading.messages,
        entry_names=frozenset({entry, sent.exported[entry], written.exported[entry], *others}),
        policy=policy_of(reading),
        turns=turns,
        active_tools=request.active_tools,
        read_name=lambda name: sent.read(name) if sent.knows(name) else written.read(name),
    )


def policy_of(reading: Reading) -> Policy:
    """Which searches count. Where definitions stay in the conversation all do: what the model was given it may call."""
    if reading.disclosure is not Disclosure.INLINE:
        return Policy.ACCUMULATE
    asked = reading.request.exposure_policy
    return read_choice(Policy, asked, "exposure_policy") if asked else reading.profile.exposure_policy


def assemble(permission: Permission, reading: Reading, matching: Sequence[GroupRecord], found: Found) -> Assembly:
    """All tools in the order of G4."""
    profile = reading.profile
    assembly = Assembly(permission)
    assembly.add_callers(reading.format.read_tools(reading.request.tools))
    assembly.add_residents(profile.resident_tools)
    for group in matching:
        assembly.add_group(group)
    scope = permission.search_scope()
    if scope.ids and offers_search(profile, matching):
        if is_small(profile, scope):
            assembly.add_searchable(sorted(permission.catalog.tool(tool_id).name for tool_id in scope.ids))
        else:
            for kind in ENTRY_KINDS[reading.disclosure]:
                assembly.add_entry(EntryTool(profile.search, scope.categories, kind))
    if reading.disclosure is Disclosure.INLINE:
        assembly.add_found(found.searches)
    else:
        assembly.note_found(found.searches)
    return assembly


def is_small(profile: ProfileRecord, scope: SearchScope) -> bool:
    """Whether all that is searchable costs so little that it is sent in place of the entry tool (G20)."""
    limit = profile.search.inline_below_tokens
    return limit is not None and scope.tokens < limit


def offers_search(profile: ProfileRecord, matching: Sequence[GroupRecord]) -> bool:
    """Whether the model may search in this request (G16)."""
    if profile.search.mode is SearchMode.GROUPS:
        return any(group.offers_search for group in matching)
    return profile.search.mode is SearchMode.ON


def tool_limit(reading: Reading) -> int:
    """The most tools of one answer: the profile's limit, or the vendor's where that is lower."""
    limit = reading.format.max_tools
    return reading.profile.max_tools if limit is None else min(limit, reading.profile.max_tools)


def merge_additions(
    matching: Sequence[GroupRecord], reading: Reading, names: ExportedNames, sent: SentTools
) -> list[str]:
    """What goes to the system prompt: prompts of matching groups, then how to search where the entry tool is sent."""
    additions = [group.system_prompt for group in matching]
    if any(tool.line.entry is not None for tool in sent.tools):
        entry = names.exported[reading.profile.search.entry_tool]
        additions.append(search_instructions(reading.profile, reading.disclosure, entry))
    return additions
