"""Python functions that run tools here, found through the entry point group `toolcatalog.callbacks`."""

from .registry import can_run, registered_callbacks

__all__ = ["can_run", "registered_callbacks"]
