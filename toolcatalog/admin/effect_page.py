"""The part of a form that says what saving it would change, and for whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from toolcatalog.models import Tenant

from .base import DocumentAdmin
from .effects import measure_effect


class EffectAdmin(DocumentAdmin):
    """A page that edits, with a preview of what the edit means for tenants."""

    change_form_after_template = "toolcatalog/admin/effect_button.html"

    def affected_tenants(self, thing: Any, owner: Tenant | None) -> QuerySet[Tenant]:
        """The tenants for whom the edit can mean something. `thing` is None for a new one, `owner` for a shared one."""
        raise NotImplementedError

    def get_urls(self) -> Any:
        """With the addresses that measure."""
        view = self.admin_site.admin_view(require_POST(self.effect_view))
        return [
            path("effect/", view, name=self.own_url("effect_new")),
            path("<int:object_id>/effect/", view, name=self.own_url("effect")),
            *super().get_urls(),
        ]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """With the address that measures, for those who may save."""
        name = f"admin:{self.own_url('effect_new' if object_id is None else 'effect')}"
        may_save = self.has_add_permission(request) if object_id is None else self.has_change_permission(request)
        known = object_id is None or object_id.isdecimal()
        url = reverse(name, args=[object_id] if object_id else []) if may_save and known else ""
        return super().changeform_view(request, object_id, form_url, {**(extra_context or {}), "effect_url": url})

    def effect_view(self, request: HttpRequest, object_id: int | None = None) -> HttpResponse:
        """Save the form as it is typed, see what changes, and take it back."""
        thing = self._find(request, object_id)
        form = self.get_form(request, thing, change=thing is not None)(request.POST, instance=thing)
        chosen = _chosen_owner(request)
        tenants = self.affected_tenants(thing, chosen if thing is None else _stored_owner(thing))
        meant = Q(pk__in=tenants.values("pk")) | Q(pk=chosen.pk if chosen else None)
        effect = measure_effect(list(Tenant.objects.filter(meant, is_active=True)), form.is_valid)
        context = {"effect": effect, "problems": () if effect else tuple(_list_problems(form))}
        return render(request, "toolcatalog/admin/effect.html", context)

    def _find(self, request: HttpRequest, object_id: int | None) -> Any:
        if object_id is None:
            if not self.has_add_permission(request):
                raise PermissionDenied
            return None
        thing = self.get_object(request, str(object_id))
        if thing is None:
            raise Http404
        if not self.has_change_permission(request, thing):
            raise PermissionDenied
        return thing


def _stored_owner(thing: Any) -> Tenant | None:
    return thing.owner if hasattr(thing, "owner_id") else thing.tenant  # type: ignore[no-any-return]  # a tenant


def _chosen_owner(request: HttpRequest) -> Tenant | None:
    """The owner or tenant that the form names."""
    chosen = request.POST.get("owner") or request.POST.get("tenant") or ""
    is_number = chosen.isascii() and chosen.isdecimal() and len(chosen) < 19
    return Tenant.objects.filter(pk=int(chosen)).first() if is_number else None


def only(owner: Tenant) -> QuerySet[Tenant]:
    """One tenant alone."""
    return Tenant.objects.filter(pk=owner.pk)


def granted_anything() -> QuerySet[Tenant]:
    """The tenants that have grants: for nobody else a shared tool means anything."""
    return Tenant.objects.filter(grants__isnull=False)


def taking_group(group_id: int | None, *, for_all: bool) -> QuerySet[Tenant]:
    """The tenants with a profile that takes a shared group; with `for_all` all that take every group."""
    takes = Q(profiles__profile_groups__group=group_id)
    return Tenant.objects.filter(takes | Q(profiles__all_groups=True) if for_all else takes)


def _list_problems(form: Any) -> Iterable[str]:
    for name, texts in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        for text in texts:
            yield f"{label}: {text}" if label else str(text)
