"""The code blocks of the pages about vendors, run as a reader would run them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGES = Path(__file__).resolve().parents[2] / "docs" / "providers"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks_of(page: str) -> list[str]:
    """The Python blocks of a page, in order."""
    return BLOCK.findall((PAGES / page).read_text())


def run_blocks(page: str) -> dict[str, Any]:
    """Run the blocks of a page one after the other, as one program; answers its names."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, block in enumerate(blocks_of(page)):
        exec(compile(block, f"{page}, block {number + 1}", "exec"), names)
    return names
