"""The benchmark runs on what is there today: real servers, real requests, and a line of ratios at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from project.embedded.folders import PROJECT_FOLDER


@pytest.mark.slow
def test_benchmark_of_resolve__few_requests__prints_the_ratio_to_the_floor() -> None:
    command = [sys.executable, "-m", "benchmarks.resolve", "--tools", "10", "--requests", "160", "--rounds", "1"]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    variables.pop("DJANGO_SETTINGS_MODULE", None)

    run = subprocess.run(
        command, check=False, cwd=PROJECT_FOLDER, env=variables, capture_output=True, text=True, timeout=240
    )

    assert run.returncode == 0, run.stderr[-2000:]
    assert re.search(r"10 tools: resolve / floor = \d+\.\d\d", run.stdout)
