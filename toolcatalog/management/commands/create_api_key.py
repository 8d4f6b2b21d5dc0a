"""Makes an API key."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.curation import create_api_key, create_tenant
from toolcatalog.models import Tenant


class Command(BaseCommand):
    """Prints the key once, alone on the last line."""

    help = "Makes an API key of a tenant and prints it once, alone on the last line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", required=True, help="slug of the tenant")
        parser.add_argument("--scopes", required=True, help="comma-separated: resolve,execute,curate,audit,manage")
        parser.add_argument("--name", default="made by command", help="who uses the key")
        parser.add_argument("--profiles", default="", help="comma-separated slugs; none: all of the tenant's")
        parser.add_argument("--create-tenant", action="store_true", help="make the tenant if there is none")

    def handle(
        self, *_: Any, tenant: str, scopes: str, name: str, profiles: str, create_tenant: bool, **__: Any
    ) -> None:
        try:
            owner = find_tenant(tenant, create=create_tenant)
            made = create_api_key(owner, split(scopes), name=name, profiles=split(profiles))
        except InvalidInput as error:
            raise CommandError(error.detail) from error
        self.stderr.write(f"Key “{made.key.name}” of tenant “{owner.slug}”: {', '.join(made.key.scopes)}")
        self.stdout.write(made.secret)


def find_tenant(slug: str, *, create: bool) -> Tenant:
    """The tenant, made if asked for. Raises CommandError."""
    found = Tenant.objects.filter(slug=slug).first()
    if found is not None:
        return found
    if not create:
        raise CommandError(f"There is no tenant “{slug}”. Add --create-tenant to make it.")
    return create_tenant(slug)


def split(words: str) -> list[str]:
    """The words of a comma-separated list."""
    return [word.strip() for word in words.split(",") if word.strip()]
