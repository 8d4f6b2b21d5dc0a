"""Whose objects a command works on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from toolcatalog.models import Tenant


def add_owner_arguments(parser: CommandParser) -> None:
    """`--tenant SLUG` or `--shared`, which is what counts without either: shared tools reach nobody without a grant."""
    owner = parser.add_mutually_exclusive_group()
    owner.add_argument("--tenant", help="slug of the tenant")
    owner.add_argument("--shared", action="store_true", help="the shared objects; this is the default")


def find_owner(options: Mapping[str, Any]) -> Tenant | None:
    """The tenant, or None for shared objects. Raises CommandError."""
    return None if options["tenant"] is None else find_tenant(options["tenant"])


def find_tenant(slug: str) -> Tenant:
    """The tenant. Raises CommandError."""
    tenant = Tenant.objects.filter(slug=slug).first()
    if tenant is None:
        raise CommandError(f"There is no tenant “{slug}”.")
    return tenant
