"""Runs tools that are operations of HTTP APIs."""

from __future__ import annotations

import ssl

import orjson
import structlog

from toolcatalog.contract.errors import InvalidInput
from toolcatalog.contract.json import JsonObject, JsonValue

from .background import LOOP
from .errors import AddressRefused, MissingCredential, SourceUnreachable
from .http_binding import read_binding
from .http_requests import build_request
from .outbound import OutboundAnswer, Resolver, resolve_host, send_request
from .registry import get_http_source
from .results import MAX_RESULT_BYTES, RunResult, RunStatus

NOT_SET_UP = "The API of this tool is not set up here."
_CHARSETS = frozenset(
    {"big5", "euc-jp", "euc-kr", "gb18030", "gb2312", "gbk", "iso-8859-1", "shift_jis", "us-ascii", "windows-1252"}
)
_log = structlog.get_logger(__name__)


def run_http_tool(
    source_name: str,
    binding: JsonObject,
    arguments: JsonObject,
    *,
    timeout_seconds: float = 30.0,
    resolve: Resolver = resolve_host,
    tls: ssl.SSLContext | None = None,
) -> RunResult:
    """Send the request that the tool's binding describes, and wait for the answer. Thread-safe; never raises.

    Host and credentials come from the settings of the registered source, and only they. The time limit holds for
    everything from resolving the name to the last byte. `tls` None means the system's certificates.
    """
    try:
        source, operation = get_http_source(source_name), read_binding(binding)
    except InvalidInput as error:
        return _not_usable(source_name, error.detail)
    try:
        request = build_request(source, operation, arguments)
        answer = LOOP.run(
            send_request(request, seconds=timeout_seconds, max_bytes=MAX_RESULT_BYTES, resolve=resolve, tls=tls)
        )
    except TimeoutError:
        return RunResult.late(timeout_seconds)
    except InvalidInput as error:
        return RunResult.failed(error.detail, sent=False)
    except (AddressRefused, MissingCredential) as error:
        return _not_usable(source_name, error.detail)
    except SourceUnreachable as error:
        _log.warning("http_source_unreachable", source=source_name, detail=error.detail)
        return RunResult.failed("The API of this tool cannot be reached.")
    return read_answer(answer)


def read_answer(answer: OutboundAnswer) -> RunResult:
    """The body as a JSON value; a status that is no success is an error that holds status and body.

    A redirect is such an error: it is not followed.
    """
    value = _read_value(answer)
    if 200 <= answer.status < 300:
        return RunResult(RunStatus.OK, value)
    return RunResult(
        RunStatus.ERROR, {"error": _describe_status(answer.status), "status": answer.status, "body": value}
    )


def _read_value(answer: OutboundAnswer) -> JsonValue:
    media_type = answer.content_type.partition(";")[0].strip().lower()
    is_json = media_type == "application/json" or media_type.endswith("+json")
    if not answer.body:
        return None
    if is_json and not answer.is_cut:
        try:
            value: JsonValue = orjson.loads(answer.body)
        except orjson.JSONDecodeError:
            return _read_text(answer)
        return value
    if is_json or media_type.startswith("text/") or media_type in {"application/xml", "application/javascript"}:
        return _read_text(answer)
    return {"content_type": media_type or "unknown", "bytes": len(answer.body), "cut": answer.is_cut}


def _read_text(answer: OutboundAnswer) -> str:
    text = answer.body.decode(_charset(answer.content_type), errors="replace").replace("\x00", "\ufffd")
    return f"{text}\n[cut: the answer is longer than {len(answer.body):,} bytes]" if answer.is_cut else text


def _charset(content_type: str) -> str:
    name = content_type.lower().partition("charset=")[2].strip(' "')
    return name if name in _CHARSETS else "utf-8"


def _describe_status(status: int) -> str:
    if 300 <= status < 400:
        return f"The API answered with a redirect ({status}), which is not followed."
    return f"The API answered with status {status}."


def _not_usable(source_name: str, detail: str) -> RunResult:
    """What is wrong is the operator's to know, and nothing that a model can mend."""
    _log.warning("http_source_not_usable", source=source_name, detail=detail)
    return RunResult.failed(NOT_SET_UP, sent=False)
