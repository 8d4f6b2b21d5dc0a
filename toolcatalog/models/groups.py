"""Tool groups: tools, a piece of system prompt, and the rules that say when they apply."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from toolcatalog.contract.catalog import ToolStatus
from toolcatalog.contract.matching import ALWAYS, Operator, Source

from .choices import choices_of
from .fields import OrderedJsonField
from .owned import Owned, unique_per_owner
from .tools import Tool

GROUP_STATUSES = [pair for pair in choices_of(ToolStatus) if pair[0] != ToolStatus.DEPRECATED]


class ToolGroup(Owned):
    """Tools and a system prompt that are added to every request that the group's rules match."""

    name = models.CharField(
        _("name"),
        max_length=128,
        help_text=_("Short name for programs and for rules of other groups, for example order."),
    )
    title = models.CharField(_("title"), max_length=200, blank=True, help_text=_("Name for people."))
    description = models.TextField(
        _("description"),
        blank=True,
        help_text=_("What the group is for, for other curators. No model ever reads this."),
    )
    system_prompt = models.TextField(
        _("system prompt"),
        blank=True,
        help_text=_("Added to the system prompt when the group matches. Sent as it stands: nothing in it is replaced."),
    )
    tools = models.ManyToManyField(Tool, through="GroupTool", related_name="groups", verbose_name=_("tools"))
    position = models.IntegerField(
        _("position"), default=100, help_text=_("Groups are taken in this order, smallest first.")
    )
    match = models.CharField(
        _("applies"),
        max_length=100,
        default=ALWAYS,
        help_text=_("“always”, “rules” (the conditions below), or the name of a registered matcher."),
    )
    match_params = OrderedJsonField(
        _("matcher parameters"), default=dict, blank=True, help_text=_("Parameters for a registered matcher.")
    )
    restricts_access = models.BooleanField(
        _("restricts access"),
        null=True,
        blank=True,
        help_text=_(
            "Yes: the tools of this group can be shown, found and called only where its conditions on account, model, "
            "attributes and the like hold. Conditions on the message never restrict; they only decide what is sent up "
            "front. Unknown: yes as soon as there is a condition on anything but the message."
        ),
    )
    offers_search = models.BooleanField(
        _("offers tool search"),
        default=False,
        help_text=_("For profiles whose search is “groups”: the model may search where this group matches."),
    )
    for_all_tenants = models.BooleanField(
        _("for all tenants"),
        default=False,
        help_text=_("For a shared group: it counts for every tenant. Its tools still need grants."),
    )
    status = models.CharField(
        _("status"),
        max_length=16,
        choices=GROUP_STATUSES,
        default=ToolStatus.DRAFT,
        help_text=_("Only a published group counts."),
    )
    revision = models.PositiveIntegerField(_("revision"), default=0, editable=False)
    sha256 = models.BinaryField(max_length=32, default=b"", editable=False)
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    updated_at = models.DateTimeField(_("changed"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("tool group")
        verbose_name_plural = _("tool groups")
        ordering = ["position", "name", "pk"]
        constraints = [
            unique_per_owner("group", "name", _("This owner already has a group of that name.")),
            models.CheckConstraint(
                name="group_for_all_tenants_is_shared",
                condition=Q(for_all_tenants=False) | Q(owner__isnull=True),
                violation_error_message=_("Only a shared group can count for all tenants."),
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.name


class GroupTool(models.Model):
    """One tool in one group, at its place."""

    group = models.ForeignKey(ToolGroup, models.CASCADE, related_name="group_tools")
    tool = models.ForeignKey(Tool, models.CASCADE, related_name="group_tools", verbose_name=_("tool"))
    position = models.PositiveIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("tool of the group")
        verbose_name_plural = _("tools of the group")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "tool"],
                name="group_tool_unique",
                violation_error_message=_("The tool is already in this group."),
            )
        ]

    def __str__(self) -> str:
        return self.tool.name


class Matcher(models.Model):
    """One condition of a group. Conditions of one set must all hold; one set that holds is enough."""

    group = models.ForeignKey(ToolGroup, models.CASCADE, related_name="matchers")
    position = models.PositiveIntegerField(_("position"), default=0)
    condition_set = models.PositiveSmallIntegerField(
        _("set"),
        default=1,
        help_text=_("Conditions with the same number must all hold. One number that holds is enough."),
    )
    source = models.CharField(
        _("looks at"),
        max_length=20,
        choices=choices_of(Source),
        default=Source.MESSAGE,
        help_text=_("What is looked at."),
    )
    attribute = models.CharField(
        _("attribute"),
        max_length=200,
        blank=True,
        help_text=_("With “attribute”: its name, with dots for inner parts."),
    )
    negate = models.BooleanField(_("not"), default=False, help_text=_("Turns the condition around."))
    operator = models.CharField(
        _("operator"),
        max_length=20,
        choices=choices_of(Operator),
        default=Operator.CONTAINS_ANY,
        help_text=_("How it is compared."),
    )
    value = OrderedJsonField(_("value"), null=True, blank=True, help_text=_("What it is compared with."))
    ignore_case = models.BooleanField(
        _("ignore case"), null=True, blank=True, help_text=_("Unknown: yes for messages, no for everything else.")
    )
    whole_word = models.BooleanField(
        _("whole word"), default=False, help_text=_("For words of letters: “order” is then not found in “border”.")
    )
    normalise = models.BooleanField(
        _("normalise"), null=True, blank=True, help_text=_("Full-width and invisible characters make no difference.")
    )
    note = models.CharField(_("note"), max_length=300, blank=True, help_text=_("Why this condition is here."))

    class Meta:
        verbose_name = _("condition")
        verbose_name_plural = _("conditions")
        ordering = ["condition_set", "position", "pk"]

    def __str__(self) -> str:
        return f"{self.source} {self.operator}"
