"""The usual roles, so that nobody has to put them together from single rights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_READS = ("tool", "toolgroup", "category", "tag", "toolsource", "agentprofile", "tenant", "grant", "revision")
_WRITES = ("tool", "toolgroup", "category", "tag", "agentprofile")
_AUDIT = ("exposure", "call", "session", "apikey")
_GOVERNS = ("tenant", "grant", "apikey")

ROLES: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "viewer": (_("Viewers"), _("see the catalog and try requests")),
    "curator": (_("Curators"), _("also change tools, groups and agent profiles, and review what sources change")),
    "auditor": (_("Auditors"), _("see the catalog, and what was shown to whom and called")),
    "manager": (_("Managers"), _("all of it, with tenants, keys and grants")),
}
"""The usual roles: a name, and what those who have it do."""


def _rights(verbs: Iterable[str], models: Iterable[str]) -> set[str]:
    models = tuple(models)
    return {f"{verb}_{model}" for verb in verbs for model in models}


def rights_of(role: str) -> set[str]:
    """The rights of a usual role, as code names of the catalog's models."""
    reads = _rights(["view"], _READS)
    writes = _rights(["add", "change", "delete"], _WRITES)
    audit = _rights(["view"], _AUDIT)
    governs = _rights(["add", "change", "delete"], _GOVERNS) | {"delete_session"}
    return {
        "viewer": reads,
        "curator": reads | writes,
        "auditor": reads | audit,
        "manager": reads | writes | audit | governs,
    }[role]


def make_usual_roles() -> list[Group]:
    """Make each of the usual roles that is not there yet, under its name in the active language."""
    made = []
    with transaction.atomic():
        for role, (name, _does) in ROLES.items():
            group, is_new = Group.objects.get_or_create(name=str(name))
            if is_new:
                rights = Permission.objects.filter(codename__in=rights_of(role), content_type__app_label="toolcatalog")
                group.permissions.set(rights)
                made.append(group)
    return made
