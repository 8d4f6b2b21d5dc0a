"""A repeated call runs once (X10): the first takes a claim, a repeat is given what the first was answered."""

from __future__ import annotations

from dataclasses import dataclass

import orjson
from django.db import connection

from toolcatalog.contract.json import JsonValue, dump_json

REMEMBERED_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Claim:
    """What came of claiming a call: `taken` means that this caller runs it; else `result` is the first one's answer,
    or `running` that there is none yet.
    """

    taken: bool
    running: bool = False
    result: JsonValue = None


_TAKE = """
INSERT INTO toolcatalog_callclaim AS claim (tenant_id, key, claimed_at, result)
VALUES (%(tenant)s, %(key)s, clock_timestamp(), NULL)
ON CONFLICT (tenant_id, key) DO UPDATE SET claimed_at = EXCLUDED.claimed_at, result = NULL
    WHERE claim.claimed_at < clock_timestamp() - make_interval(secs => %(seconds)s)
RETURNING true
"""
_READ = "SELECT result FROM toolcatalog_callclaim WHERE tenant_id = %s AND key = %s"
_FORGET_OLD = """
DELETE FROM toolcatalog_callclaim WHERE ctid IN (
    SELECT ctid FROM toolcatalog_callclaim WHERE claimed_at < clock_timestamp() - make_interval(secs => %s) LIMIT 20
    FOR UPDATE SKIP LOCKED
)
"""


def claim_call(tenant_id: int, key: str) -> Claim:
    """Take the call on, or learn what came of it. Commit before running, so that others see the claim."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET_OLD, [REMEMBERED_SECONDS * 2])
        cursor.execute(_TAKE, {"tenant": tenant_id, "key": key, "seconds": REMEMBERED_SECONDS})
        if cursor.fetchone() is not None:
            return Claim(taken=True)
        cursor.execute(_READ, [tenant_id, key])
        row = cursor.fetchone()
    if row is None or row[0] is None:
        return Claim(taken=False, running=True)
    return Claim(taken=False, result=orjson.loads(row[0]))


def settle_claim(tenant_id: int, key: str, result: JsonValue) -> None:
    """Keep the answer for repeats."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE toolcatalog_callclaim SET result = %s WHERE tenant_id = %s AND key = %s",
            [dump_json(result).decode(), tenant_id, key],
        )
