"""T13: which URLs are opened at all, and what of an answer is read."""

from __future__ import annotations

import asyncio
import datetime
import gzip
import ipaddress
import socket
import ssl
import time
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_django import Settings

from toolcatalog.sources.addresses import is_public_address
from toolcatalog.sources.errors import AddressRefused, SourceUnreachable
from toolcatalog.sources.fetching import fetch_openapi
from toolcatalog.sources.outbound import OutboundAnswer, OutboundRequest, Resolver, resolve_host, send_request

from .conftest import HttpServer, Recorder


def send(url: str, *, resolve: Resolver = resolve_host, seconds: float = 60, max_bytes: int = 10_000) -> OutboundAnswer:
    return asyncio.run(send_request(OutboundRequest("GET", url), seconds=seconds, max_bytes=max_bytes, resolve=resolve))


def resolving_to(*addresses: str) -> Resolver:
    """A name server that knows one answer, whatever it is asked."""

    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/openapi.json",
        "ftp://example.com/openapi.json",
        "file:///etc/passwd",
        "gopher://example.com/",
        "//example.com/openapi.json",
        "openapi.json",
        "https://",
        "https:///openapi.json",
        "https://user:secret@example.com/",
        "https://example.com@127.0.0.1/",
        "https://127.0.0.1/",
        "https://127.0.0.1:443/",
        "https://localhost/",
        "https://localhost./",
        "https://LOCALHOST/",
        "https://2130706433/",  # 127.0.0.1 as one number
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://017700000001/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://127.0.1/",
        "https://127。0。0。1/",  # ideographic full stops
        "https://①②⑦.⓪.⓪.①/",
        "https://ｌocalhost/",
        "https://%31%32%37.0.0.1/",
        "https://0.0.0.0/",
        "https://10.0.0.1/",
        "https://172.16.3.4/",
        "https://192.168.1.1/",
        "https://100.64.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://224.0.0.1/",
        "https://255.255.255.255/",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://[::127.0.0.1]/",
        "https://[fe80::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[fec0::1]/",
        "https://[fc00::1]/",
        "https://[fd12:3456::1]/",
        "https://[ff02::1]/",
        "https://[2002:7f00:1::]/",  # 6to4 of 127.0.0.1
        "https://[2002:a9fe:a9fe::]/",
        "https://[64:ff9b::7f00:1]/",  # NAT64 of 127.0.0.1
        "https://[64:ff9b:1::a00:1]/",
        "https://[2001:0:7f00:1::]/",  # Teredo
        "https://exa mple.com/",
        "https://example.com\\.evil.example/",
        "https://example.com:99999/",
    ],
)
def rel_T13_urls_that_are_never_opened(url: str) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        if "example" in host:
            return ["93.184.215.14"]
        return ["127.0.0.1"] if "localhost" in host.lower() else await resolve_host(host, port)

    with pytest.raises(AddressRefused):
        send(url, resolve=resolve)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.215.14", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::200e"]
)
def rel_T13_public_addresses_are_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize("address", ["", "localhost", "127.1", "1.2.3.4.5", "fe80::1%eth0"])
def rel_T13_what_is_no_plain_address_is_not_public(address: str) -> None:
    assert not is_public_address(address)


def rel_T13_one_private_address_among_several_is_enough_to_refuse() -> None:
    for addresses in (["8.8.8.8", "127.0.0.1"], ["10.0.0.1", "8.8.8.8"], ["8.8.8.8", "::1"]):
        with pytest.raises(AddressRefused, match="not on the public Internet"):
            send("https://rebinding.example/", resolve=resolving_to(*addresses))


def rel_T13_a_name_that_changes_its_address_is_resolved_once(http_server: HttpServer, settings: Settings) -> None:
    """First harmless, then loopback: the connection goes to the address that was judged."""
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["192.0.0.8"] if len(asked) > 1 else ["127.0.0.1"]

    port = http_server.server_address[1]
    settings.OUTBOUND_ALLOWED_ORIGINS = [f"http://parcels.example:{port}"]
    assert send(f"http://parcels.example:{port}/a", resolve=rebinding).status == 200
    assert asked == ["parcels.example"]
    assert http_server.requests[0][2]["Host"] == f"parcels.example:{port}"


def rel_T13_loopback_needs_the_operators_word(http_server: HttpServer, settings: Settings) -> None:
    with pytest.raises(AddressRefused):
        send(f"{http_server.origin}/a")
    settings.OUTBOUND_ALLOWED_ORIGINS = ["http://127.0.0.1"]  # the origin of another port
    with pytest.raises(AddressRefused):
        send(f"{http_server.origin}/a")
    assert http_server.requests == []
    settings.OUTBOUND_ALLOWED_ORIGINS = [http_server.origin]
    assert send(f"{http_server.origin}/a").status == 200


