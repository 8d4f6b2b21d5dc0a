"""Django's `migrate`, run by the owner of the tables unless told otherwise."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import connections


class Command(migrate.Command):
    """Runs on the alias `owner`, and gives the application's role its rights on the tables that are made."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's arguments, with another default."""
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: Any, **options: Any) -> str | None:
        """Migrate; nothing is granted when nothing shall be changed."""
        if not options["plan"] and not options["check_unapplied"]:
            grant_to_application(options["database"])
        return super().handle(*args, **options)


def grant_to_application(owner_alias: str) -> None:
    """Let the application's role read and write every table that the owner makes from now on in this database.

    Rights belong to the owner to give, so this works on servers of others, and in test databases. Migrations take
    back what the application must not have.
    """
    owner = connections[owner_alias]
    role = connections["default"].settings_dict["USER"]
    if not role or role == owner.settings_dict["USER"]:
        return
    name = owner.ops.quote_name(role)
    defaults = "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT"
    with owner.cursor() as cursor:
        cursor.execute(f"{defaults} SELECT, INSERT, UPDATE, DELETE ON TABLES TO {name}")
        cursor.execute(f"{defaults} USAGE, SELECT ON SEQUENCES TO {name}")
