"""TLS through the guard: the certificate is checked against the name, not against the address."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from gate.wire.guard import Guard, GuardedTransport
from gate.wire.web import PageFetcher
from tests.unit.wire.web_fakes import STORY, Site, reply


def certificate(folder: Path, host: str) -> Path:
    """A key and a certificate for one host, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "site.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


@pytest.mark.parametrize(
    ("host", "trusted", "status"),
    [
        ("right.example", True, "ok"),
        ("wrong.example", True, "no connection"),
        ("right.example", False, "no connection"),
    ],
)
async def test_tls__name_is_checked(
    tmp_path: Path,
    host: str,
    trusted: bool,  # noqa: FBT001 - a parameter
    status: str,
) -> None:
    """Only a trusted certificate for the name in the link will do."""
    file = certificate(tmp_path, "right.example")
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(file)
    names: list[str | None] = []
    serving.sni_callback = lambda _socket, name, _context: names.append(name)
    site = Site({"/": reply(STORY)})
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=serving)
    place = ("127.0.0.1", server.sockets[0].getsockname()[1])
    guard = Guard(allowed={"right.example": place, "wrong.example": place})
    trust = ssl.create_default_context(cafile=file) if trusted else None

    fetcher = PageFetcher(GuardedTransport(guard, tls=trust))
    found = await fetcher.fetch(f"https://{host}/")
    await fetcher.aclose()
    server.close()
    await server.wait_closed()

    assert status == found.status
    assert [host] == names
