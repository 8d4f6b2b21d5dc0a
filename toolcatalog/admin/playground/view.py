"""The page of the playground. It asks the resolver that requests ask, and writes no exposure."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext

from toolcatalog.admin.translating import translate_sentence
from toolcatalog.contract.catalog import LIVE_STATUSES
from toolcatalog.contract.errors import InvalidInput, ToolCatalogError
from toolcatalog.contract.resolve import Caller
from toolcatalog.models import Tenant, ToolGroup
from toolcatalog.resolution import CATALOGS, preview

from .answer import PlaygroundAnswer, ToolVerdict, describe_answer, describe_verdict
from .form import PlaygroundForm
from .searching import SearchOutcome, try_search

PERMISSION = "toolcatalog.view_agentprofile"
TRIED = frozenset({"message", "query", "tool"})
"""An address with one of these asks something; with none of them it only chooses the tenant."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a request; `problems` where it could not be answered."""

    answer: PlaygroundAnswer | None = None
    verdict: ToolVerdict | None = None
    found: SearchOutcome | None = None
    problems: tuple[str, ...] = ()


def playground(request: HttpRequest) -> HttpResponse:
    """The form, and below it what the request in the address is answered with."""
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    asked = "tenant" in request.GET
    form = PlaygroundForm(_with_defaults(request) if asked else None)
    trial = try_request(form) if asked and TRIED & request.GET.keys() and form.is_valid() else None
    context = {
        **admin.site.each_context(request),
        "title": gettext("Playground"),
        "form": form,
        "trial": trial,
        "drafts": _drafts(form.chosen_tenant),
        "shared_url": request.build_absolute_uri(),
    }
    request.current_app = admin.site.name
    return TemplateResponse(request, "toolcatalog/admin/playground.html", context)


def _with_defaults(request: HttpRequest) -> dict[str, str]:
    """The address's parameters; a profile of another tenant, left over from before, is forgotten."""
    given = {name: str(value) for name, value in request.GET.items()}
    profiles = dict(PlaygroundForm(given).fields["profile"].choices)  # type: ignore[attr-defined]  # a choice field
    if given.get("profile") not in profiles:
        given["profile"] = ""
    return {"format": "openai_chat", "message": "", **given}


def _drafts(tenant: Tenant | None) -> list[ToolGroup]:
    """Groups of the tenant that do not count, since they are not published."""
    if tenant is None:
        return []
    return list(ToolGroup.objects.filter(owner=tenant).exclude(status__in=LIVE_STATUSES).order_by("name")[:20])


def try_request(form: PlaygroundForm) -> Trial:
    """Resolve the form's request as its tenant, with a curator's eyes."""
    tenant = form.chosen_tenant
    if tenant is None:
        return Trial(problems=(gettext("There is no tenant yet. Create one first."),))
    caller = Caller(tenant_id=tenant.pk, scopes=frozenset({"resolve", "curate"}))
    try:
        catalog = CATALOGS.get(tenant.pk)
        resolution = preview(catalog, form.make_request(), caller)
        data = form.cleaned_data
        name, query, profile = data["tool"].strip(), data["query"].strip(), data["profile"] or None
        return Trial(
            answer=describe_answer(catalog, resolution),
            verdict=describe_verdict(resolution, name) if name else None,
            found=try_search(query, profile, form.make_context(), caller) if query else None,
        )
    except InvalidInput as invalid:
        return Trial(problems=tuple(translate_sentence(error.message) for error in invalid.errors))
    except ToolCatalogError as error:
        return Trial(problems=(translate_sentence(error.detail),))
