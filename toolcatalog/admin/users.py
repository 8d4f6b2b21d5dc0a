"""People who may use the admin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from .roles import ROLES, make_usual_roles

if TYPE_CHECKING:

    class ThemeAdmin:
        """The theme has no types."""
else:
    from unfold.admin import ModelAdmin as ThemeAdmin

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ThemeAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """People, in the look of the theme."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_per_page = 50
    list_filter_submit = True


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ThemeAdmin):
    """Rights that several people share."""

    list_per_page = 50

    class Media:
        css: ClassVar[dict[str, Sequence[str]]] = {"all": ["toolcatalog/admin/admin.css"]}

    list_before_template = "toolcatalog/admin/roles.html"

    def get_urls(self) -> list[URLPattern]:
        """With the address that makes the usual roles."""
        view = self.admin_site.admin_view(require_POST(self.usual_view))
        return [path("usual/", view, name="auth_group_usual"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """With the usual roles for those who may add some, as long as there are none."""
        offers = self.has_add_permission(request) and not Group.objects.exists()
        extra = {**(extra_context or {}), "usual_roles": ROLES.values() if offers else ()}
        return super().changelist_view(request, extra)

    def usual_view(self, request: HttpRequest) -> HttpResponse:
        """Make the usual roles (POST)."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        made = make_usual_roles()
        for group in made:
            self.log_addition(request, group, "usual role")
        said = ngettext("%(number)s role was made.", "%(number)s roles were made.", len(made))
        self.message_user(request, said % {"number": len(made)}, messages.SUCCESS)
        return redirect("admin:auth_group_changelist")
