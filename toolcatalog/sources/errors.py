"""What goes wrong on the way to a source. The texts are for operators; models are told less."""

from __future__ import annotations

from toolcatalog.contract.errors import ToolCatalogError


class SourceUnreachable(ToolCatalogError):
    """A source does not answer, or not as it should."""

    code = "source_unreachable"


class AddressRefused(ToolCatalogError):
    """A URL that this server will not open: not https, or not on the public Internet (T13)."""

    code = "address_refused"


class MissingCredential(ToolCatalogError):
    """A source needs an environment variable that is not set."""

    code = "missing_credential"


class UnreadableDocument(ToolCatalogError):
    """A document that is not what it should be, or too big to be read."""

    code = "unreadable_document"
