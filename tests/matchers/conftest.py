"""Settings of the property tests."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is slow now and then; what is tested is the answer.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
