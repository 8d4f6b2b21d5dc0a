"""Requests that are refused before the protocol begins: JSON-RPC errors, which clients show, with an HTTP status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_types import INTERNAL_ERROR, INVALID_REQUEST
from starlette.responses import Response

from toolcatalog.contract.json import dump_json


class Refused(Exception):
    """The request is answered with an error. `code` is a stable word for programs, `detail` a sentence for people."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        rpc_code: int | None = None,
        data: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.rpc_code = rpc_code or (INTERNAL_ERROR if status >= 500 else INVALID_REQUEST)
        self.data = {"code": code, **(data or {})}
        self.headers = dict(headers or {})

    def response(self) -> Response:
        """The answer."""
        error = {"code": self.rpc_code, "message": self.detail, "data": self.data}
        body = dump_json({"jsonrpc": "2.0", "id": None, "error": error})
        headers = {"Cache-Control": "no-store", **self.headers}
        return Response(body, self.status, headers, media_type="application/json")
