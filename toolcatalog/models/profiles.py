"""Agent profiles: what one agent of a tenant is made of."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from toolcatalog.conf import default_search_provider
from toolcatalog.contract.catalog import Disclosure, Policy, SearchMode

from .choices import choices_of
from .fields import OrderedJsonField
from .groups import ToolGroup
from .tenants import Tenant
from .tools import Tool
from .validators import validate_slug

STRICT_CHOICES = [("off", _("off")), ("on", _("on"))]


def at_least(name: str, message: Any, **minimum: int) -> models.CheckConstraint:
    """A check constraint `field >= minimum` for every keyword."""
    condition = Q(**{f"{field}__gte": value for field, value in minimum.items()})
    return models.CheckConstraint(name=name, condition=condition, violation_error_message=message)


class AgentProfile(models.Model):
    """Resident tools, groups and search settings of one agent."""

    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="profiles", verbose_name=_("tenant"))
    slug = models.CharField(
        _("slug"),
        max_length=64,
        validators=[validate_slug],
        help_text=_("The name that callers send, for example support-bot."),
    )
    title = models.CharField(_("title"), max_length=200, blank=True, help_text=_("Name for people."))
    is_default = models.BooleanField(
        _("default"), default=False, help_text=_("Used where a caller names no profile. A tenant has one.")
    )
    resident_tools = models.ManyToManyField(
        Tool, through="ProfileTool", related_name="resident_in", verbose_name=_("resident tools")
    )
    all_groups = models.BooleanField(
        _("all groups"),
        default=True,
        help_text=_(
            "Every group of the tenant, and every shared one that is for all tenants. Off: only those listed below."
        ),
    )
    groups = models.ManyToManyField(
        ToolGroup, through="ProfileGroup", related_name="profiles", verbose_name=_("groups")
    )

    search_mode = models.CharField(
        _("tool search"),
        max_length=8,
        choices=choices_of(SearchMode),
        default=SearchMode.ON,
        help_text=_("Whether the model may search: on, off, or only where a matching group lists the entry tool."),
    )
    search_provider = models.CharField(
        _("search provider"),
        max_length=64,
        default=default_search_provider,
        help_text=_("Which engine answers searches."),
    )
    entry_tool = models.CharField(
        _("entry tool"),
        max_length=64,
        default="toolSearch",
        help_text=_("The name under which the model sees the search."),
    )
    default_results = models.PositiveSmallIntegerField(
        _("results"),
        default=5,
        validators=[MinValueValidator(1)],
        help_text=_("How many tools one search answers with."),
    )
    max_results = models.PositiveSmallIntegerField(
        _("most results"),
        default=20,
        validators=[MinValueValidator(1)],
        help_text=_("The most that a model can ask for."),
    )
    min_score = models.FloatField(
        _("minimum score"),
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text=_("From 0 to 1. Weaker hits are left out. Empty: off."),
    )
    prefer_used = models.BooleanField(
        _("prefer used tools"),
        default=False,
        help_text=_(
            "Tools that this tenant's agents call often and with success come earlier, if they fit about as well. "
            "Off: only how well they fit counts. It makes popular tools more popular; calls that an agent runs itself "
            "are not counted."
        ),
    )
    search_categories = ArrayField(
        models.CharField(max_length=100),
        verbose_name=_("only categories"),
        null=True,
        blank=True,
        help_text=_("Slugs of the categories that a search may look in. Empty: all."),
    )
    search_tags = ArrayField(
        models.CharField(max_length=100),
        verbose_name=_("only tags"),
        null=True,
        blank=True,
        help_text=_("Slugs of tags; a search finds tools that have one of them. Empty: all."),
    )
    exclude_tools = ArrayField(
        models.CharField(max_length=128),
        verbose_name=_("never found"),
        default=list,
        blank=True,
        help_text=_("Names of tools that a search of this profile never finds."),
    )
    inline_below_tokens = models.PositiveIntegerField(
        _("send all below"),
        null=True,
        blank=True,
        help_text=_(
            "If everything searchable costs fewer tokens than this, all of it is sent and no search is offered."
        ),
    )
    system_prompt_suffix = models.TextField(  # noqa: DJ001  # null is the built-in text, "" switches it off
        _("search instructions"),
        null=True,  # null is the built-in text, "" switches it off
        blank=True,
        help_text=_("Tells the model how to search."),
    )
    exposure_policy = models.CharField(
        _("which searches count"),
        max_length=16,
        choices=choices_of(Policy),
        default=Policy.LATEST_TURN,
        help_text=_("Tools found by the last search call, by the last turn that searched, or by all searches."),
    )
    disclosure = models.CharField(
        _("disclosure"),
        max_length=8,
        choices=choices_of(Disclosure),
        default=Disclosure.INLINE,
        help_text=_("How found tools reach the model."),
    )
    strict = models.CharField(
        _("strict schemas"),
        max_length=8,
        choices=STRICT_CHOICES,
        default="off",
        help_text=_("Ask vendors to hold the model to the schema, where that does not narrow the tool."),
    )
    versions = OrderedJsonField(
        _("pinned versions"), default=dict, blank=True, help_text=_('Tool name to version label: {"get_order": "2.1"}.')
    )
    default_model = models.CharField(
        _("default model"),
        max_length=100,
        blank=True,
        help_text=_("The model that rules see where a caller names none."),
    )
    max_tools = models.PositiveSmallIntegerField(
        _("most tools"),
        default=128,
        validators=[MinValueValidator(1)],
        help_text=_("The most tools that one answer holds."),
    )
    execute_gate = models.BooleanField(
        _("gate"), default=True, help_text=_("Only tools that were shown in the same snapshot or session can be run.")
    )
    gate_hours = models.PositiveSmallIntegerField(
        _("gate hours"), default=24, help_text=_("How long a snapshot is good for running its tools.")
    )
    valid_for_seconds = models.PositiveIntegerField(
        _("reuse seconds"), default=60, help_text=_("How long a caller may reuse an answer when this server is away.")
    )
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    updated_at = models.DateTimeField(_("changed"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("agent profile")
        verbose_name_plural = _("agent profiles")
        ordering = ["tenant__slug", "slug"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "slug"],
                name="profile_slug_unique_per_tenant",
                violation_error_message=_("This tenant already has a profile of that slug."),
            ),
            models.UniqueConstraint(
                fields=["tenant"],
                condition=Q(is_default=True),
                name="profile_one_default_per_tenant",
                violation_error_message=_("This tenant already has a default profile."),
            ),
            at_least(
                "profile_results_positive", _("At least one result."), default_results=1, max_results=1, max_tools=1
            ),
            models.CheckConstraint(
                name="profile_results_within_most",
                condition=Q(default_results__lte=F("max_results")),
                violation_error_message=_("“Results” cannot be more than “most results”."),
            ),
            models.CheckConstraint(
                name="profile_min_score_from_0_to_1",
                condition=Q(min_score__isnull=True) | Q(min_score__gte=0, min_score__lte=1),
                violation_error_message=_("The minimum score is between 0 and 1."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tenant.slug}/{self.slug}"


class ProfileTool(models.Model):
    """One resident tool of a profile, at its place."""

    profile = models.ForeignKey(AgentProfile, models.CASCADE, related_name="profile_tools")
    tool = models.ForeignKey(Tool, models.CASCADE, related_name="profile_tools", verbose_name=_("tool"))
    position = models.PositiveIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("resident tool")
        verbose_name_plural = _("resident tools")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["profile", "tool"],
                name="profile_tool_unique",
                violation_error_message=_("The tool is already resident."),
            )
        ]

    def __str__(self) -> str:
        return self.tool.name


class ProfileGroup(models.Model):
    """One group of a profile, at its place."""

    profile = models.ForeignKey(AgentProfile, models.CASCADE, related_name="profile_groups")
    group = models.ForeignKey(ToolGroup, models.CASCADE, related_name="profile_groups", verbose_name=_("group"))
    position = models.PositiveIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("group of the profile")
        verbose_name_plural = _("groups of the profile")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["profile", "group"],
                name="profile_group_unique",
                violation_error_message=_("The group is already listed."),
            )
        ]

    def __str__(self) -> str:
        return self.group.name
