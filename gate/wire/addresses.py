"""Which network addresses are public, by a table of our own.

Python's `ipaddress.is_global` answers differently in 3.11, 3.12 and 3.13, and calls multicast,
6to4 relays and Azure's wire server public. The blocks are those of IANA's special-purpose address
registries (RFC 6890), with the addresses at which clouds serve credentials. What it cannot see:
which network-specific prefix (RFC 6052) a NAT64 gateway may use beside the well-known one.
"""

from __future__ import annotations

from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
)

_BLOCKS_4 = tuple(
    (IPv4Network(block), name)
    for block, name in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.100.100.200/32", "metadata of a cloud"),
        ("100.64.0.0/10", "shared by a carrier"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "metadata of a cloud"),
        ("169.254.169.254/32", "metadata of a cloud"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.192/32", "metadata of a cloud"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
    )
)
"""Refused IPv4 blocks; of two that hold an address, the first names it."""

_BLOCKS_6 = tuple(
    (IPv6Network(block), name)
    for block, name in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::/96", "IPv4 in a form that is out of use"),
        ("64:ff9b:1::/48", "local translation"),
        ("100::/64", "discard"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fd00:ec2::254/128", "metadata of a cloud"),
        ("fd20:ce::254/128", "metadata of a cloud"),
        ("fc00::/7", "unique-local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
"""Refused IPv6 blocks; of two that hold an address, the first names it."""

_GLOBAL_6 = IPv6Network("2000::/3")
"""The only IPv6 space that is given out for public use (IANA, RFC 4291)."""
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_TEREDO = IPv6Network("2001::/32")
_6TO4 = IPv6Network("2002::/16")
_CARRIERS = (_MAPPED, _NAT64, _TEREDO, _6TO4)
"""Blocks whose addresses are public when the IPv4 addresses inside are."""
_ISATAP = 0x5EFE
"""Upper half of an ISATAP interface identifier (RFC 5214), its two flag bits left out."""
_LOW = 0xFFFF_FFFF

_METADATA_NAMES = frozenset(
    {
        "instance-data",
        "instance-data.ec2.internal",
        "metadata",
        "metadata.azure.internal",
        "metadata.goog",
        "metadata.google.internal",
        "metadata.oraclecloud.com",
        "metadata.packet.net",
        "metadata.platformequinix.com",
        "metadata.tencentyun.com",
    }
)


def plain_name(host: str) -> str:
    """Return a host name as it is compared: lower case, without the last dot."""
    return host.lower().rstrip(".")


def is_metadata_name(host: str) -> bool:
    """Return whether a cloud serves credentials under this host name."""
    return plain_name(host) in _METADATA_NAMES


def refusal(address: str) -> str | None:
    """Return why an IP address is not public; None for a public one.

    `address` is the literal that a resolver gave. An IPv6 address that carries an IPv4 address
    (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) is refused when either is.
    """
    try:
        return _refusal_4(IPv4Address(address))
    except AddressValueError:
        pass
    try:
        found = IPv6Address(address)
    except AddressValueError:
        return "no address"
    if found.scope_id is not None:
        return "bound to one network interface"
    return _refusal_6(found)


def _refusal_4(address: IPv4Address) -> str | None:
    return next((name for block, name in _BLOCKS_4 if address in block), None)


def _refusal_6(address: IPv6Address) -> str | None:
    carried = _carried(address)
    for inside in carried:
        why = _refusal_4(inside)
        if why is not None:
            return f"{inside} ({why}) inside {address}"
    if any(address in block for block in _CARRIERS):
        return None
    own = next((name for block, name in _BLOCKS_6 if address in block), None)
    return own or (None if address in _GLOBAL_6 else "reserved")


def _carried(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that stand inside an IPv6 address."""
    number = int(address)
    found: list[int] = []
    if address in _MAPPED or address in _NAT64 or _is_isatap(address):
        found += [number]
    if address in _6TO4:  # it can be ISATAP too
        found += [number >> 80]
    if address in _TEREDO:
        found += [number >> 64, number ^ _LOW]
    return tuple(IPv4Address(one & _LOW) for one in found)


def _is_isatap(address: IPv6Address) -> bool:
    return (int(address) >> 32) & 0xFCFF_FFFF == _ISATAP
