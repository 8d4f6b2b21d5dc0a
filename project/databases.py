"""The two database aliases: `default` is the application's role, `owner` the one that migrates.

Both are the same database. In tests `default` follows `owner` into the test database and stays the application's role.
"""

from __future__ import annotations

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from project.embedded import APPLICATION, DATABASE, OWNER

_POSTGRESQL = "django.db.backends.postgresql"


def databases_from(env: environ.Env) -> dict[str, dict[str, Any]]:
    """Django's `DATABASES`, from `DATABASE_URL` and `OWNER_DATABASE_URL`; without them the embedded database."""
    if is_embedded(env):
        application, owner = _embedded(APPLICATION), _embedded(OWNER)
    else:
        application = _server(env, "DATABASE_URL")
        owner = _server(env, "OWNER_DATABASE_URL" if env.str("OWNER_DATABASE_URL", default="") else "DATABASE_URL")
    budget = {"connect_timeout": env.int("DATABASE_CONNECT_TIMEOUT", default=1), **_transaction_pooling(env)}
    application["OPTIONS"] = {**budget, **application.get("OPTIONS", {}), **_pool(env)}
    owner["OPTIONS"] = {**budget, **owner.get("OPTIONS", {})}
    shared = {
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": env.bool("DATABASE_TRANSACTION_POOLING", default=False),
    }
    return {
        "default": {**application, **shared, "TEST": {"MIRROR": "owner"}},
        "owner": {**owner, **shared, "TEST": {"DEPENDENCIES": []}},
    }


def is_embedded(env: environ.Env) -> bool:
    """Whether the database is the embedded one: no `DATABASE_URL` is set."""
    return not env.str("DATABASE_URL", default="")


def _embedded(role: str) -> dict[str, Any]:
    return {"ENGINE": "project.backend", "NAME": DATABASE, "USER": role}


def _server(env: environ.Env, variable: str) -> dict[str, Any]:
    found: dict[str, Any] = env.db_url(variable)
    if found.get("ENGINE") != _POSTGRESQL or not found["NAME"]:
        raise ImproperlyConfigured(f"{variable} must look like postgres://user:password@host:5432/database.")
    return found


def _pool(env: environ.Env) -> dict[str, Any]:
    """Each process keeps its own pool. A request that gets no connection in time is answered 503."""
    largest = env.int("DATABASE_POOL_MAX_SIZE", default=10)
    if largest == 0:
        return {}
    smallest = min(largest, env.int("DATABASE_POOL_MIN_SIZE", default=1))
    return {
        "pool": {
            "min_size": smallest,
            "max_size": largest,
            "timeout": env.float("DATABASE_POOL_TIMEOUT", default=0.3),
        }
    }


def _transaction_pooling(env: environ.Env) -> dict[str, Any]:
    """Statements prepared on the server are off (None) unless asked for: PgBouncer's transaction mode mixes them up."""
    threshold = env.int("DATABASE_PREPARE_THRESHOLD", default=None)
    return {"prepare_threshold": None if env.bool("DATABASE_TRANSACTION_POOLING", default=False) else threshold}