def rel_T13_a_redirect_to_loopback_is_not_followed(allowed_server: HttpServer) -> None:
    with HttpServer() as inner:
        Thread(target=inner.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        allowed_server.answer = lambda handler: handler.reply(302, Location=f"{inner.origin}/secret")
        assert send(f"{allowed_server.origin}/a").status == 302
        with pytest.raises(SourceUnreachable, match="redirect"):
            fetch_openapi(f"{allowed_server.origin}/openapi.json")
        assert inner.requests == []
        inner.shutdown()


def rel_T13_no_more_is_read_than_allowed(allowed_server: HttpServer) -> None:
    allowed_server.answer = lambda handler: handler.reply(200, b"x" * 50_000)
    answer = send(f"{allowed_server.origin}/a", max_bytes=1000)
    assert (len(answer.body), answer.is_cut) == (1000, True)
    allowed_server.answer = lambda handler: handler.reply(200, b"x" * 1_100_000)
    with pytest.raises(SourceUnreachable, match="more than"):
        fetch_openapi(f"{allowed_server.origin}/openapi.json")


def rel_T13_a_compressed_answer_is_not_unpacked(allowed_server: HttpServer) -> None:
    bomb = gzip.compress(b"0" * 5_000_000)
    allowed_server.answer = lambda handler: handler.reply(200, bomb, Content_Encoding="gzip")
    with pytest.raises(SourceUnreachable, match="compressed"):
        send(f"{allowed_server.origin}/a")
    assert allowed_server.requests[0][2]["Accept-Encoding"] == "identity"


def rel_T13_an_answer_that_drips_ends_with_the_time(allowed_server: HttpServer) -> None:
    """Each byte comes soon enough; all of them would not."""

    def drip(handler: Recorder) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(20):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.1)

    allowed_server.answer = drip
    with pytest.raises(TimeoutError):
        send(f"{allowed_server.origin}/a", seconds=0.5)


def rel_T13_a_resolver_that_hangs_ends_with_the_time() -> None:
    async def hang(host: str, port: int) -> list[str]:
        await asyncio.sleep(60)
        return []

    with pytest.raises(TimeoutError):
        send("https://slow.example/", resolve=hang, seconds=0.2)


def rel_T13_proxies_and_passwords_of_the_environment_are_not_used(
    allowed_server: HttpServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert send(f"{allowed_server.origin}/a").status == 200
    assert "Authorization" not in allowed_server.requests[0][2]


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / f"{name}.pem", folder / f"{name}.key"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, *private))
    return paths


@pytest.fixture
def secure_server(http_server: HttpServer, tmp_path: Path) -> tuple[HttpServer, ssl.SSLContext, list[str]]:
    """(server, the client's trust, the names that clients asked for)."""
    certificate, key = make_certificate(tmp_path, "parcels.example")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    asked: list[str] = []
    context.sni_callback = lambda _, name, __: asked.append(name or "")
    http_server.socket = context.wrap_socket(http_server.socket, server_side=True)
    return http_server, ssl.create_default_context(cafile=str(certificate)), asked


def rel_T13_the_certificate_is_that_of_the_name_not_of_the_address(
    secure_server: tuple[HttpServer, ssl.SSLContext, list[str]], settings: Settings
) -> None:
    server, trust, asked = secure_server
    port = server.server_address[1]
    settings.OUTBOUND_ALLOWED_ORIGINS = [f"https://parcels.example:{port}", f"https://other.example:{port}"]

    def get(host: str) -> OutboundAnswer:
        request = OutboundRequest("GET", f"https://{host}:{port}/a")
        sending = send_request(request, seconds=60, max_bytes=99, resolve=resolving_to("127.0.0.1"), tls=trust)
        return asyncio.run(sending)

    assert get("parcels.example").status == 200
    assert asked == ["parcels.example"]
    with pytest.raises(SourceUnreachable, match="certificate"):
        get("other.example")


def test_resolver__plain_address__is_itself() -> None:
    assert asyncio.run(resolve_host("127.0.0.1", 443)) == ["127.0.0.1"]
    assert ipaddress.ip_address(asyncio.run(resolve_host("localhost", 443))[0]).is_loopback


def test_resolver__unknown_name__said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(SourceUnreachable, match=r"The name nowhere\.example cannot be resolved"):
        send("https://nowhere.example/", resolve=unknown)
