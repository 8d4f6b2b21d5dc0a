"""Names of tools as a format sends them, and back. A pure function of the tenant's catalog."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolcatalog.formats import Format, export_names


@dataclass(frozen=True, slots=True)
class ExportedNames:
    """Catalog name to exported name and back, for one format. `session` are the names of a session's own tools."""

    exported: Mapping[str, str]
    catalog: Mapping[str, str]
    session: frozenset[str] = frozenset()

    def read(self, name: str) -> str:
        """The catalog name for an exported name or a catalog name; unknown names come back as they are.

        A name that the catalog sends a tool under means that tool, although a session calls one of its own so.
        """
        if name in self.exported and name not in self.session:
            return name
        return self.catalog.get(name, name)

    def knows(self, name: str) -> bool:
        """Whether some tool has this name, in either form."""
        return name in self.exported or name in self.catalog


def name_catalog_tools(format_: Format, names: Sequence[str]) -> ExportedNames:
    """The names of the tools of a catalog."""
    exported = export_names(format_, names)
    return ExportedNames(exported, {value: key for key, value in exported.items()})


def name_session_tools(format_: Format, own: Collection[str], names: ExportedNames) -> ExportedNames:
    """The names of a catalog's tools, which stay as they are, and those of a session's own."""
    exported = name_added_tools(format_, sorted(own), names)
    catalog = {value: key for key, value in exported.items()}
    return ExportedNames({**names.exported, **exported}, {**catalog, **names.catalog}, frozenset(own))


def name_added_tools(
    format_: Format, own: Sequence[str], names: ExportedNames, taken_names: Iterable[str] = ()
) -> dict[str, str]:
    """The exported names of tools beside the catalog's: legal, no two alike, and none that a tool of the catalog has,
    whether that is in this snapshot or not, nor one of `taken_names`. Of tools that would share one, that which is
    legal as it stands keeps it.
    """
    plain = {name: format_.export_name(name) for name in own}
    given: dict[str, str] = {}
    taken = set(taken_names)
    for name in sorted(own, key=lambda name: plain[name] != name):
        is_free = names.catalog.get(plain[name], name) == name and plain[name] not in taken
        given[name] = plain[name] if is_free else _rename(format_, name, names, taken)
        taken.add(given[name])
    return given


def _rename(format_: Format, name: str, names: ExportedNames, taken: Collection[str]) -> str:
    """The name with a hash of it, a longer one where that is taken too."""
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
    candidates = [format_.export_name(f"{name[:40]}_{digest[:digits]}") for digits in (8, 16, 24)]
    free = (one for one in candidates if one not in names.catalog and one not in taken)
    return next(free, candidates[-1])
