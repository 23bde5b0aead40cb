"""Which addresses are public: the vectors that other guards let through among them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.wire.addresses import is_metadata_name, plain_name, refusal

REFUSED = {
    "0.0.0.0": "this network",
    "0.1.2.3": "this network",
    "10.0.0.1": "private",
    "100.64.0.1": "shared by a carrier",
    "100.127.255.255": "shared by a carrier",
    "100.100.100.200": "metadata of a cloud",
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "168.63.129.16": "metadata of a cloud",
    "169.254.0.1": "link-local",
    "169.254.169.254": "metadata of a cloud",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.0.0.8": "protocol assignments",
    "192.0.0.192": "metadata of a cloud",
    "192.0.2.1": "documentation",
    "192.88.99.1": "6to4 relay",
    "192.168.1.1": "private",
    "198.18.0.1": "benchmarking",
    "198.19.255.255": "benchmarking",
    "198.51.100.1": "documentation",
    "203.0.113.1": "documentation",
    "224.0.0.1": "multicast",
    "239.255.255.255": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "broadcast",
    "::": "unspecified",
    "::1": "loopback",
    "::169.254.169.254": "IPv4 in a form that is out of use",
    "::8.8.8.8": "IPv4 in a form that is out of use",
    "::ffff:127.0.0.1": "127.0.0.1 (loopback) inside",
    "::ffff:169.254.169.254": "169.254.169.254 (metadata of a cloud) inside",
    "::ffff:0:127.0.0.1": "reserved",
    "64:ff9b::a9fe:a9fe": "169.254.169.254 (metadata of a cloud) inside",
    "64:ff9b::10.0.0.1": "10.0.0.1 (private) inside",
    "64:ff9b:1::a9fe:a9fe": "local translation",
    "64:ff9b:1::8.8.8.8": "local translation",
    "100::1": "discard",
    "2001:0:808:808:0:ffff:f5ff:fffe": "10.0.0.1 (private) inside",
    "2001:0:7f00:1:0:ffff:f7f7:f7f7": "127.0.0.1 (loopback) inside",
    "2001:2::1": "protocol assignments",
    "2001:10::1": "protocol assignments",
    "2001:20::1": "protocol assignments",
    "2001:db8::1": "documentation",
    "2002:a9fe:a9fe::": "169.254.169.254 (metadata of a cloud) inside",
    "2002:7f00:1::1": "127.0.0.1 (loopback) inside",
    "2002:a9fe:a9fe::5efe:8.8.8.8": "169.254.169.254 (metadata of a cloud) inside",
    "2002:808:808::5efe:10.0.0.1": "10.0.0.1 (private) inside",
    "2607:f8b0::5efe:127.0.0.1": "127.0.0.1 (loopback) inside",
    "2607:f8b0::200:5efe:10.0.0.1": "10.0.0.1 (private) inside",
    "2607:f8b0::300:5efe:10.0.0.1": "10.0.0.1 (private) inside",
    "3fff::1": "documentation",
    "5f00::1": "segment routing",
    "fc00::1": "unique-local",
    "fd00:ec2::254": "metadata of a cloud",
    "fd20:ce::254": "metadata of a cloud",
    "fd12:3456::1": "unique-local",
    "fe80::1": "link-local",
    "fe80::1%eth0": "bound to one network interface",
    "2607:f8b0::1%eth0": "bound to one network interface",
    "fec0::1": "site-local",
    "ff02::1": "multicast",
    "ff0e::1": "multicast",
    "4000::1": "reserved",
    "": "no address",
    "example.com": "no address",
    "2852039166": "no address",
    "0xa9fea9fe": "no address",
    "127.1": "no address",
    "127.0.0.01": "no address",
}
"""Address -> the start of the reason."""

PUBLIC = (
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "168.63.129.17",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.88.98.255",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::200e",
    "2001:4860:4860::8888",
    "2001:200::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
    "2001:0:808:808:0:ffff:f7f7:f7f7",
    "2607:f8b0::5efe:8.8.8.8",
)

PRIVATE = [IPv4Network(block) for block in ("10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16")]


@pytest.mark.parametrize("address", REFUSED)
def test_refusal__not_public(address: str) -> None:
    """Each is refused, for its own reason."""
    said = refusal(address)

    assert said is not None
    assert said.startswith(REFUSED[address])


@pytest.mark.parametrize("address", PUBLIC)
def test_refusal__public(address: str) -> None:
    """The neighbours of a refused block are let through."""
    assert refusal(address) is None


@given(st.sampled_from(PRIVATE), st.integers(0, 2**32 - 1))
def test_refusal__private_in_any_wrapping(block: IPv4Network, low: int) -> None:
    """No form that carries an IPv4 address hides a private one."""
    inside = IPv4Address(int(block.network_address) | (low & int(block.hostmask)))
    number = int(inside)
    forms = (
        IPv6Address(number),
        IPv6Address(0xFFFF << 32 | number),
        IPv6Address(0x64FF9B << 96 | number),
        IPv6Address(0x2002 << 112 | number << 80 | low),
        IPv6Address(0x20010000 << 96 | number << 64 | low),
        IPv6Address(0x20010000 << 96 | 0x08080808 << 64 | number ^ 0xFFFF_FFFF),
        IPv6Address(0x2607F8B0 << 96 | 0x5EFE << 32 | number),
    )

    assert [] == [str(form) for form in (inside, *forms) if refusal(str(form)) is None]


@given(st.integers(0, 2**128 - 1))
def test_refusal__only_global_unicast_space(number: int) -> None:
    """Outside 2000::/3 only a translated IPv4 address can be public."""
    address = IPv6Address(number)
    spaces = ("2000::/3", "::ffff:0:0/96", "64:ff9b::/96")

    assert refusal(str(address)) is not None or any(
        address in IPv6Network(space) for space in spaces
    )


@pytest.mark.parametrize(
    "host",
    ["metadata.google.internal", "Metadata.Google.Internal.", "METADATA", "instance-data"],
)
def test_metadata_name__any_spelling(host: str) -> None:
    """Case and the last dot hide nothing."""
    assert is_metadata_name(host)


def test_metadata_name__another() -> None:
    """A site that speaks of metadata is a site."""
    assert not is_metadata_name("metadata.example.com")


def test_plain_name__dots_and_case() -> None:
    """One spelling for one name."""
    assert plain_name("WWW.Example.com.") == "www.example.com"
