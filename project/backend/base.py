"""Django's PostgreSQL backend, pointed at the embedded server."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.backends.postgresql import base

from project.embedded import EmbeddedDatabaseError, server_of


class DatabaseWrapper(base.DatabaseWrapper):
    """Connects as the role in `USER` to the embedded server, which is started if it does not run."""

    def get_connection_params(self) -> dict[str, Any]:
        """Django's parameters, with the server's socket and the role's password in them.

        `OperationalError`, as for any database that is away, with the sentence that says what to do.
        """
        try:
            found = server_of(settings.DATA_DIR).connection(self.settings_dict["USER"])
        except EmbeddedDatabaseError as error:
            raise OperationalError(str(error)) from error
        there = {"host": found.host, "port": found.port, "user": found.user, "password": found.password}
        return {**super().get_connection_params(), **there}
