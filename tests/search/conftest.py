"""Makes failures of the shared suites readable."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.search.conformance", "tests.search.cases")
