"""Which alias may migrate."""

from __future__ import annotations


class OwnerMigrates:
    """Tables are made and changed through the alias `owner` alone; everything else goes through `default`."""

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        """Whether this alias may run a migration."""
        return db == "owner"
