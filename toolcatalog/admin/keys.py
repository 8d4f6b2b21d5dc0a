"""API keys: made here, shown once, revoked here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.curation import NewApiKey, revoke_api_key
from toolcatalog.models import ApiKey

from .addresses import change_url
from .base import DocumentAdmin, time_column
from .forms.keys import ApiKeyForm
from .list_filters import filter_conditions
from .tenant_filter import tenant_filter

ACTIVE = {"revoked_at__isnull": True}


@dataclass(frozen=True, slots=True)
class KeyState:
    """A key's state in a word, with a colour of the theme."""

    words: str
    colour: str


def key_state(key: ApiKey) -> KeyState:
    """Active, expired or revoked."""
    if key.revoked_at is not None:
        return KeyState(gettext("Revoked"), "danger")
    if key.expires_at is not None and key.expires_at <= timezone.now():
        return KeyState(gettext("Expired"), "warning")
    return KeyState(gettext("Active"), "success")


@admin.register(ApiKey)
class ApiKeyAdmin(DocumentAdmin):
    """A key is made and revoked; nothing of it changes in between."""

    form = ApiKeyForm
    shows_document = False
    list_display = (
        "name",
        "tenant",
        "prefix_words",
        "scopes_words",
        "state_words",
        time_column("last_used_at", _("last used")),
    )
    list_filter = (
        tenant_filter("tenant"),
        filter_conditions(
            "state",
            _("state"),
            {"live": (_("Not revoked"), ACTIVE), "revoked": (_("Revoked"), {"revoked_at__isnull": False})},
        ),
    )
    search_fields = ("name", "prefix", "tenant__slug", "tenant__title")
    autocomplete_fields = ("tenant",)
    actions = ("revoke_selected",)
    change_form_outer_after_template = "toolcatalog/admin/key_actions.html"
    fields = ("tenant", "name", "scopes", "profiles", "expires_at")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A key that exists also shows what became of it."""
        if obj is None:
            return self.fields
        return (
            "tenant",
            "name",
            "prefix_words",
            "state_words",
            "scopes_words",
            "profiles_words",
            "created_at",
            "expires_at",
            "last_used_at",
            "revoked_at",
        )

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """What the link to a successor gives: lists are written with commas."""
        lists = {name: request.GET[name].split(",") for name in ("scopes", "profiles") if request.GET.get(name)}
        return {**super().get_changeform_initial_data(request), **lists}

    def get_urls(self) -> Any:
        """With the address that revokes."""
        view = self.admin_site.admin_view(self.revoke_view)
        return [path("<int:key_id>/revoke/", view, name=self.own_url("revoke")), *super().get_urls()]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing of a key can be changed."""
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A key stays on record: the audit names it."""
        return False

    def may_revoke(self, request: HttpRequest) -> bool:
        """Who may change keys may revoke them."""
        return super().has_change_permission(request)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Tell the page whether to offer revoking."""
        once = {"show_save_and_add_another": False, "show_save_and_continue": False}
        extra = {**(extra_context or {}), **once, "may_revoke": self.may_revoke(request)}
        return super().changeform_view(request, object_id, form_url, extra)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Keep the secret for the answer to this request, and nowhere else."""
        self._remember(request, form.made)
        return super().save_form(request, form, change)

    def _remember(self, request: HttpRequest, made: NewApiKey) -> None:
        request.new_api_key = made  # type: ignore[attr-defined]  # lives as long as the request

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        """A page of its own with the secret. It is in no link and no session, so that it cannot be seen again."""
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("The new key"),
            "made": request.new_api_key,  # type: ignore[attr-defined]  # set by `save_form`
            "key_url": change_url(obj),
            "media": self.media,
        }
        response = TemplateResponse(request, "toolcatalog/admin/new_key.html", context)
        response["Cache-Control"] = "no-store"
        return response

    def revoke_view(self, request: HttpRequest, key_id: int) -> HttpResponse:
        """Revoke one key (POST)."""
        if request.method != "POST" or not self.may_revoke(request):
            raise PermissionDenied
        key = get_object_or_404(ApiKey, pk=key_id)
        self._revoke(request, [key])
        return redirect(change_url(key))

    @admin.action(description=_("Revoke the selected keys"), permissions=["revoke"])
    def revoke_selected(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        """Revoke many keys."""
        self._revoke(request, list(queryset))

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """For the bulk action."""
        return self.may_revoke(request)

    def _revoke(self, request: HttpRequest, keys: list[ApiKey]) -> None:
        live = [key for key in keys if key.revoked_at is None]
        for key in live:
            revoke_api_key(key)
            self.log_change(request, key, "revoked")
        said = ngettext(
            "%(number)s key is revoked. It is refused from now on.",
            "%(number)s keys are revoked. They are refused from now on.",
            len(live),
        )
        self.message_user(request, said % {"number": len(live)}, messages.SUCCESS)

    @admin.display(description=_("state"))
    def state_words(self, key: ApiKey) -> SafeString:
        """Active, expired or revoked."""
        state = key_state(key)
        return format_html('<span class="tc-badge tc-{}">{}</span>', state.colour, state.words)

    @admin.display(description=_("begins with"))
    def prefix_words(self, key: ApiKey) -> SafeString:
        """The part of the key that may be shown."""
        return format_html("<code>tc_{}_…</code>", key.prefix)

    @admin.display(description=_("may"))
    def scopes_words(self, key: ApiKey) -> str:
        """What it may do."""
        return ", ".join(key.scopes)

    @admin.display(description=_("only profiles"))
    def profiles_words(self, key: ApiKey) -> str:
        """Which profiles it may use."""
        return ", ".join(key.profiles) or gettext("all")
