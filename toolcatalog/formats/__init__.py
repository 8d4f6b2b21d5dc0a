"""What is particular to each provider: how tools, messages and prompts are written, and how calls are read back.

A new format is one module here that registers one object (see `anthropic` for one with a system field of its own,
`openai_chat` for one without). Every module of this folder is imported, in the order of their names; nothing else has
to be changed.
"""

from importlib import import_module
from pkgutil import iter_modules

from ._caller_tools import find_entry_name
from ._names import NameRule
from ._prompts import join_additions
from ._reading import read_arguments
from .arguments import restore_arguments
from .base import CallResult, Format, NotExportable
from .checker import ProviderRules, check_exported, check_payload
from .names import export_names
from .native import DeferredTool, KeptHistory, NativeDisclosure
from .registry import FORMATS, detect_format, get_format, register

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")  # formats register themselves

__all__ = [
    "FORMATS",
    "CallResult",
    "DeferredTool",
    "Format",
    "KeptHistory",
    "NameRule",
    "NativeDisclosure",
    "NotExportable",
    "ProviderRules",
    "check_exported",
    "check_payload",
    "detect_format",
    "export_names",
    "find_entry_name",
    "get_format",
    "join_additions",
    "read_arguments",
    "register",
    "restore_arguments",
]
