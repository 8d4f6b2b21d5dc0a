"""How long it takes to write tools in every format: `python benchmarks/export_formats.py`.

CPU time of this process in milliseconds, for an ordinary tool and for schemas that are meant to hurt, each within the
limits of the catalog (64 KB, 500 properties).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.formats.support import make_tool, obj
from tests.formats.test_effort import HARD
from toolcatalog.formats import FORMATS

ORDINARY = obj(city={"type": "string", "description": "Where."}, days={"type": ["integer", "null"], "default": 3})
ROUNDS = 3


def measure(format_name: str, parameters: object) -> float:
    """The best of some rounds."""
    tool, format_ = make_tool(parameters), FORMATS[format_name]
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        format_.export_tool(tool, "t")
        times.append(time.process_time() - start)
    return 1_000 * min(times)


def main() -> None:
    """Print a table: schemas down, formats across."""
    print(f"{'':18}" + "".join(f"{name:>18}" for name in FORMATS))
    for title, parameters in {"ordinary": ORDINARY, **HARD}.items():
        print(f"{title:18}" + "".join(f"{measure(name, parameters):18.2f}" for name in FORMATS))


if __name__ == "__main__":
    main()
