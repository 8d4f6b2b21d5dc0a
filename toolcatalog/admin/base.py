"""What every page of the admin has in common. Each admin class inherits from here: the theme is in one place."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.contrib.admin import display as admin_display
from django.contrib.admin.widgets import AutocompleteSelect, RelatedFieldWidgetWrapper
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from unfold.paginator import InfinitePaginator

from toolcatalog.contract.errors import ToolCatalogError
from toolcatalog.contract.json import MAX_INTEGER, describe_bad_text
from toolcatalog.curation import Author, ToolWarning

from .differences import compare_documents
from .forms.document import DocumentForm
from .slim import slim_list
from .translating import translate_sentence

if TYPE_CHECKING:
    from django.contrib import admin

    ThemeAdmin = admin.ModelAdmin[Any]  # the theme has no types; its classes take the place of Django's
else:
    from unfold.admin import ModelAdmin as ThemeAdmin


class Panel:
    """One read-only part of a page: a heading, a template, and what the template shows."""

    def __init__(self, title: str, template: str, **context: Any) -> None:
        self.title = title
        self.template = f"toolcatalog/admin/panels/{template}.html"
        self.context = context


class RowPicker(AutocompleteSelect):
    """A search box for one row. What is no row's number is an error of the form; Django's own fails to show it."""

    def optgroups(self, name: str, value: Sequence[str], attrs: dict[str, Any] | None = None) -> Any:
        """The row that is chosen."""
        keys = [key for key in value if key.isascii() and key.isdecimal() and len(key) < len(str(MAX_INTEGER))]
        return super().optgroups(name, keys, attrs)


class CatalogAdmin(ThemeAdmin):
    """Lists and pages: 50 a page, no select boxes over whole tables, filters behind one button."""

    list_per_page = 50
    list_max_show_all = 200
    list_filter_submit = True
    list_select_related: ClassVar[Any] = True
    save_on_top = False
    show_facets: ClassVar[Any] = ShowFacets.NEVER
    compressed_fields = True
    warn_unsaved_form = True
    empty_value_display = "—"
    change_form_before_template = "toolcatalog/admin/form_top.html"
    change_form_outer_after_template = "toolcatalog/admin/panels.html"
    search_help_text: ClassVar[Any] = ""
    empty_words: ClassVar[Any] = ""
    """What an empty list says; "" for the usual words."""

    class Media:
        css: ClassVar[dict[str, Sequence[str]]] = {"all": ["toolcatalog/admin/admin.css"]}
        js: ClassVar[Sequence[str]] = ["toolcatalog/admin/forms.js"]

    def panels(self, request: HttpRequest, thing: Any) -> Iterable[Panel]:
        """What a page shows below its form."""
        return ()

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Django's page, with panels below the form."""
        extra = dict(extra_context or {})
        if object_id is not None:
            thing = self.get_object(request, object_id)
            if thing is not None and self.has_view_or_change_permission(request, thing):
                extra["panels"] = list(self.panels(request, thing))
        return super().changeform_view(request, object_id, form_url, extra)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Django's list, made light. Raises BadRequest for an address with text that no column can hold."""
        if any(describe_bad_text(text) for values in request.GET.lists() for text in (values[0], *values[1])):
            raise BadRequest("text that cannot be stored")
        response = super().changelist_view(request, extra_context)
        if isinstance(response, TemplateResponse):
            response.add_post_render_callback(slim_list)
        return response

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> Any:
        """Django's search; text that no column can hold is found nowhere."""
        if describe_bad_text(search_term):
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Django's field, with a search box that takes whatever was sent."""
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", RowPicker(db_field, self.admin_site, using=kwargs.get("using")))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def render_page(self, request: HttpRequest, thing: Any, template: str, context: dict[str, Any]) -> TemplateResponse:
        """A page about one thing that is no form."""
        request.current_app = self.admin_site.name
        known = {"opts": self.opts, "original": thing, "title": self.opts.verbose_name, "subtitle": str(thing)}
        return TemplateResponse(request, template, {**self.admin_site.each_context(request), **known, **context})

    def author(self, request: HttpRequest, reason: str = "") -> Author:
        """Who works here, for the history."""
        return Author(author_name(request), reason)

    def may_view(self, request: HttpRequest, model: str) -> bool:
        """Whether the request's user may see things of another kind."""
        return bool(request.user.has_perm(f"toolcatalog.view_{model}"))

    def own_url(self, name: str) -> str:
        """The full name of one of this admin's addresses."""
        return f"{self.opts.app_label}_{self.opts.model_name}_{name}"


def author_name(request: HttpRequest) -> str:
    """The name under which the request's user is kept in histories."""
    user: Any = request.user
    return str(user.get_full_name() or user.get_username())


