"""The page of the playground. It asks the resolver that requests ask, and writes no exposure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
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
from .links import playground_url
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
    """The form, and below it what the request is answered with: the one in the address, or one too long for that."""
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    given = _read_parameters(request)
    address = playground_url(**given)
    if request.method == "POST" and address:
        return HttpResponseRedirect(address)
    asked = "tenant" in given
    form = PlaygroundForm(_with_defaults(given) if asked else None)
    trial = try_request(form) if asked and TRIED & given.keys() and form.is_valid() else None
    context = {
        **admin.site.each_context(request),
        "title": gettext("Playground"),
        "form": form,
        "trial": trial,
        "drafts": _drafts(form.chosen_tenant),
        "shared_url": request.build_absolute_uri(address) if address else "",
    }
    request.current_app = admin.site.name
    return TemplateResponse(request, "toolcatalog/admin/playground.html", context)


def _read_parameters(request: HttpRequest) -> dict[str, str]:
    """What the request says, by the names of the form's fields."""
    source = request.POST if request.method == "POST" else request.GET
    return {name: str(source[name]) for name in PlaygroundForm.base_fields if name in source}


def _with_defaults(given: Mapping[str, str]) -> dict[str, str]:
    """The parameters; a profile of another tenant, left over from before, is forgotten."""
    profiles = dict(PlaygroundForm(given).fields["profile"].choices)  # type: ignore[attr-defined]  # a choice field
    profile = given.get("profile", "")
    return {"format": "openai_chat", "message": "", **given, "profile": profile if profile in profiles else ""}


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
