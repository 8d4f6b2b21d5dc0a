"""Which alias may migrate."""

from __future__ import annotations


class OwnerMigrates:
    """Tables are made and changed through the alias `owner` alone; everything else goes through `default`."""

    def allow_migrate(self, db: str, _app_label: str, **_hints: object) -> bool:
        """Whether the alias may run a migration."""
        return db == "owner"
