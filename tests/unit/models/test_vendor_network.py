"""Which network the SDKs' clients are given."""

from __future__ import annotations

import pytest

from gate.models.vendor_network import client_arguments
from gate.wire.guard import GuardedTransport

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without proxies."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("address", [None, "https://vendor.example/v1", "http://127.0.0.1:9"])
def test_client_arguments__our_own_network(address: str | None) -> None:
    """It is handed over with its TLS settings, and the environment is not read again."""
    found = client_arguments(address)

    assert isinstance(found["transport"], GuardedTransport)
    assert found["trust_env"] is False


def test_client_arguments__certificates_are_read_once() -> None:
    """Both vendors trust the same ones."""
    assert client_arguments(None)["verify"] is client_arguments("https://b.example")["verify"]


def test_client_arguments__no_certificate_is_read_without_tls() -> None:
    """An address without TLS trusts nobody, should it lead to one with TLS."""
    found = client_arguments("http://127.0.0.1:9")["verify"]

    assert [] == found.get_ca_certs()


def test_client_arguments__a_proxy_is_left_to_httpx2(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows how to use one; what is on this machine is reached without."""
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:8080")

    assert {"limits"} == set(client_arguments(None))
    assert "transport" in client_arguments("http://127.0.0.1:9")
