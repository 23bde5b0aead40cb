"""The network below the SDKs' clients: they sign, address and send; this carries the bytes.

Each client gets one pool that keeps as many connections as were ever in flight at once: httpx2
keeps 20 by default, so that with 64 calls at once two of three would be opened anew.
"""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any
from urllib.request import getproxies

import httpx2

from gate.models.connections import is_loopback
from gate.wire.guard import GuardedTransport
from gate.wire.sockets import KEEP_ALIVE, Sockets

__all__ = ["client_arguments"]


def client_arguments(base_url: str | None) -> dict[str, Any]:
    """Return arguments of `httpx2.AsyncClient` for a vendor at an address; None is its own.

    Where the environment names a proxy, httpx2's own network is left in place, which knows how to
    use one; only the limits are ours. No proxy stands before this machine's own addresses.
    """
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    if not is_loopback(base_url) and getproxies():
        return {"limits": limits}
    tls = _no_tls() if base_url is not None and base_url.startswith("http:") else _public_tls()
    carrier = GuardedTransport(Sockets(), tls=tls, kept=None, options=KEEP_ALIVE)
    return {"transport": carrier, "verify": tls, "trust_env": False}


@cache
def _public_tls() -> ssl.SSLContext:
    """Certificates that the system trusts, read once for all vendors: that costs 50 ms or more."""
    return httpx2.create_ssl_context()


@cache
def _no_tls() -> ssl.SSLContext:
    """For addresses without TLS: no certificate is trusted, none is read."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