class DocumentAdmin(CatalogAdmin):
    """Edits through a service: the form makes a document, and nothing is ever saved by Django's own way."""

    form: type[DocumentForm]
    shows_document = True
    sections: Sequence[tuple[Any, dict[str, Any]]] = ()
    """Fieldsets. Not under Django's name, whose checks know model fields only."""

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The sections of the form. What is chosen once, such as the owner, is shown in words from then on."""
        sections = self.sections or super().get_fieldsets(request, obj)
        if obj is None:
            return sections
        shown = {"owner": "owner_words"}
        return [
            (
                title,
                {
                    **options,
                    "fields": tuple(
                        shown.get(field, field) if isinstance(field, str) else field for field in options["fields"]
                    ),
                },
            )
            for title, options in sections
        ]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form, told who saves."""
        form = super().get_form(request, obj, change=change, **kwargs)
        for field in form.base_fields.values():
            if isinstance(field.widget, RelatedFieldWidgetWrapper):
                field.widget = field.widget.widget  # without buttons that open other forms over this one
        form.author_name = author_name(request)  # type: ignore[attr-defined]  # ours has it. Django made the class for this request alone
        return form

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """The service saved while the form was checked."""
        return form.saved

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Tell the warnings. There is nothing left to save."""
        self.tell_warnings(request, form.warnings)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """There is nothing left to save."""

    def tell_warnings(self, request: HttpRequest, warnings: Iterable[ToolWarning]) -> None:
        """Show what a service would rather have otherwise, one message each."""
        for warning in warnings:
            self.message_user(request, translate_sentence(warning.message), messages.WARNING)

    # Looking

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Django's page for those who may edit; the document in words for those who may only look."""
        thing = self.get_object(request, object_id)
        only_looks = self.has_view_permission(request, thing) and not self.has_change_permission(request, thing)
        if thing is None or not only_looks or request.method == "POST" or not self.shows_document:
            return super().change_view(request, object_id, form_url, extra_context)
        return self.render_page(request, thing, "toolcatalog/admin/document.html", {
            "parts": compare_documents({}, self.form.read_document(thing)),
            "panels": list(self.panels(request, thing)),
        })  # fmt: skip

    # Deleting

    def delete_document(self, thing: Any, author: Author) -> None:
        """Give the deletion to the service. Raises ToolCatalogError where it is refused."""
        raise NotImplementedError

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete one thing through its service."""
        self.delete_document(obj, self.author(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete many things, each through its service: all of them, or none."""
        with transaction.atomic():
            for thing in queryset:
                self.delete_document(thing, self.author(request))

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Django's page; a refusal is a message on the thing's own page."""
        try:
            return super().delete_view(request, object_id, extra_context)
        except ToolCatalogError as error:
            self.message_user(request, translate_sentence(error.detail), messages.ERROR)
            return HttpResponseRedirect(reverse(f"admin:{self.own_url('change')}", args=[object_id]))

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *args: Any) -> Any:
        """Django's answer to a bulk action; a refusal is a message on the list, and nothing was done."""
        try:
            return super().response_action(request, queryset)
        except ToolCatalogError as error:
            self.message_user(request, translate_sentence(error.detail), messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())


class ReadOnlyAdmin(CatalogAdmin):
    """Shows what nobody may edit, without counting big tables. `detail_template` shows one thing."""

    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 100
    actions: Any = None
    list_display_links: Any = None
    detail_template = ""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """A page for one thing in place of Django's form."""
        site_view = self.admin_site.admin_view(self.detail_view)
        return [path("<path:object_id>/change/", site_view, name=self.own_url("change")), *super().get_urls()]

    def detail_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The page of one thing."""
        thing = self.get_object(request, object_id)
        if not self.has_view_permission(request, thing):
            raise PermissionDenied
        if thing is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined, no-any-return]  # Django's own
        return self.render_page(request, thing, self.detail_template, self.detail_context(request, thing))

    def detail_context(self, request: HttpRequest, thing: Any) -> dict[str, Any]:
        """What the page shows."""
        return {}


def say_time(moment: datetime.datetime | None, *, seconds: bool = False) -> str:
    """A moment to the minute (or second) with its zone, written alike in every language."""
    form = "%Y-%m-%d %H:%M:%S %Z" if seconds else "%Y-%m-%d %H:%M %Z"
    return "—" if moment is None else timezone.localtime(moment).strftime(form)


def time_column(field: str, heading: Any, *, sorts: bool = True) -> Callable[[Any], str]:
    """A column of a list that shows a moment of each row."""

    def column(thing: Any) -> str:
        return say_time(getattr(thing, field))

    column.__name__ = f"{field}_column"
    return admin_display(description=heading, ordering=field if sorts else None)(column)


def say_owner(owner: Model | None) -> str:
    """The owner's name, or that it is shared."""
    return gettext("shared") if owner is None else str(owner)
