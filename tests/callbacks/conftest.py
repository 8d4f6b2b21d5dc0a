"""What tests of callbacks share: packages of others, installed for one test."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from toolcatalog.callbacks import registered_callbacks
from toolcatalog.callbacks.running import process_runner, thread_runner
from toolcatalog.conf import read_settings

HEAD = "from toolcatalog.callbacks import CallContext, ToolError, tool\n"


class Installer:
    """Installs packages with entry points, as pip would, for the time of one test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._modules: list[str] = []

    def install(self, code: str, callbacks: Mapping[str, str]) -> str:
        """Install a package of one module with this code, after the import of the decorator; answers its name.

        `callbacks` gives each callback the name of a function in it, or a whole `module:function`.
        """
        module = f"package_of_tests_{len(self._modules)}"
        self._modules.append(module)
        (self._folder / f"{module}.py").write_text(HEAD + dedent(code))
        self._write_metadata(module, callbacks)
        forget_callbacks()
        return module

    def load(self, module: str) -> ModuleType:
        """The module of an installed package."""
        return importlib.import_module(module)

    def change(self, module: str, code: str, callbacks: Mapping[str, str]) -> None:
        """Another version of an installed package, in a process that is started anew."""
        (self._folder / f"{module}.py").write_text(HEAD + dedent(code))
        self._write_metadata(module, callbacks)
        self.forget_modules()
        forget_callbacks()

    def forget_modules(self) -> None:
        """Have the modules imported anew."""
        for module in self._modules:
            sys.modules.pop(module, None)
            for cached in (self._folder / "__pycache__").glob(f"{module}.*"):
                cached.unlink()

    def _write_metadata(self, module: str, callbacks: Mapping[str, str]) -> None:
        metadata = self._folder / f"{module}-1.0.dist-info"
        metadata.mkdir(exist_ok=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        points = [f"{name} = {what if ':' in what else f'{module}:{what}'}" for name, what in callbacks.items()]
        (metadata / "entry_points.txt").write_text("\n".join(["[toolcatalog.callbacks]", *points]))
        importlib.invalidate_caches()


def forget_callbacks() -> None:
    """As in a process that is started anew."""
    process_runner().close()
    process_runner.cache_clear()
    registered_callbacks.cache_clear()
    read_settings.cache_clear()
    importlib.invalidate_caches()


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installer]:
    monkeypatch.syspath_prepend(str(tmp_path))
    clean_up = thread_runner().after_call
    thread_runner.cache_clear()
    thread_runner().after_call = clean_up
    installer = Installer(tmp_path)
    yield installer
    thread_runner().after_call = clean_up
    monkeypatch.undo()
    installer.forget_modules()
    forget_callbacks()
