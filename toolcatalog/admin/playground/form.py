"""The request that is tried: every part is in the address, so that it can be shared."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from toolcatalog.admin.forms.fields import JsonField, TextField
from toolcatalog.admin.forms.widgets import JsonWidget, LineWidget, SelectWidget, TextWidget
from toolcatalog.contract.resolve import ContextInput, ResolveRequest
from toolcatalog.formats import FORMATS
from toolcatalog.models import AgentProfile, Tenant

MOST_TENANTS = 500


class PlaygroundForm(forms.Form):
    """A request as a caller would send it, and two questions: what a search finds, and why a tool is missing."""

    tenant = forms.ChoiceField(
        label=_("tenant"), help_text=_("As whose service to ask."), widget=SelectWidget({"data-reloads": "profile"})
    )
    profile = forms.ChoiceField(
        label=_("agent profile"), help_text=_("As which of its agents."), required=False, widget=SelectWidget
    )
    message = TextField(
        label=_("last user message"),
        widget=TextWidget({"rows": 3, "placeholder": "订单 AF20260001 到哪了"}),
        max_length=64_000,
    )
    account = forms.CharField(
        label=_("account"), required=False, widget=LineWidget, help_text=_("Who is signed in, as the caller would say.")
    )
    model = forms.CharField(
        label=_("model"), required=False, widget=LineWidget, help_text=_("The model that will be called.")
    )
    conversation = forms.CharField(
        label=_("conversation"), required=False, widget=LineWidget, help_text=_("The conversation’s id.")
    )
    bot = forms.CharField(label=_("bot"), required=False, widget=LineWidget, help_text=_("The bot’s id."))
    attributes = JsonField(
        label=_("attributes"), empty={}, widget=JsonWidget({"rows": 3, "placeholder": '{"plan": "premium"}'}),
        help_text=_("What else the caller knows, as JSON."),
    )  # fmt: skip
    format = forms.ChoiceField(
        label=_("format"),
        help_text=_("For which vendor the tools are written."),
        required=False,
        initial="openai_chat",
        widget=SelectWidget,
    )
    query = forms.CharField(
        label=_("what would the model find?"), required=False, widget=LineWidget,
        help_text=_("Words that the model would give to the tool search."),
    )  # fmt: skip
    tool = forms.CharField(
        label=_("ask about one tool"),
        required=False,
        widget=LineWidget,
        help_text=_("The name of a tool: is it available, and if not, why?"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tenants = list(Tenant.objects.order_by("slug")[:MOST_TENANTS])
        self._choose("tenant", [(tenant.slug, f"{tenant} ({tenant.slug})") for tenant in tenants])
        self.chosen_tenant = self._find_tenant(tenants)
        profiles = AgentProfile.objects.filter(tenant=self.chosen_tenant).order_by("-is_default", "slug")
        named = [(profile.slug, f"{profile.title or profile.slug} ({profile.slug})") for profile in profiles]
        self._choose("profile", [("", _("The tenant’s default")), *named])
        self._choose("format", [(name, gettext(format_.label)) for name, format_ in sorted(FORMATS.items())])

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # a choice field

    def _find_tenant(self, tenants: list[Tenant]) -> Tenant | None:
        wanted = self.data.get("tenant") if self.is_bound else None
        return next((tenant for tenant in tenants if tenant.slug == wanted), tenants[0] if tenants else None)

    def make_request(self) -> ResolveRequest:
        """The request of a valid form, with an explanation."""
        data = self.cleaned_data
        return ResolveRequest(
            prompt=data["message"],
            profile=data["profile"] or None,
            context=self.make_context(),
            format=data["format"] or "openai_chat",
            explain=True,
        )

    def make_context(self) -> ContextInput:
        """The context of a valid form."""
        data = self.cleaned_data
        return ContextInput(
            account_id=data["account"] or None,
            conversation_id=data["conversation"] or None,
            bot_id=data["bot"] or None,
            model=data["model"] or None,
            attributes=data["attributes"],
        )
