"""CPU of one resolve against the floor: a DRF view with key, one query and one slim durable insert, in the same run.

    python -m benchmarks.resolve [--tools 10,10000] [--requests 1600] [--rounds 3]

Counts the CPU time of the web server and of PostgreSQL, which a busy machine blurs less than the clock does, and
prints ratios: absolute figures hold for one machine and one moment.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.support.settings")

MESSAGE = "查询订单 AF20260001 的物流状态"
BODY = json.dumps(
    {
        "format": "openai_chat",
        "return": ["request"],
        "context": {"account_id": "user-1", "conversation_id": "c-1", "attributes": {"plan": "premium"}},
        "messages": [{"role": "user", "content": MESSAGE}],
    }
).encode()


def main() -> None:
    """Prepare catalogs of each size, then measure floor and resolve in turns."""
    options = read_options()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"DATA_DIR": folder, "LOG_LEVEL": "WARNING"})
        os.environ["DATABASE_POOL_MAX_SIZE"] = "8"
        keys = prepare([int(size) for size in options.tools.split(",")])
        for size, key in keys.items():
            measure(Path(folder), size, key, options.requests, options.rounds)


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default="10,10000", help="catalog sizes, comma-separated")
    parser.add_argument("--requests", type=int, default=1600, help="requests a round")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def prepare(sizes: list[int]) -> dict[int, str]:
    """A tenant of each size; answers their keys."""
    import django

    django.setup()
    from django.core.management import call_command

    from benchmarks.support.catalogs import make_catalog

    call_command("migrate", verbosity=0)
    return {size: make_catalog(f"tools-{size}", size) for size in sizes}


def measure(folder: Path, size: int, key: str, requests: int, rounds: int) -> None:
    """Print the ratios of one catalog size."""
    from benchmarks.support.servers import cpu_seconds, post_many, serve
    from project.embedded import server_of

    postmaster = read_postmaster(server_of(folder).status().cluster)
    with serve({"DATA_DIR": str(folder)}) as (port, pid):
        costs: dict[str, list[float]] = {"/floor": [], "/api/v1/resolve": []}
        for path in costs:
            post_many(port, path, BODY, key, requests=160)
        for _ in range(rounds):
            for path, seen in costs.items():
                before = cpu_seconds([pid, postmaster])
                post_many(port, path, BODY, key, requests=requests)
                seen.append((cpu_seconds([pid, postmaster]) - before) / requests * 1000)
    floor, resolve = costs.values()
    ratios = [b / a for a, b in zip(floor, resolve, strict=True)]
    sys.stdout.write(
        f"{size:>7} tools: resolve / floor = {statistics.median(ratios):.2f} "
        f"(min {min(ratios):.2f}, max {max(ratios):.2f}); CPU ms a request: floor {statistics.median(floor):.2f}, "
        f"resolve {statistics.median(resolve):.2f}; load {os.getloadavg()[0]:.1f}\n"
    )


def read_postmaster(cluster: Path) -> int:
    """The process id of the database server."""
    return int((cluster / "postmaster.pid").read_text().split()[0])


if __name__ == "__main__":
    main()
