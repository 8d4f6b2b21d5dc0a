"""Every format does what a format has to do, and so does one that a newcomer writes in one file."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from toolcatalog.formats import FORMATS, Format, check_exported, get_format
from toolcatalog.formats import registry as registry_module

from .conformance import CHECKS
from .support import ALL, make_tool, obj

RECIPE = Path(__file__).parents[2] / "docs" / "providers" / "README.md"


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("format_name", ALL)
def test_format__built_in__conforms(format_name: str, check: Callable[[Format], None]) -> None:
    check(get_format(format_name))


@pytest.fixture
def acme(tmp_path: Path) -> Iterator[Format]:
    """The format of the recipe, as one file, loaded as the package loads its modules."""
    (source,) = re.findall(r"^```python\n(.*?)^```", RECIPE.read_text(), flags=re.DOTALL | re.MULTILINE)
    file = tmp_path / "acme.py"
    file.write_text(source)
    name = "toolcatalog.formats.acme"
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield FORMATS["acme"]
    del registry_module._formats["acme"], sys.modules[name]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_format__of_the_recipe__conforms(acme: Format, check: Callable[[Format], None]) -> None:
    check(acme)


def test_format__of_the_recipe__is_checked_by_its_own_rules(acme: Format) -> None:
    payload = acme.export_tool(make_tool(obj(a={"type": "string"})), "get_order").payload
    assert check_exported("acme", payload) == []
    assert check_exported("acme", {**payload, "name": "n" * 33})
    assert check_exported("acme", {**payload, "input": obj(a={"$ref": "#"})})
    long = acme.check_tool(make_tool(description="d" * 300), "get_order")
    assert [finding.code for finding in long] == ["description_cut"]


def test_formats__every_module_of_the_folder__is_loaded() -> None:
    folder = Path(registry_module.__file__).parent
    assert {f"toolcatalog.formats.{file.stem}" for file in folder.glob("[!_]*.py")} <= set(sys.modules)
