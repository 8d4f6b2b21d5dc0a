"""What an export changes, collected while it is written."""

from __future__ import annotations

from toolcatalog.contract.export import Finding

_MOST = 100


class Notes:
    """The findings of one export to one provider. Beyond a hundred, more are not kept."""

    def __init__(self, provider: str, label: str) -> None:
        self.provider = provider
        self.label = label
        self._findings: list[Finding] = []

    def add(self, code: str, path: str, message: str, *, length: int | None = None, limit: int | None = None) -> None:
        """Note a change. `message` is a sentence for curators that says what is sent instead."""
        if len(self._findings) < _MOST:
            self._findings.append(Finding(self.provider, code, path, message, length=length, limit=limit))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was noted, in order."""
        return tuple(self._findings)
