"""People who may use the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

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
